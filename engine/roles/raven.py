"""Raven 乌鸦: two votes against one seat (roles-2.md 6)."""

from engine.asks import seat_ask
from engine.events import Event, registered
from engine.facts import HALVES, Tally
from engine.rule import Flow, Role
from engine.state import State


@registered
class RavenCursed(Event, frozen=True, tag="raven.cursed"):
    """Two extra votes lie on this seat today."""

    seat: int


class Raven(Role):
    """Acts last; the curse counts in the day's first ballot only."""

    id = "raven"
    names = {"zh": "乌鸦", "en": "raven", "ja": "烏"}
    steps = {"raven": "curse"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.cursed: list[int] = []

    def night_begins(self) -> None:
        self.cursed = []
        self.s.unmark("raven-cursed")

    def curse(self) -> Flow[None]:
        s = self.s
        for seat in s.holders(self.id):
            mask = s.narrowed("raven.curse", seat, s.present & ~(1 << seat))
            target = (yield [seat_ask(seat, "raven.curse", mask, can_pass=True)]).get(seat) if mask else None
            s.act("raven.curse", seat, target)
            if isinstance(target, int):
                self.cursed.append(target)

    def dawns(self) -> None:
        for seat in self.cursed:
            self.s.mark("raven-cursed", 1 << seat)
            self.s.emit(RavenCursed(seat))

    def tallies(self, tally: Tally) -> None:
        """Void on a seat that cannot be voted for."""
        if not tally.first:
            return
        for seat in self.cursed:
            if self.s.narrowed("day.vote", 0, self.s.living & self.s.marked("raven-cursed")) >> seat & 1:
                tally.extra[seat] = tally.extra.get(seat, 0) + 2 * HALVES
