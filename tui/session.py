"""The table as the app drives it: the seat's view shown step by step, and the human's answers.

Nothing here knows a widget. What is shown is a second fold of the events of the seat's own view, so the roster never
runs ahead of the transcript.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from engine.asks import Answer, Ask
from engine.bits import EVERYONE
from engine.events import Event, Phase, Said
from engine.game import Game
from engine.views import View
from judge.budget import Tokens
from judge.record import Record, RecordError
from players.base import SeatDown
from tui.pace import STEP_SECONDS, Pace
from tui.speech import Floor

NAMED = ("model", "remote")


class PlayTable(Protocol):
    """What the app needs of judge.table.Table."""

    @property
    def game(self) -> Game: ...

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        ...

    @property
    def pending(self) -> tuple[Ask, ...]:
        """The asks that wait for people, also while others still think."""
        ...

    def view(self, seat: int | None) -> View:
        """What a seat has been shown, at the table's pace."""
        ...

    async def run(self) -> tuple[Ask, ...]:
        """Go on until people must answer (their asks) or the game is over (none)."""
        ...

    def submit(self, seat: int, answer: object) -> None:
        """Take a human's answer. Raises IllegalAnswer."""
        ...

    def request_reaction(self, seat: int, kind: str, answer: object) -> None:
        """Take a human's reaction at the next moment. Raises IllegalAnswer."""
        ...

    async def close(self) -> None:
        """Let go of the game, which can be resumed."""
        ...


Update = Callable[[], None]
PaceHook = Callable[[object], Awaitable[None]]
TableFactory = Callable[[Update, PaceHook], "PlayTable | Awaitable[PlayTable]"]
"""Makes the table, given what to call whenever the game moves and what to await between two steps."""


