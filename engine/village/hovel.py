"""Hovel 破房子: the quack gives back a power that was used (village.md 4)."""

from typing import cast

from engine.rule import Flow, Role
from engine.village.events import PowerBack, QuackHealed
from engine.village.options import QuackOptions
from engine.village.village import READY, SPENT, Anytime


class Hovel(Anytime):
    """Once: a spent house is ready again; by option also a used power of a role.

    With the option every seat may be named: a mask of those whose card is used up would tell what they hold.
    """

    id = "hovel"
    asks = "quack.heal"

    def targets(self, master: int) -> int:
        if self.opt(QuackOptions).roles:
            return self.s.living
        mask = 0
        for house in self.village.houses.values():
            if house.power == SPENT and not house.burnt:
                mask |= 1 << house.owner
        return mask

    def used(self, master: int, target: int) -> Flow[None]:
        s, home = self.s, self.village.home(target)
        s.emit(QuackHealed((master, target)))
        self.spend()
        if home is not None and home.power == SPENT:
            self.village.set_power(home.name, READY)
        elif self.opt(QuackOptions).roles:
            self.renew(target)
        yield from ()

    def renew(self, seat: int) -> None:
        """A used power of the seat's card is as new."""
        s, power = self.s, self.s.seats[seat].power
        if power is None or not cast(Role, s.rules[power]).once or s.seats[seat].kit == s.as_new(power):
            return
        s.seats[seat].kit = s.as_new(power)
        s.tell(seat, PowerBack(seat))
