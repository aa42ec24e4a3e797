"""Barbershop 理发店: the barber's razor (village.md 4)."""

from engine.facts import Death
from engine.flow import victory
from engine.flow.deaths import chain
from engine.rule import Flow
from engine.village.events import Shaved
from engine.village.village import SPENT, Anytime


class Barbershop(Anytime):
    """The named seat is out at once. A wolf seat: he may go on. Any other: he is out too, after what its death brings.

    A win is looked for when all of them are out; then the badge passes on, and the day goes on.
    """

    id = "barbershop"
    asks = "barber.shave"

    def targets(self, master: int) -> int:
        return self.village.settled

    def used(self, master: int, target: int) -> Flow[None]:
        s = self.s
        was_wolf = s.wolf_seats >> target & 1
        s.emit(Shaved((master, target)))
        death = Death(target, ["razor"])
        deaths = yield from chain(s, [death])
        if not was_wolf:
            self.village.houses[self.id].power = SPENT
            deaths = [*deaths, *(yield from chain(s, [Death(master, ["razor"], after=death)]))]
        victory.check(s, "event")
        for hook in s.on.after_chain:
            yield from hook(deaths)
