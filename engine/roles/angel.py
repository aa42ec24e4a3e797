"""Angel 天使: wins when the first vote hits him (roles-3.md 8)."""

from collections.abc import Sequence

from engine.bits import seats_of
from engine.facts import Death, GameOver
from engine.flow import victory
from engine.rule import Role
from engine.rules.table import Win


class Angel(Role):
    """A camp of his own, compared as village, until vote 1 is over."""

    id = "angel"
    camp = "angel"
    village_power = False
    names = {"zh": "天使", "en": "angel", "ja": "天使"}

    def taken(self, seat: int) -> None:
        """The card taken on a later day has no chance left."""
        if self.s.day > 1:
            self.settle()

    def wins(self, window: str) -> bool:
        """Executed by an exile ballot of day 1."""
        s = self.s
        return any(
            death.by_day == 1 and death.cause == "vote" and not death.hidden
            for death in s.deaths
            if s.seats[death.seat].camp == self.camp
        )

    def executed(self, deaths: Sequence[Death]) -> None:
        """Alone, at once, before anybody else's win is looked for."""
        if self.wins("vote"):
            raise GameOver(victory.shared(self.s, self.opt(Win), self.camp, "vote"))

    def day_over(self) -> None:
        """The chance is gone, and with it a camp that might have kept others from winning."""
        if self.s.day == 1:
            self.settle()
            victory.check(self.s, "wave")

    def settle(self) -> None:
        """A plain villager."""
        s = self.s
        for seat in seats_of(s.camps.get(self.camp, 0)):
            s.join(seat, "village")
            s.reclass(seat, "plain")
        s.members.discard(self.camp)
