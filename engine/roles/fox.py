"""Fox 狐狸: sniffs three neighbours (roles-2.md 9)."""

from engine.asks import seat_ask
from engine.bits import next_seat
from engine.events import Event, registered
from engine.rule import Flow, Role


@registered
class FoxResult(Event, frozen=True, tag="fox.result"):
    """Whether the seat or one of its two nearest neighbours is a wolf seat."""

    seat: int
    wolf: bool


class Fox(Role):
    """A clean sniff costs the power for good."""

    id = "fox"
    fewest_seats = 18
    names = {"zh": "狐狸", "en": "fox", "ja": "狐"}
    steps = {"fox": "sniff"}

    def sniff(self) -> Flow[None]:
        s = self.s
        for seat in s.holders(self.id):
            target = (yield [seat_ask(seat, "fox.sniff", s.present, can_pass=True)]).get(seat)
            s.act("fox.sniff", seat, target)
            if not isinstance(target, int):
                continue
            left, right = (next_seat(s.present, target, s.size, step) for step in (1, -1))
            found = bool(s.wolf_seats & (1 << target | 1 << left | 1 << right) & ~1)
            s.tell(seat, FoxResult(target, found))
            if not found:
                s.empower(seat, None, None)