class Session:
    """The people of one terminal at one table; one of them, or nobody, sits before the screen."""

    def __init__(
        self,
        seat: int | None,
        pace: Pace,
        show: Callable[[Event, bool], None],
        moved: Callable[[], None],
        posed: Callable[[Ask | None], None],
        *,
        people: tuple[int, ...] = (),
        hand: Callable[[int], None] | None = None,
        hear: Callable[[Said], None] | None = None,
    ) -> None:
        """show: called for each event as it may be seen. moved: the table has gone on. posed: another ask, or none.
        hear: called with as much of a speech as is there while it comes; `show` gets the whole.

        seat: whose view is shown; None the public's, 0 the judge's. people: all seats at this terminal, (0,) where its
        person is the judge; where there are several the screen shows what is public, and `hand` is called with the
        seat to whom it must be handed.
        """
        self.people = people or ((seat,) if seat else ())
        if 0 in self.people and len(self.people) > 1:
            raise ValueError("who judges sees every card; nobody else may play at the same terminal")
        self.several = len(self.people) > 1
        self.judging = self.people == (0,)
        self.seat, self.pace = None if self.several else seat, pace
        self._show, self._moved, self._pose, self._hand = show, moved, posed, hand
        self._handing: int | None = None
        self.aside = False
        self.look_count = 0
        self._news, self._caught, self._acted = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.posed: Ask | None = None
        self.floor = Floor(pace, hear)
        self._at = self._private = self._old = 0

    async def open(self, factory: TableFactory) -> None:
        """Make the table. What had happened before (a resumed game) is shown without waits."""
        made = factory(self.wake, self.hold)
        self.table: PlayTable = await made if isinstance(made, Awaitable) else made
        for player in getattr(getattr(self.table, "course", None), "players", {}).values():
            if hasattr(player, "live"):
                player.live = self._hear
        self.shown = View(self.seat, self.table.game.setup)
        self._old = len(self.full.events)
        self._news.set()

    def look(self, seat: int | None, *, aside: bool = False) -> None:
        """From now on, see the table from here. What happened so far is shown again, without waits.

        aside: for a moment, out of turn; nobody else is handed the screen until somebody looks from elsewhere.
        """
        self.seat, self._handing, self.aside = seat, None, aside
        self.look_count += 1
        if self.posed is not None:
            self.posed = None
            self._pose(None)
        self.shown = View(seat, self.table.game.setup)
        self._at = self._private = 0
        self._old = len(self.full.events)
        self._news.set()

    def record(self) -> Record | None:
        """The record of this game, if its table keeps one. Only for a game that is over."""
        store = getattr(self.table, "store", None)
        if store is None or not self.over:
            return None
        found: Record = store.record(getattr(self.table, "game_id", ""))
        return found

    def tokens(self) -> Tokens | None:
        """What the models of this game took so far; None where no model plays."""
        course = getattr(self.table, "course", None)
        return course.tokens if course is not None and course.calls else None

    def cost(self) -> float | None:
        """What they cost so far, in the currency of the prices; None where there are no prices."""
        course = getattr(self.table, "course", None)
        budget = getattr(course, "budget", None)
        return budget.cost_of(course.tokens) if course is not None and budget is not None else None

    def models(self) -> tuple[int, ...]:
        """The seats that models play."""
        sitters = getattr(getattr(self.table, "header", None), "players", ())
        return tuple(sitter.seat for sitter in sitters if sitter.kind == "model")

    @property
    def full(self) -> View:
        """All that the table has shown to this seat."""
        return self.table.view(self.seat)

    @property
    def over(self) -> bool:
        """Whether the game is over; then, and only then, the judge's log may be read."""
        return self.table.over

    @property
    def level(self) -> bool:
        """Whether everything that may be shown is shown."""
        return self._at >= self.released()

    def names(self) -> dict[int, str]:
        """What the record calls the models at the table; the built-in seats have no names worth showing."""
        sitters = getattr(getattr(self.table, "header", None), "players", ())
        return {sitter.seat: sitter.name for sitter in sitters if sitter.kind in NAMED and sitter.seat}

    def told(self, event: Event, lang: str) -> str | None:
        """The words in which a model that judges tells an event; None where the catalogue speaks."""
        tell = getattr(self.table, "told", None)
        spoken: str | None = tell(event) if tell is not None and lang == self.table.game.setup.lang else None
        return spoken

    def offers(self) -> tuple[Ask, ...]:
        """The reactions this seat may take now."""
        if self.over or not self.level or self.seat not in self.people:
            return ()
        return tuple(ask for ask in self.table.game.reactions if ask.seat == self.seat)

    def turn(self) -> tuple[int, ...]:
        """Seats whose turn it publicly is: asks that everybody sees answered, never at night."""
        if self.shown.phase in ("night", "setup") or not self.level:
            return ()
        return tuple(ask.seat for ask in self.table.game.asks if ask.seen == EVERYONE)

    # -- the table's side

    def wake(self) -> None:
        """The game has moved."""
        self._news.set()
        self._moved()

    async def hold(self, _: object) -> None:
        """Between two steps: the table waits until they have been shown, and while the game is paused."""
        await self.caught_up()
        await self.pace.gate()

    async def play(self, ended: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        """Drive the table to its end, or until it is closed.

        failed: told why the table cannot go on now (a model's server, the disk); after `go_on` it is tried again.
        """
        while True:
            self._acted.clear()
            try:
                asks = await self.table.run()
            except (SeatDown, RecordError) as error:
                failed(error)
                await self._acted.wait()
                continue
            self.wake()
            await self.caught_up()
            if self.over:
                ended()
                return
            if not asks:
                return
            await self._acted.wait()

    def go_on(self) -> None:
        """Try again after a failure."""
        self._acted.set()

    def replace_models(self) -> None:
        """Built-in players take the models' seats for as long as this table is open."""
        course = getattr(self.table, "course", None)
        if course is not None:
            from players.factory import make_players

            setup = self.table.game.setup
            made = make_players(setup, dict.fromkeys(self.models(), "builtin"))
            course.players = {**course.players, **made}

    async def close(self) -> None:
        """Let go of the table."""
        if hasattr(self, "table"):
            await self.table.close()

    # -- the human's side

    def answer(self, ask: Ask, answer: Answer) -> bool:
        """Answer the posed ask. Returns whether it still stood. Raises IllegalAnswer, and then it stays posed."""
        if self.posed != ask or self._mine() != ask:
            return False
        self.table.submit(ask.seat, answer)
        self.posed = None
        if self.several:
            self.look(None)  # nothing private is left on the screen for whoever comes next
        self._acted.set()
        return True

    def react(self, ask: Ask, answer: Answer) -> bool:
        """Take a reaction. Returns whether it could still be taken. Raises IllegalAnswer."""
        if ask not in self.offers():
            return False
        self.table.request_reaction(ask.seat, ask.kind, answer)
        self._acted.set()
        return True

    def _mine(self) -> Ask | None:
        return next((ask for ask in self.table.pending if ask.seat == self.seat and self.seat in self.people), None)

    def _next_hand(self) -> None:
        """Somebody else at this terminal is asked: the screen must be handed over first."""
        if not self.several or self.posed is not None or self._hand is None or self.aside:
            return
        waiting = next((ask.seat for ask in self.table.pending if ask.seat in self.people), None)
        if waiting is not None and waiting != self.seat and waiting != self._handing:
            self._handing = waiting
            self._hand(waiting)

    def _repose(self) -> None:
        """The ask of this seat is posed once all before it is shown; it may also go, when somebody reacts."""
        mine = self._mine()
        if mine != self.posed:
            self.posed = mine
            self._pose(mine)
        self._next_hand()

    # -- showing

    def released(self) -> int:
        """How many events of the view may be shown by now.

        Within a night the public calls of the cards are held until the seat itself is concerned or the night is over,
        so that nobody can tell from their timing whose call took how long.
        """
        full = self.full
        count = len(full.events)
        watches = not self.people or self.several or self.judging
        if full.phase != "night" or self._mine() is not None or self.over or watches:
            return count
        told = {id(event) for event in full.private[self._private :]}
        while count > self._at and id(full.events[count - 1]) not in told:
            if isinstance(full.events[count - 1], Phase):
                break
            count -= 1
        return count

    def _hear(self, seat: int, words: str) -> None:
        """A model speaks: what it has said so far is heard if everybody will hear it, and if it is its turn here."""
        asked = next((ask for ask in self.table.game.asks if ask.seat == seat and ask.form == "text"), None)
        if asked is not None and self.turn() == (seat,) and not self.pace.paused:
            self.floor.hear(Said(seat, words, "speech"))

    async def caught_up(self) -> None:
        """Wait until everything that may be shown is shown."""
        while not self.level:
            self._caught.clear()
            self._news.set()
            await self._caught.wait()

    async def read(self) -> None:
        """Show what is released, at an even pace; runs until cancelled."""
        while True:
            while not self.level:
                await self._one()
            self._caught.set()
            self._repose()
            self._moved()
            self._news.clear()
            await self._news.wait()

    async def _one(self) -> None:
        fresh = self._at >= self._old
        if fresh:
            await self.pace.gate()
        if self.level:
            return  # somebody looks from elsewhere now
        full, look = self.full, self.look_count
        event = full.events[self._at]
        if fresh and isinstance(event, Said) and event.how != "gesture" and event.seat not in self.people:
            await self.floor.speak(event)
            if look != self.look_count:
                return  # somebody looks from elsewhere now
        private = self._private < len(full.private) and full.private[self._private] is event
        self._private += private
        self._at += 1
        self.shown.learn(event, private)
        self._show(event, private)
        if fresh:
            await self.pace.rest(STEP_SECONDS)
