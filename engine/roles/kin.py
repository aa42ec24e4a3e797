"""Two sisters 两姐妹 and three brothers 三兄弟 (roles-2.md 8)."""

from typing import ClassVar

from pydantic import Field

from engine.asks import text_ask
from engine.bits import JUDGE, mask_of, seats_of
from engine.events import Event, Seats, registered
from engine.facts import Tally
from engine.options import Options
from engine.rule import Flow, Role
from engine.state import State


class KinOptions(Options):
    """Whether they confer at night."""

    group: ClassVar[str] = "kin"
    talk_rounds: int = Field(1, ge=0, le=1)


@registered
class SistersMeet(Event, frozen=True, tag="sisters.meet"):
    """The sisters learn each other."""

    seats: Seats


@registered
class BrothersMeet(Event, frozen=True, tag="brothers.meet"):
    """The brothers learn each other."""

    seats: Seats


@registered
class KinTalk(Event, frozen=True, tag="kin.talk"):
    """One of the group speaks to the others at night."""

    seat: int
    text: str


class Kin(Role):
    """A group of single siblings that know each other and must vote alike."""

    meeting: ClassVar[type[SistersMeet] | type[BrothersMeet]]
    talk_kind: ClassVar[str]

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.known = 0

    def single(self) -> int:
        """The group: those without a lover, by day and night."""
        return mask_of(self.s.holders(self.id)) & ~self.s.marked("lover")

    def meet(self) -> Flow[None]:
        """They open their eyes once; a single one alone meets nobody."""
        group = self.single()
        if group.bit_count() > 1:
            self.known = group
            self.s.emit(self.meeting(seats_of(group)), group | JUDGE)
        yield from ()

    def confer(self) -> Flow[None]:
        """One round of talk while two or more are left; who has come or gone otherwise than by death they see first."""
        s, group = self.s, self.single()
        if group != self.known & s.living and (self.known or group.bit_count() > 1) and group:
            s.emit(self.meeting(seats_of(group)), group | JUDGE)
        self.known = group
        if group.bit_count() < 2:
            return
        for _ in range(self.opt(KinOptions).talk_rounds):
            for seat in seats_of(group):
                text = (yield [text_ask(seat, self.talk_kind, group)]).get(seat)
                if text:
                    s.emit(KinTalk(seat, str(text)), group | JUDGE)

    def tallies(self, tally: Tally) -> None:
        """Unequal ballots of the group are void, all of them."""
        cast = [seat for seat in seats_of(self.single()) if seat in tally.ballots]
        if len(cast) > 1 and len({tally.ballots[seat] for seat in cast}) > 1:
            tally.voids.update(cast)


class Sister(Kin):
    """One of two sisters."""

    id = "sister"
    exactly = 2
    names = {"zh": "两姐妹", "en": "sister", "ja": "姉妹"}
    steps = {"sisters": "meet", "sisters-talk": "confer"}
    meeting = SistersMeet
    talk_kind = "sisters.talk"


class Brother(Kin):
    """One of three brothers."""

    id = "brother"
    exactly = 3
    names = {"zh": "三兄弟", "en": "brother", "ja": "兄弟"}
    steps = {"brothers": "meet", "brothers-talk": "confer"}
    meeting = BrothersMeet
    talk_kind = "brothers.talk"
