"""Angel 天使: wins when the first vote hits him (roles-3.md 8)."""

from collections.abc import Sequence

from engine.bits import seats_of
from engine.rule import Role
from engine.state import Death, GameOver


class Angel(Role):
    """A camp of his own, compared as village, until vote 1 is over."""

    id = "angel"
    camp = "angel"
    village_power = False
    names = {"zh": "天使", "en": "angel", "ja": "天使"}

    def executed(self, deaths: Sequence[Death]) -> None:
        """Executed by an exile ballot of day 1: alone, at once."""
        s = self.s
        for death in deaths:
            chance = s.day == 1 and death.cause == "vote" and death.power == self.id
            if chance and s.seats[death.seat].camp == self.camp:
                raise GameOver((self.camp,))

    def day_over(self) -> None:
        """The chance is gone: a plain villager."""
        s = self.s
        if s.day != 1:
            return
        for seat in seats_of(s.camps.get(self.camp, 0)):
            s.join(seat, "village")
            s.reclass(seat, "plain")
        s.members.discard(self.camp)
