"""What a game did while a case was played: per phase the asks, the offers, the events and the table at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from engine.asks import Answers, Ask
from engine.bits import seats_of
from engine.events import Event, Phase
from engine.game import Game
from engine.setup import Setup
from engine.state import State

EVENTS_WITHOUT_ASK = 20_000


class Problem(msgspec.Struct, frozen=True):
    """One thing in a case that did not hold. phase is empty when it is about the whole case."""

    phase: str
    what: str
    expected: str
    happened: str

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.phase, self.what) if part)
        return f"{where}: expected {self.expected}; happened: {self.happened}"


class Stuck(Exception):
    """The game goes round without ever asking anybody."""


@dataclass(frozen=True, slots=True)
class Table:
    """The hidden state at one moment, as far as cases speak of it."""

    living: tuple[int, ...]
    roles: dict[int, str]
    camps: dict[int, str]
    marks: dict[int, tuple[str, ...]]
    sheriff: int

    @classmethod
    def of(cls, s: State) -> Table:
        """The table as it is now."""
        marks = {
            seat.number: tuple(
                sorted(
                    [name for name, mask in s.marks.items() if mask >> seat.number & 1]
                    + (["powerless"] if seat.power is None else [])
                )
            )
            for seat in s.seats[1:]
        }
        seats = s.seats[1:]
        camps = {seat.number: seat.camp for seat in seats}
        return cls(seats_of(s.living), {seat.number: seat.role for seat in seats}, camps, marks, s.sheriff)


@dataclass(frozen=True, slots=True)
class Posed:
    """An ask as it was posed in a phase, with the number of its round; offers of reactions have round 1."""

    ask: Ask
    round: int = 1

    def fits(self, key: str) -> bool:
        """Whether a case's ask key (`day.vote`, `day.vote#2`) means this ask."""
        kind, _, number = key.partition("#")
        return self.ask.kind == kind and (not number or int(number) == self.round)


@dataclass(slots=True)
class PhaseRecord:
    """One phase that came. first, last: range of its events; table is None while it runs."""

    name: str
    first: int
    last: int = 0
    posed: list[Posed] = field(default_factory=list)
    offered: list[Posed] = field(default_factory=list)
    table: Table | None = None
    _asked: dict[str, tuple[int, set[int]]] = field(default_factory=dict)

    def pose(self, asks: Sequence[Ask]) -> None:
        """Asks posed together. A kind's next round begins when one of its seats is asked again."""
        for kind in dict.fromkeys(ask.kind for ask in asks):
            seats = {ask.seat for ask in asks if ask.kind == kind}
            number, before = self._asked.get(kind, (1, set()))
            if before & seats:
                number, before = number + 1, set()
            self._asked[kind] = number, before | seats
        self.posed += [Posed(ask, self._asked[ask.kind][0]) for ask in asks]

    def offer(self, asks: Sequence[Ask]) -> None:
        """Reactions offered beside the asks; each seat's first offer of a kind is kept."""
        known = {(posed.ask.kind, posed.ask.seat) for posed in self.offered}
        self.offered += [Posed(ask) for ask in asks if (ask.kind, ask.seat) not in known]

    def round_of(self, ask: Ask) -> int:
        """The round of an ask that is pending."""
        return next((p.round for p in reversed(self.posed) if (p.ask.kind, p.ask.seat) == (ask.kind, ask.seat)), 1)


class HeardLog(list[Event]):
    """A game's log that tells of each event before it is entered."""

    def __init__(self, heard: Callable[[Event], None]) -> None:
        super().__init__()
        self._heard = heard

    def append(self, event: Event) -> None:
        """One more event."""
        self._heard(event)
        super().append(event)


class Watch:
    """Listens to a game's events and cuts them into phases."""

    def __init__(self) -> None:
        self.phases: list[PhaseRecord] = []
        self.attached = False
        self.quiet_since = 0

    def attach(self, s: State) -> None:
        """Hear every event of this game before it is logged."""
        self.attached = True

        def heard(event: Event) -> None:
            if isinstance(event, Phase):
                self.close(s)
                name = event.name if event.name == "setup" else f"{event.name} {event.number}"
                self.phases.append(PhaseRecord(name, len(s.log)))
            if len(s.log) - self.quiet_since > EVENTS_WITHOUT_ASK:
                raise Stuck

        s.log = HeardLog(heard)

    def close(self, s: State) -> None:
        """The running phase ends here."""
        if self.phases and self.phases[-1].table is None:
            self.phases[-1].last, self.phases[-1].table = len(s.log), Table.of(s)


class WatchedGame(Game):
    """A game that a Watch hears from its first event on."""

    def __init__(self, setup: Setup, watch: Watch) -> None:
        self._watch = watch
        super().__init__(setup)

    def _advance(self, answers: Answers | None) -> None:
        if not self._watch.attached:
            self._watch.attach(self._s)
        self._watch.quiet_since = len(self._s.log)
        super()._advance(answers)
        if not self.asks:
            self._watch.close(self._s)
