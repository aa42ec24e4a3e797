"""The Japanese cards: medium 霊能者, bodyguard 狩人, mason 共有者, madman 狂人, fox spirit 妖狐 (roles-3.md 12)."""

from typing import ClassVar

from engine.asks import Ask, seat_ask
from engine.bits import JUDGE, mask_of, seats_of
from engine.events import Event, Seats, registered
from engine.facts import Attack, Death
from engine.flow import victory
from engine.options import Options
from engine.rule import Flow, Role
from engine.rules.table import Win


class BodyguardOptions(Options):
    """Whom a bodyguard may protect."""

    group: ClassVar[str] = "bodyguard"
    self: bool = False
    pass_: bool = False


@registered
class MediumResult(Event, frozen=True, tag="medium.result"):
    """Whether the seat executed yesterday was a wolf."""

    seat: int
    result: str


@registered
class MasonsMeet(Event, frozen=True, tag="masons.meet"):
    """The masons learn each other."""

    seats: Seats


class Medium(Role):
    """Learns of executions by vote, and only of yesterday's."""

    id = "medium"
    names = {"zh": "灵能者", "en": "medium", "ja": "霊能者"}
    steps = {"medium": "learn"}

    def learn(self) -> Flow[None]:
        s = self.s
        yesterday = [death for death in s.deaths if death.by_day == s.day - 1 and death.cause == "vote"]
        executed = [death for death in yesterday if not s.present >> death.seat & 1]  # not brought back since
        for seat in s.holders(self.id):
            for death in executed:
                result = "wolf" if s.wolf_seats >> death.seat & 1 else "not-wolf"
                s.tell(seat, MediumResult(death.seat, result))
        yield from ()


class Bodyguard(Role):
    """Shields a seat from the bite; not from the curse."""

    id = "bodyguard"
    early = 30
    names = {"zh": "猎人（日）", "en": "bodyguard", "ja": "狩人"}
    steps = {"bodyguard": "protect"}

    def protect(self) -> Flow[None]:
        s, opt = self.s, self.opt(BodyguardOptions)
        asks: list[Ask] = [
            seat_ask(seat, "bodyguard.protect", mask, can_pass=opt.pass_)
            for seat in s.holders(self.id)
            if (mask := s.present & ~(0 if opt.self else 1 << seat))
        ]
        answers = (yield asks) if asks else {}
        for seat, target in answers.items():
            s.act("bodyguard.protect", seat, target)
            if isinstance(target, int):
                s.intend("bodyguard", seat, target)

    def shields(self, attack: Attack) -> bool | None:
        return True if self.s.targets("bodyguard") >> attack.target & 1 else None


class Mason(Role):
    """Two who know each other."""

    id = "mason"
    exactly = 2
    names = {"zh": "共有者", "en": "mason", "ja": "共有者"}
    steps = {"masons": "meet"}

    def meet(self) -> Flow[None]:
        group = mask_of(self.s.holders(self.id))
        if group:
            self.s.emit(MasonsMeet(seats_of(group)), group | JUDGE)
        yield from ()


class Madman(Role):
    """A human who wins with the wolves and does not know them."""

    id = "madman"
    camp = "wolves"
    cls = "none"
    village_power = False
    names = {"zh": "狂人", "en": "madman", "ja": "狂人"}


class FoxSpirit(Role):
    """Bites do not hurt it, a seer's check kills it; counted as nothing."""

    id = "fox-spirit"
    in_place = True
    camp = "fox"
    cls = "nothing"
    village_power = False
    names = {"zh": "妖狐", "en": "fox spirit", "ja": "妖狐"}

    def shields(self, attack: Attack) -> bool | None:
        return True if self.s.seats[attack.target].power == self.id else None

    def wins(self, window: str) -> bool:
        """It lives when village or wolves would win."""
        s = self.s
        me, living = s.camps.get(self.camp, 0) & s.living, s.living
        if not me:
            return False
        win, pair = s.opt(Win), s.camps.get("lovers", 0) & living
        s.living &= ~me  # it is not counted
        alone = not s.living or (win.village == "last-camp" and not s.wolf_seats & s.living)
        by_day = window != "night" and (alone or victory.village_wins(s, win, pair))
        met = by_day or victory.wolves_win(s, win, pair)
        s.living = living
        return met

    def lost(self) -> bool:
        return not self.s.camps.get(self.camp, 0) & self.s.living

    def resolves(self, deaths: list[Death]) -> None:
        """The curse of tonight's checks."""
        s = self.s
        for seat in seats_of(s.targets("check") & mask_of(s.holders(self.id))):
            struck = next((death for death in deaths if death.seat == seat), None)
            if struck is None:
                deaths.append(Death(seat, ["curse"]))
            else:
                struck.causes.append("curse")
