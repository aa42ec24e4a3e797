"""Hybrid 混血: wins with the seat he supports (roles-2.md 14)."""

from collections.abc import Sequence

from engine.asks import Ask, seat_ask
from engine.rule import Flow, Role
from engine.state import State


class Hybrid(Role):
    """No power; his result is that of the supported seat's camp at the end."""

    id = "hybrid"
    cls = "plain"
    village_power = False
    names = {"zh": "混血儿", "en": "hybrid", "ja": "混血"}
    steps = {"hybrid": "support"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.supports: dict[int, int] = {}

    def support(self) -> Flow[None]:
        """After the lovers, not knowing of them; no pass."""
        yield from self.choose(self.s.holders(self.id))

    def choose(self, seats: Sequence[int]) -> Flow[None]:
        s = self.s
        asks: list[Ask] = [seat_ask(seat, "hybrid.support", s.present & ~(1 << seat)) for seat in seats]
        answers = (yield asks) if asks else {}
        for seat, target in answers.items():
            s.act("hybrid.support", seat, target)
            if isinstance(target, int):
                self.supports[seat] = target

    def night_opens(self) -> Flow[None]:
        """One who took the card later chooses in the next night."""
        yield from self.choose([seat for seat in self.s.holders(self.id) if seat not in self.supports])

    def result(self, seat: int, winners: Sequence[str]) -> bool | None:
        supported = self.supports.get(seat)
        if supported is None or self.s.seats[seat].role != self.id:
            return None
        return self.s.seats[supported].camp in winners
