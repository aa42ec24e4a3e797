"""Inn 酒吧: the innkeeper is safe from bites and ballots until he helps to condemn somebody (village.md 4)."""

from engine.facts import Death, Tally
from engine.rule import Flow
from engine.state import State
from engine.village.village import LOST, READY, Building

SPARED = frozenset({
    "werewolf.bite", "big-bad-wolf.bite", "white-wolf.bite", "widow-knife.bite", "werewolf.fascinate", "day.vote",
    "in-any-case.seat", "great-distrust.hands",
})  # fmt: skip
"""The asks in which nobody may name him while he has his card."""


class Inn(Building):
    """He votes first, openly and without abstaining; the seat he named is condemned: his immunity is gone."""

    id = "inn"
    early = 70

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.named = 0

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        return mask & ~(1 << self.safe()) if ask in SPARED else mask

    def safe(self) -> int:
        """The innkeeper whom nobody may name; one who fell tonight is still not named, or the masks would tell."""
        house = self.village.houses[self.id]
        return house.owner if house.power == READY and not house.burnt and self.s.present >> house.owner & 1 else 0

    def votes_first(self, voters: int) -> int:
        return voters & 1 << self.master()

    def abstains(self, voters: int) -> int:
        return voters & ~(1 << self.master())

    def vote_opens(self) -> Flow[None]:
        self.named = 0
        yield from ()

    def tallies(self, tally: Tally) -> None:
        """Of several ballots the last one counts."""
        self.named = tally.ballots.get(self.master()) or 0

    def condemned(self, death: Death) -> Flow[bool]:
        """Even if the seat is spared after all."""
        yield from ()
        if self.named and death.seat == self.named and self.master():
            self.spend(LOST)
        return False
