"""Bear tamer 驯熊师: the bear growls beside a wolf (roles-2.md 13)."""

from engine.bits import next_seat
from engine.events import Event, registered
from engine.rule import Role


@registered
class BearGrowl(Event, frozen=True, tag="bear.growl"):
    """Whether the bear growls this dawn; nobody is told whose it is."""

    heard: bool


class BearTamer(Role):
    """Neighbours are taken after the night's deaths."""

    id = "bear-tamer"
    names = {"zh": "驯熊师", "en": "bear tamer", "ja": "熊使い"}

    def dawns(self) -> None:
        s = self.s
        for seat in s.holders(self.id):
            beside = [next_seat(s.living, seat, s.size, step) for step in (1, -1)]
            s.emit(BearGrowl(any(other and s.wolf_seats >> other & 1 for other in beside)))
