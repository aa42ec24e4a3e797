"""A record as it can be looked at from any seat, up to any of its events."""

from __future__ import annotations

from engine.bits import EVERYONE
from engine.events import Event, Phase
from engine.game import Game
from engine.views import View
from judge.record import Record


class Tape:
    """counts: how many events there were after so many decisions."""

    def __init__(self, record: Record) -> None:
        """Raises RecordError if the record does not fit these rules."""
        from judge.record import verify

        self.record = record
        self.game = verify(record)
        self.setup = record.header.setup
        game = Game(self.setup)
        self.counts = [len(game.events)]
        for decision in self.game.decisions:
            game.apply(decision)
            self.counts.append(len(game.events))

    @property
    def size(self) -> int:
        """How many events there are."""
        return len(self.game.events)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people took."""
        return tuple(sitter.seat for sitter in self.record.header.players if sitter.kind == "human")

    @property
    def secret(self) -> bool:
        """Whether somebody still plays this game, who may not look at the others' cards."""
        return self.record.result is None and bool(self.people)

    def places(self) -> tuple[int | None, ...]:
        """From where it may be looked at: the public first, the seats, the judge."""
        if self.secret:
            return (None, *(self.people if len(self.people) == 1 else ()))
        return (None, *range(1, self.setup.size + 1), 0)

    def sees(self, seat: int | None, at: int) -> bool:
        """Whether that place learned of an event."""
        to = self.game.audiences[at]
        return to == EVERYONE or (seat is not None and bool(to >> seat & 1))

    def stops(self, seat: int | None) -> list[int]:
        """After how many events there is something new for that place."""
        return [at + 1 for at in range(self.size) if self.sees(seat, at)]

    def phases(self, seat: int | None) -> list[int]:
        """After how many events each phase has begun."""
        return [stop for stop in self.stops(seat) if isinstance(self.game.events[stop - 1], Phase)]

    def view(self, seat: int | None, upto: int) -> View:
        """What that place knew after so many events."""
        view = View(seat, self.setup)
        view.read(self.game.events[:upto], self.game.audiences[:upto])
        return view

    def told(self, seat: int | None, start: int, upto: int) -> list[tuple[Event, bool]]:
        """The events of a stretch that reached that place, and whether they were private."""
        log, to = self.game.events, self.game.audiences
        return [(log[at], to[at] != EVERYONE) for at in range(start, upto) if self.sees(seat, at)]

    def decisions(self, upto: int) -> int:
        """How many decisions had been taken when so many events had happened."""
        return sum(count <= upto for count in self.counts[1:])
