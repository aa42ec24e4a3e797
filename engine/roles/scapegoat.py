"""Scapegoat 替罪羊: dies for a tie and says who may not vote next day (roles-2.md 4)."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from engine.asks import several_ask
from engine.bits import EVERYONE, mask_of
from engine.events import Event, Seats, registered
from engine.facts import Death, Tally
from engine.options import Options
from engine.rule import Flow, Role
from engine.state import State


class ScapegoatOptions(Options):
    """How many he may bar."""

    group: ClassVar[str] = "scapegoat"
    ban: Literal["up-to-3", "any-set", "up-to-1"] = "up-to-3"


@registered
class Banned(Event, frozen=True, tag="banned"):
    """These seats may not vote tomorrow."""

    seats: Seats


class Scapegoat(Role):
    """In a vote's first ballot, before any revote or sheriff's decision."""

    id = "scapegoat"
    early = 10  # his ban comes before the badge passes
    names = {"zh": "替罪羊", "en": "scapegoat", "ja": "スケープゴート"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.barred, self.on = 0, 0

    def tied(self, tied: int, tally: Tally) -> Flow[Death | None]:
        """He is out, the tied stay."""
        yield from ()
        holders = [seat for seat in self.s.holders(self.id) if not self.s.away >> seat & 1]
        return Death(holders[0], ["scapegoat"]) if holders else None

    def after_chain(self, deaths: Sequence[Death]) -> Flow[None]:
        """The ban, as he leaves."""
        s = self.s
        for death in deaths:
            if death.cause != "scapegoat" or not death.held(self.id) or not s.living:
                continue
            living = s.living.bit_count()
            most = {"up-to-3": 3, "up-to-1": 1, "any-set": living - 1}[self.opt(ScapegoatOptions).ban]
            if most < 1:
                continue
            ask = several_ask(death.seat, "scapegoat.ban", s.living, 1, min(most, living), True, EVERYONE)
            answer = (yield [ask]).get(death.seat)
            if isinstance(answer, tuple):
                self.barred, self.on = mask_of([int(seat) for seat in answer]), s.day + 1
                s.emit(Banned(tuple(sorted(int(seat) for seat in answer))))

    def votes(self, voters: int) -> int:
        return voters & ~self.barred if self.s.day == self.on else voters
