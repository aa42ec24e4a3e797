"""April fools: powers change hands for a round, and lovers must hate each other (new-moon.md 27)."""

from __future__ import annotations

from engine.bits import mask_of
from engine.events import Event, registered
from engine.new_moon.card import Card, voters_now
from engine.rule import Flow
from engine.state import State

PAIRS = (("witch", "seer"), ("hunter", "little-girl"), ("guard", "elder"))
"""Who exchanges with whom."""


@registered
class Exchanged(Event, frozen=True, tag="april-fools"):
    """For this round the seat exercises another card's power, with what that has left."""

    role: str


class AprilFools(Card):
    """The powers move with their stock and come back with what is left of it."""

    id = "event.april-fools"
    lasts = "round"
    open_condition = False
    silences = frozenset({("lovers", "narrows")})

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.moved: list[tuple[int, str, str, object]] = []
        """(seat, own power, power held for the round, own stock)."""
        self.day = state.day

    @classmethod
    def pairs(cls, s: State) -> list[tuple[int, int]]:
        """The seats that exchange: both living, neither a wolf seat nor asleep, neither with a second power to lose."""
        barred = s.wolf_seats | s.asleep | s.marked("hypnotised") | mask_of([x.number for x in s.seats if x.also])
        found: list[tuple[int, int]] = []
        for one, other in PAIRS:
            free = ([seat for seat in s.holders(power) if not barred >> seat & 1] for power in (one, other))
            found += zip(*free, strict=False)
        return found

    @classmethod
    def playable(cls, s: State) -> bool:
        return bool(cls.pairs(s)) or (s.marked("lover") & s.living).bit_count() >= 2

    def play(self) -> Flow[None]:
        """Each takes the other's power; each is told what it holds."""
        yield from ()
        s = self.s
        s.grieving = False
        for one, other in self.pairs(s):
            left, right = s.seats[one], s.seats[other]
            mine, theirs = (left.power or "", left.kit), (right.power or "", right.kit)
            s.empower(one, *theirs)
            s.empower(other, *mine)
            self.moved += [(one, mine[0], theirs[0], mine[1]), (other, theirs[0], mine[0], theirs[1])]
            s.tell(one, Exchanged(theirs[0]))
            s.tell(other, Exchanged(mine[0]))

    def over(self) -> None:
        """Who still holds the other's power has its own again."""
        s = self.s
        s.grieving = True
        for seat, own, held, kit in self.moved:
            if s.seats[seat].power == held:
                s.empower(seat, own, kit)

    # -- lovers

    def at_odds(self) -> int:
        """The living lovers, where both may vote today: they must vote for each other."""
        s = self.s
        pair = s.marked("lover") & s.living
        both = s.day == self.day and pair.bit_count() == 2 and voters_now(s) & pair == pair
        return pair if both else 0

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        """In the vote only the other lover; elsewhere the lovers' bond stands."""
        pair = self.at_odds() if ask == "day.vote" and seat else 0
        if pair >> seat & 1:
            other = pair & ~(1 << seat)
            return mask & other or mask
        bond = self.s.rules.get("lovers")
        return bond.narrows(ask, seat, mask) if bond is not None else mask

    def abstains(self, voters: int) -> int:
        return voters & ~self.at_odds()


__all__ = ["AprilFools"]
