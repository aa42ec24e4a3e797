"""Rumour-monger 谣言散布者: a mark at a door counts two votes (village.md 5); only with buildings."""

from collections.abc import Sequence
from typing import cast

from engine.asks import seat_ask
from engine.events import Event, registered
from engine.facts import HALVES, Death, Tally
from engine.rule import Flow, Role
from engine.state import State
from engine.village.village import Village

MARK = "rumour"


@registered
class Rumour(Event, frozen=True, tag="rumour"):
    """The mark lies at this seat's door today."""

    seat: int


class RumourMonger(Role):
    """Acts last; the mark counts in the day's first ballot only and goes when the vote is over."""

    id = "rumour-monger"
    names = {"zh": "谣言散布者", "en": "rumour-monger", "ja": "噂を流す者"}
    setting = "village"
    steps = {"rumour-monger": "mark"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.doors: list[int] = []

    def night_begins(self) -> None:
        self.wipe()

    def mark(self) -> Flow[None]:
        """Another seat with a house."""
        s = self.s
        for seat in s.holders(self.id):
            mask = s.narrowed("rumour-monger.mark", seat, s.present & ~(1 << seat))
            target = (yield [seat_ask(seat, "rumour-monger.mark", mask, can_pass=True)]).get(seat) if mask else None
            s.act("rumour-monger.mark", seat, target)
            if isinstance(target, int):
                self.doors.append(target)

    def dawns(self) -> None:
        """A house that has just burnt down has no door, and before the house of the dead the mark means nothing."""
        s, settled = self.s, cast(Village, self.s.rules[self.setting]).settled
        self.doors = [seat for seat in self.doors if s.living & settled & 1 << seat]
        for seat in self.doors:
            s.mark(MARK, 1 << seat)
            s.emit(Rumour(seat))

    def tallies(self, tally: Tally) -> None:
        """Void on a seat that cannot be voted for."""
        if not tally.first:
            return
        for seat in self.doors:
            if self.s.narrowed("day.vote", 0, self.s.living) >> seat & 1:
                tally.extra[seat] = tally.extra.get(seat, 0) + 2 * HALVES

    def dusk(self, deaths: Sequence[Death]) -> Flow[None]:
        self.wipe()
        yield from ()

    def day_over(self) -> None:
        self.wipe()

    def wipe(self) -> None:
        """The mark goes."""
        self.doors = []
        self.s.unmark(MARK)
