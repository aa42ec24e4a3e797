"""Bakery 面包房: the baker may see a wolf go home (village.md 4)."""

from engine.bits import seats_of
from engine.rule import Flow
from engine.state import State
from engine.village.events import BakerSaw
from engine.village.options import BakerOptions
from engine.village.village import Building


class Bakery(Building):
    """Each night right after the wolves close their eyes; a baker who is a wolf sees nothing."""

    id = "bakery"
    steps = {"baker": "glimpse"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.awake = 0
        """The wolf seats that woke for the bite tonight."""

    def night_begins(self) -> None:
        self.awake = 0

    def wolves_done(self, pack: int) -> Flow[None]:
        """Who was up."""
        self.awake = pack
        yield from ()

    def glimpse(self) -> Flow[None]:
        """By chance one of those who were up, drawn by the seed."""
        s, baker = self.s, self.master()
        yield from ()
        if not baker or s.wolf_seats >> baker & 1:
            return
        seen = self.awake and s.chance("baker.glimpse", self.opt(BakerOptions).chance)
        s.tell(baker, BakerSaw(s.draw("baker.wolf", seats_of(self.awake)) if seen else None))
