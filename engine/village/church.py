"""Church 教堂: the priest hears one confession (village.md 4)."""

from engine.rule import Flow
from engine.village.events import PriestCalled, PriestSaw
from engine.village.village import Anytime


class Church(Anytime):
    """Once: a seat shows the priest its card; everyone sees whom he called."""

    id = "church"
    asks = "priest.confess"

    def targets(self, master: int) -> int:
        return self.s.living

    def used(self, master: int, target: int) -> Flow[None]:
        s = self.s
        s.emit(PriestCalled((master, target)))
        for card in s.cards_of(target):
            s.tell(master, PriestSaw(target, card))
        self.spend()
        yield from ()
