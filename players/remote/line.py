"""A seat's line: what its view holds, the question that is open, and the one connection that sees it now.

A connection pulls: each keeps a cursor into the view's events, so a slow reader costs no queue, and a client that comes
back after a dropped line goes on where it was.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from engine.asks import Answer, Ask, IllegalAnswer
from engine.views import View
from players.remote.wire import Asked, Bad, Bye, Closed, Offered, Offers, Outgoing, Told, Waiting, Welcome, own
from prompts.model import quoter
from prompts.narrate import narrate
from prompts.words import ask_hint, ask_title, option_words

NOTICES = 32  # short notices that wait for a slow reader; older ones are dropped
Reacting = Callable[[int, Ask, Answer], None]


class Refused(ValueError):
    """What a client sent does nothing; the message is fit for that client."""


class Question:
    """One ask as it stands open at a line."""

    def __init__(self, id: int, ask: Ask, view: View, until: float | None) -> None:
        self.id, self.ask, self.view, self.until = id, ask, view, until
        self.future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def frame(self, lang: str) -> Asked:
        """The question as its seat sees it."""
        ask = self.ask
        left = None if self.until is None else max(0.0, self.until - asyncio.get_running_loop().time())
        title, hint = ask_title(ask, self.view, lang), ask_hint(ask.kind, lang)
        return Asked(self.id, own(ask), title, hint, _options(ask, lang), left)


class Session:
    """One connection to a line. `wake` is set when there may be something to send."""

    def __init__(self, line: Line, lang: str, got: int) -> None:
        self.line, self.lang, self.sent = line, lang, got
        self.wake = asyncio.Event()
        self.notices: deque[Outgoing] = deque(maxlen=NOTICES)
        self.ended = ""
        self._welcomed = False
        self._asked = 0
        self._offered: tuple[Ask, ...] = ()
        self.wake.set()

    def notice(self, frame: Outgoing) -> None:
        """Send this beside the rest."""
        self.notices.append(frame)
        self.wake.set()

    def end(self, why: str) -> None:
        """Close this connection after what is due."""
        self.ended = self.ended or why
        self.wake.set()

    def due(self) -> Outgoing | None:
        """The next frame to send, or None for now. After a Bye there is nothing more."""
        view, line = self.line.view, self.line
        if self.ended and self.ended != "over":
            return Bye(self.ended)
        if view is None:
            return self.notices.popleft() if self.notices else None
        if not self._welcomed:
            self._welcomed = True
            self.sent = min(self.sent, len(view.events))
            return Welcome(line.seat, view.size, view.ruleset, view.lang, view.options)
        if self.sent < len(view.events):
            self.sent += 1
            return _told(view, self.sent - 1, self.lang)
        if self.notices:
            return self.notices.popleft()
        if line.question is not None and line.question.id > self._asked:
            self._asked = line.question.id
            return line.question.frame(self.lang)
        if line.offers != self._offered:
            self._offered = line.offers
            return Offers(tuple(_offered(offer, view, self.lang) for offer in line.offers))
        return Bye(self.ended) if self.ended else None


class Line:
    """One seat's end of the wire. Use it from one event loop."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.view: View | None = None
        self.offers: tuple[Ask, ...] = ()
        self.question: Question | None = None
        self.session: Session | None = None
        self.on_react: Reacting | None = None
        self.left_at = asyncio.get_running_loop().time()
        """When the last connection went (event loop's clock)."""
        self.moved = asyncio.Event()
        """Set when a connection came or went; whoever waits clears it."""
        self.claimed = asyncio.Event()
        self._last = 0
        self._closed = ""

    @property
    def present(self) -> bool:
        """Whether somebody is connected."""
        return self.session is not None

    # -- from the table

    def show(self, view: View) -> None:
        """What the seat knows has grown."""
        if self.view is None or len(view.events) >= len(self.view.events):
            self.view = view
        self._wake()

    def offer(self, offers: Sequence[Ask]) -> None:
        """The reactions this seat may take now."""
        self.offers = tuple(offers)
        self._wake()

    def pose(self, ask: Ask, view: View, seconds: float | None) -> Question:
        """Open a question. Its future gets the answer; `close` must follow in any case."""
        until = None if seconds is None else asyncio.get_running_loop().time() + seconds
        self._last += 1
        self.question = Question(self._last, ask, view, until)
        self._wake()
        return self.question

    def close(self, question: Question, why: str) -> None:
        """The question is settled, one way or the other."""
        if self.question is question:
            self.question = None
            if not question.future.done():
                question.future.cancel()
            if self.session is not None:
                self.session.notice(Closed(question.id, why))

    def withdraw(self) -> None:
        """Stop waiting for the answer: something came first, and the question may come again."""
        if self.question is not None and not self.question.future.done():
            self.question.future.cancel()

    def shut(self, why: str) -> None:
        """The table is done with this line: who still comes is told what is due, and goodbye."""
        self._closed = why
        self.offers = ()
        self.hang_up(why)

    def hang_up(self, why: str) -> None:
        """End the connection, if there is one."""
        if self.session is not None:
            self.session.end(why)

    # -- from the client

    def attach(self, lang: str, got: int) -> Session:
        """A connection of this seat's owner; one that was open is ended."""
        self.hang_up("elsewhere")
        self.session = Session(self, lang, got)
        if self._closed:
            self.session.end(self._closed)
        elif self.view is None:
            self.session.notice(Waiting(self.seat))
        self.moved.set()
        self.claimed.set()
        return self.session

    def detach(self, session: Session) -> None:
        """A connection went."""
        if self.session is session:
            self.session = None
            self.left_at = asyncio.get_running_loop().time()
            self.moved.set()

    def answer(self, id: int, answer: object) -> None:
        """A client's answer. Raises Refused for one that is stale, replayed or illegal."""
        question = self.question
        if question is None or question.id != id or question.future.done():
            raise Refused("no such question is open")
        try:
            question.future.set_result(question.ask.check(answer))
        except IllegalAnswer as error:
            raise Refused(error.reason[:300]) from None

    def react(self, kind: str, answer: object) -> None:
        """A client's reaction. Raises Refused."""
        offer = next((offer for offer in self.offers if offer.kind == kind), None)
        if offer is None or self.on_react is None:
            raise Refused("this may not be done now")
        try:
            checked = offer.check(answer)
        except IllegalAnswer as error:
            raise Refused(error.reason[:300]) from None
        self.on_react(self.seat, offer, checked)

    def _wake(self) -> None:
        if self.session is not None:
            self.session.wake.set()


def refuse(session: Session, why: str) -> None:
    """Tell a client that its frame did nothing."""
    session.notice(Bad(why))


def _options(ask: Ask, lang: str) -> tuple[tuple[Any, str], ...]:
    """What may be chosen, in words; for lists, what each may hold."""
    listed: tuple[Answer, ...] = (*ask.targets, *ask.choices) if ask.form in ("seats", "names") else ask.options()
    return tuple((option, option_words(ask, option, lang)) for option in listed)


def _offered(offer: Ask, view: View, lang: str) -> Offered:
    return Offered(own(offer), ask_title(offer, view, lang), _options(offer, lang))


def _told(view: View, n: int, lang: str) -> Told:
    event = view.events[n]
    private = any(event is one for one in reversed(view.private))
    return Told(n, view.at[n], private, event.fields(), narrate(event, lang, quoter(lang)) or "")
