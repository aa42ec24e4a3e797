"""High villager 高级村民: proven good (roles-2.md 7)."""

from engine.bits import mask_of
from engine.events import Event, registered
from engine.rule import Role


@registered
class HighVillagerKnown(Event, frozen=True, tag="high-villager"):
    """This seat's card shows a villager on both sides."""

    seat: int


class HighVillager(Role):
    """Public at the deal; cupid may not link it."""

    id = "high-villager"
    cls = "plain"
    village_power = False
    names = {"zh": "高级村民", "en": "high villager", "ja": "模範村人"}

    def dealt(self) -> None:
        for seat in self.s.seats[1:]:
            if seat.role == self.id:
                self.taken(seat.number)

    def taken(self, seat: int) -> None:
        self.s.emit(HighVillagerKnown(seat))

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        if ask != "cupid.link":
            return mask
        return mask & ~mask_of([s.number for s in self.s.seats[1:] if s.role == self.id])
