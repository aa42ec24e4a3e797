"""Devoted servant 顺从的女仆: takes the card of one voted out (roles-2.md 15)."""

from engine.asks import flag_ask
from engine.bits import EVERYONE
from engine.events import Event, Seats, registered
from engine.facts import Death
from engine.rule import Flow, Role
from engine.rules.ruleset import roles


@registered
class Servant(Event, frozen=True, tag="servant"):
    """The servant turns her card and takes the condemned seat's: the servant first."""

    seats: Seats


class DevotedServant(Role):
    """The condemned goes without a role; she holds it as new."""

    id = "devoted-servant"
    early = 10
    names = {"zh": "顺从的女仆", "en": "devoted servant", "ja": "忠実な女中"}

    def condemned(self, death: Death) -> Flow[bool]:
        """Asked quietly; only a yes is public. A lover may not."""
        s, seat = self.s, death.seat
        for servant in s.holders(self.id):
            if servant == seat or death.hidden or s.marked("lover") >> servant & 1:
                continue
            if (yield [flag_ask(servant, "devoted-servant.take", seen=EVERYONE)]).get(servant) is True:
                s.turn(servant)
                s.emit(Servant((servant, seat)))
                death.hidden = True
                s.empower(seat, None, None)
                s.unmark("charmed", 1 << servant)
                s.change_card(servant, roles()[s.seats[seat].role])
        return False
