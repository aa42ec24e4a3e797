"""Castle 城堡: the lord has mercy once (village.md 4; stage 5 of the vote)."""

from engine.asks import flag_ask
from engine.bits import EVERYONE
from engine.events import NoElimination
from engine.facts import Death
from engine.rule import Flow
from engine.village.events import Begged, Mercy
from engine.village.village import Building


class Castle(Building):
    """A seat that the vote condemns may beg; the lord himself need not."""

    id = "castle"
    early = 40

    def condemned(self, death: Death) -> Flow[bool]:
        s, seat, lord = self.s, death.seat, self.master()
        if not lord:
            return False
        if seat != lord:
            begs = (yield [flag_ask(seat, "castle.beg", False, EVERYONE)]).get(seat) is True
            s.emit(Begged(seat, begs))
            if not begs:
                return False
        granted = (yield [flag_ask(lord, "lord.reprieve", False, EVERYONE)]).get(lord) is True
        s.emit(Mercy(seat, granted))
        if granted:
            self.spend()
            s.emit(NoElimination("reprieve"))
        return granted
