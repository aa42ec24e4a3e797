"""Court 法院: the magistrate lodges vagabonds in vacant houses (village.md 4)."""

from engine.asks import choice_ask, flag_ask, seat_ask
from engine.bits import EVERYONE
from engine.rule import Flow
from engine.state import State
from engine.village.events import Lodging
from engine.village.village import Building


class Court(Building):
    """At the start of each day and right before the vote, as long as there are a vacant house and a vagabond for it."""

    id = "court"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.refused: dict[str, int] = {}
        """Who refused which house today."""

    def day_opens(self) -> Flow[None]:
        self.refused = {}
        yield from self.lodge()

    def day_ends(self) -> Flow[None]:
        yield from self.lodge()

    def guests(self, house: str) -> int:
        """The vagabonds who have not refused this house today."""
        return self.village.vagabonds & ~self.s.away & ~self.refused.get(house, 0)

    def lodge(self) -> Flow[None]:
        """House, guest, the guest's answer; then again, until the magistrate has nothing more."""
        while magistrate := self.master():
            houses = tuple(house for house in self.village.vacant if self.guests(house))
            if not houses:
                return
            ask = choice_ask(magistrate, "magistrate.house", houses, True, EVERYONE)
            house = (yield [ask]).get(magistrate)
            if not isinstance(house, str):
                return
            mask = self.guests(house)
            if mask and self.master():
                yield from self.offer(magistrate, house, mask)

    def offer(self, magistrate: int, house: str, mask: int) -> Flow[None]:
        """One house for one vagabond, who may refuse it."""
        guest = (yield [seat_ask(magistrate, "magistrate.guest", mask, False, EVERYONE)]).get(magistrate)
        if not isinstance(guest, int):
            # An away seat or one that a reaction has put out meanwhile: nobody was named, and it is not asked again.
            self.refused[house] = self.refused.get(house, 0) | mask
            return
        accepts = (yield [flag_ask(guest, "vagabond.accept", False, EVERYONE)]).get(guest) is True
        accepts = accepts and bool(self.guests(house) >> guest & 1)
        self.s.emit(Lodging(guest, house, accepts))
        if accepts:
            self.village.move_in(guest, house)
        else:
            self.refused[house] = self.refused.get(house, 0) | 1 << guest
