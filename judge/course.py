"""One game being played: the steps that the graph and the plain loops share.

A round is: volunteers (reactions), the replies of those who are asked, and a step that takes either one reaction or all
the answers. Seats never raise into it: whatever goes wrong in a seat becomes a seeded legal answer, recorded as such.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Protocol, cast

import msgspec

from engine.asks import Ask
from engine.events import Event
from engine.game import Game
from engine.views import View
from judge.budget import Budget, Tokens
from judge.early import foreseen, known
from judge.lines import Asked, DecisionLine, Line, Result, asked_of, event_lines
from judge.record import Sink
from players.base import Call, Player, Recalling, Reply, SeatDown

log = logging.getLogger("tianhei.judge")  # at level info: who is asked at night must not reach a player's terminal
PATIENCE = 300.0  # seconds that a seat may take
MAX_DAYS = 40
STALLED = 16  # substituted answers in a row, of all seats of one model, that make a game a failed one


class Wanted(msgspec.Struct, frozen=True):
    """A reaction that a seat wants to take. reply.answer answers the offer."""

    offer: Ask
    reply: Reply


class Ahead(msgspec.Struct, frozen=True):
    """A question put early. knew: what its seat knew then."""

    ask: Ask
    knew: list[Event]
    task: asyncio.Future[Reply]


class Course:
    """A game in play.

    replies: what was received for the pending asks, by seat. wanted: reactions that people have asked for, in order.
    volunteered: those that a player takes while others are asked. written: how many events have gone to the sink.
    """

    def __init__(
        self,
        game: Game,
        players: Mapping[int, Player],
        sink: Sink | None = None,
        *,
        max_days: int = MAX_DAYS,
        patience: float | None = PATIENCE,
        budget: Budget | None = None,
    ) -> None:
        self.budget = budget
        self.game, self.players, self.sink = game, players, sink
        self.max_days, self.patience = max_days, patience
        self.replies: dict[int, Reply] = {}
        self.wanted: list[Wanted] = []
        self.volunteered: list[Wanted] = []
        self.result: Result | None = None
        self.written = 0
        self.calls = self.fallbacks = 0
        self.faults: Counter[str] = Counter()
        self.substituted: Counter[str] = Counter()
        self.tokens = Tokens()
        self.early: dict[int, Ahead] = {}
        self.keep_early: Callable[[Ask, Reply], None] | None = None
        self._looked = -1
        self._useless: dict[str, int] = {}
        self._usable: set[str] = set()
        self.unsaved: list[Line] = []

    # -- where it stands

    @property
    def n(self) -> int:
        """The number of decisions taken."""
        return len(self.game.decisions)

    @property
    def over(self) -> bool:
        """Whether nothing more is to be decided: the game has ended or failed, or its days or its budget are spent."""
        return (
            not self.game.asks
            or self.game.public.day > self.max_days
            or bool(self._failure or (self.budget and self.budget.spent(self.tokens)))
        )

    @property
    def _failure(self) -> str:
        """Why the seats' replies make no game: a model gives no usable answer, and its seats only had substitutes."""
        dead = [name for name, row in self._useless.items() if row >= STALLED]
        if not self.game.asks:  # a game that is over must have been played by those who sat in it
            dead += [name for name in self._useless if name not in self._usable]
        return f"the model {dead[0]} gave no usable answer" if dead else ""

    def offers(self, seat: int) -> tuple[Ask, ...]:
        """The reactions this seat may take now."""
        return tuple(offer for offer in self.game.reactions if offer.seat == seat)

    def missing(self) -> tuple[Ask, ...]:
        """The pending asks without a reply."""
        return tuple(ask for ask in self.game.asks if ask.seat not in self.replies)

    # -- hearing the seats

    @property
    def reacting(self) -> bool:
        """Whether a reaction comes before anybody is asked."""
        return bool(self.wanted or self.volunteered)

    def volunteers(self) -> None:
        """Hear the seats that are not asked and may react. A human says so himself, through `wanted`."""
        self.volunteered = []
        offers = self.game.reactions
        if not offers:
            return
        asked = {ask.seat for ask in self.game.asks}
        for seat in sorted({offer.seat for offer in offers} - asked):
            player = self.players.get(seat)
            if player is None or player.kind == "human":
                continue
            try:
                taken = player.react(self.game.view(seat), self.offers(seat))
            except Exception:
                log.info("seat %d failed to react", seat, exc_info=True)
                continue
            if taken is not None:
                self.volunteered += self.offered(seat, taken[0], Reply(taken[1]))

    def offered(self, seat: int, kind: str, reply: Reply) -> list[Wanted]:
        """The reaction as it is offered now, if it is and the answer is legal."""
        return [Wanted(o, reply) for o in self.offers(seat) if o.kind == kind and o.allows(reply.answer)]

    async def hear(self, ask: Ask) -> Reply:
        """The reply of the seat that is asked, settled. Raises SeatDown, and nothing for what a seat did."""
        self._ask_ahead()
        view, offers = self.game.view(ask.seat), self.offers(ask.seat)
        player = self.players[ask.seat]
        came = self.early.pop(ask.seat, None)
        try:
            async with asyncio.timeout(getattr(player, "patience", self.patience)):
                if came is not None and came.ask == ask and came.knew == known(view):
                    reply = await came.task
                else:
                    reply = await player.reply(view, ask, offers)
        except SeatDown:
            raise
        except TimeoutError:
            return self.fallback(ask, Reply(None), "late")
        except Exception:
            log.info("seat %d failed at %s", ask.seat, ask.kind, exc_info=True)
            return self.fallback(ask, Reply(None), "error")
        return self.settled(ask, offers, reply)

    def _ask_ahead(self) -> None:
        """Ask now what will be asked later this night in any case, of players that take time and do not mind."""
        if self._looked == self.n:
            return
        self._looked = self.n
        if self.game.public.phase != "night":
            self.drop_early()
            return
        able = {seat for seat, player in self.players.items() if getattr(player, "early", False)}
        if not able - {ask.seat for ask in self.game.asks} - self.early.keys():
            return
        for ask in foreseen(self.game):
            if ask.seat in able and ask.seat not in self.early:
                view = self.game.view(ask.seat)
                task = asyncio.create_task(self._ahead(ask, view))
                self.early[ask.seat] = Ahead(ask, known(view), task)

    async def _ahead(self, ask: Ask, view: View) -> Reply:
        reply = await self.players[ask.seat].reply(view, ask, ())
        if self.keep_early is not None:
            self.keep_early(ask, reply)
        return reply

    def drop_early(self) -> None:
        """Early questions that were never asked."""
        for one in self.early.values():
            one.task.cancel()
        self.early.clear()

    def remember_early(self, ask: Ask, reply: Reply) -> None:
        """A reply that came early in the run before."""
        done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        done.set_result(reply)
        self.early[ask.seat] = Ahead(ask, known(self.game.view(ask.seat)), done)

    def hear_now(self, ask: Ask) -> Reply:
        """As `hear`, of a player that decides at once."""
        view, offers = self.game.view(ask.seat), self.offers(ask.seat)
        try:
            reply = decider(self.players[ask.seat]).decide(view, ask, offers)
        except Exception:
            log.info("seat %d failed at %s", ask.seat, ask.kind, exc_info=True)
            return self.fallback(ask, Reply(None), "error")
        return self.settled(ask, offers, reply)

    def settled(self, ask: Ask, offers: tuple[Ask, ...], reply: object) -> Reply:
        """The reply with a legal answer or a legal reaction, whatever it was."""
        if not isinstance(reply, Reply):
            return self.fallback(ask, Reply(None), "error")
        if reply.reaction is not None:
            kind, answer = reply.reaction
            if any(offer.kind == kind and offer.allows(answer) for offer in offers):
                return reply
            reply = msgspec.structs.replace(reply, reaction=None)
        if ask.allows(reply.answer):
            return reply
        return self.fallback(ask, reply, "illegal")

    def fallback(self, ask: Ask, reply: Reply, why: str) -> Reply:
        """The reply with a legal answer drawn for this seat and decision: the same one in every run."""
        answer = ask.random(Random(f"{self.game.setup.seed}:fallback:{self.n}:{ask.seat}"))
        return msgspec.structs.replace(reply, answer=answer, reaction=None, fallback=reply.fallback or why)

    # -- deciding

    def step(self) -> bool:
        """Take one reaction, else all the answers; write the decision and what came of it.

        Returns False, with nothing taken, if a reply is still missing. Raises RecordError if the sink cannot take the
        lines; they are then written with the next ones, or by `flush`.
        """
        line = self._react() or (None if self.missing() else self._answer())
        if line is None:
            return False
        self.replies.clear()
        self.volunteered = []
        self.count(line)
        self._write([line, *(event_lines(self.game, self.written) if self.sink else ())])
        return True

    def _react(self) -> DecisionLine | None:
        """The first reaction that is still legal: of those asked for, then of volunteers, then of the seats asked."""
        n, asks = self.n, self.game.asks
        for want in [*self.wanted, *self.volunteered, *self._instead()]:
            if want in self.wanted:
                self.wanted.remove(want)
            offer = want.offer
            if not self.offered(offer.seat, offer.kind, want.reply):
                continue
            self.game.react(offer.seat, offer.kind, want.reply.answer)
            got = [(ask, self.replies[ask.seat]) for ask in asks if ask.seat in self.replies]
            aside = [asked_of(ask, reply) for ask, reply in got if ask.seat != offer.seat or reply.reaction is None]
            return DecisionLine(n, (), asked_of(offer, want.reply), tuple(aside))
        return None

    def _instead(self) -> list[Wanted]:
        """Reactions in the replies of the seats asked, by ascending seat."""
        found: list[Wanted] = []
        for seat, reply in sorted(self.replies.items()):
            if reply.reaction is not None:
                kind, answer = reply.reaction
                found += self.offered(seat, kind, msgspec.structs.replace(reply, answer=answer, reaction=None))
        return found

    def _answer(self) -> DecisionLine:
        n, asks = self.n, self.game.asks
        self.game.answer({ask.seat: self.replies[ask.seat].answer for ask in asks})
        return DecisionLine(n, tuple(asked_of(ask, self.replies[ask.seat]) for ask in asks))

    def recall(self, asked: Asked) -> None:
        """Give a player back what its own seat thought, for one that can use it (players.base.Recalling)."""
        player = self.players.get(asked.ask.seat)
        if asked.reasoning and not asked.fallback and isinstance(player, Recalling):
            player.recall(asked.ask.seat, asked.reasoning)

    def count(self, line: DecisionLine) -> None:
        """Count what a decision took; for decisions of a record that is resumed as well."""
        every: list[Asked] = [*line.asked, *line.aside, *([line.reaction] if line.reaction else [])]
        self.fallbacks += sum(1 for asked in line.asked if asked.fallback)
        for asked in every:
            self.calls += len(asked.calls)
            self.faults.update(call.fault for call in asked.calls if call.fault)
            self.tokens = self.tokens.more(asked.calls)
            player = self.players.get(asked.ask.seat)
            if asked.fallback:
                self.substituted[asked.fallback] += 1
            if player is not None and player.kind == "model" and asked.ask.seat:  # a judge has its default to fall to
                row = self._useless.get(player.name, 0)
                self._useless[player.name] = row + 1 if asked.fallback else 0
                if not asked.fallback:
                    self._usable.add(player.name)

    def took(self, calls: tuple[Call, ...]) -> None:
        """Count calls that are no reply to an ask: the judge's own."""
        self.calls += len(calls)
        self.faults.update(call.fault for call in calls if call.fault)
        self.tokens = self.tokens.more(calls)

    # -- the record

    def begin(self) -> None:
        """Write the events of the setup, of a game that is new."""
        self._write(list(event_lines(self.game, self.written)) if self.sink else [])

    def finish(self, failure: str = "") -> Result:
        """Write the result, once."""
        self.drop_early()
        if self.result is None:
            outcome, days = self.game.outcome, min(self.game.public.day, self.max_days)
            failure = failure or self._failure
            spent = self.budget.spent(self.tokens) if self.budget else ""
            if failure:
                self.result = Result("failed", (), days, failure)
            elif outcome is not None:
                self.result = Result("finished", outcome.winners, days)
            elif spent:
                self.result = Result("unfinished", (), days, spent)
            else:
                self.result = Result("unfinished", (), days, f"no result after {self.max_days} days")
            self._write([self.result])
        return self.result

    def flush(self) -> None:
        """Write what a full sink has refused. Raises RecordError."""
        if self.unsaved and self.sink is not None:
            self.sink.write(self.unsaved)
        self.unsaved = []

    def _write(self, lines: list[Line]) -> None:
        if self.sink is None:
            return
        self.written = len(self.game.events)
        self.unsaved += lines
        self.flush()


class Decider(Protocol):
    """A player that answers at once, without an event loop."""

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask."""
        ...


def decider(player: object) -> Decider:
    """The player, known to decide at once."""
    return cast(Decider, player)
