"""Guard 守卫: shields one seat a night from the wolves (roles-2.md 2)."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.asks import Ask, seat_ask
from engine.facts import Attack
from engine.options import Options
from engine.rule import Flow, Role


class GuardOptions(Options):
    """Whom a guard may protect, and what happens together with the antidote."""

    group: ClassVar[str] = "guard"
    repeat: Literal["no-consecutive", "once-per-target", "free"] = "no-consecutive"
    self: bool = True
    pass_: bool = True
    little_girl: Literal["counts", "void"] = "counts"
    soundproof: bool = False
    clash: Literal["saved", "dies"] = "saved"


@dataclass(slots=True)
class Watch:
    """What a guard did, as masks: last night's seat, all ever protected, all ever soundproofed."""

    last: int = 0
    ever: int = 0
    sound: int = 0

    def barred(self, repeat: str) -> int:
        """Whom the table's rule on repeating keeps him from."""
        return {"no-consecutive": self.last, "once-per-target": self.ever, "free": 0}[repeat]


class Guard(Role):
    """Protects before the wolves bite; a passed night lifts the bar on last night's seat."""

    id = "guard"
    names = {"zh": "守卫", "en": "guard", "ja": "騎士"}
    steps = {"guard": "protect"}
    early = 30

    def new_kit(self) -> Watch:
        return Watch()

    def protect(self) -> Flow[None]:
        """Each living guard names a seat, by the table's rule on repeating."""
        s, opt = self.s, self.opt(GuardOptions)
        asks: list[Ask] = []
        for seat in s.holders("guard"):
            watch = s.kit(seat, Watch)
            mask = s.present & ~watch.barred(opt.repeat) & ~(0 if opt.self else 1 << seat)
            mask = s.narrowed("guard.protect", seat, mask)
            if mask:
                asks.append(seat_ask(seat, "guard.protect", mask, can_pass=opt.pass_))
        answers = (yield asks) if asks else {}
        for seat, target in answers.items():
            s.act("guard.protect", seat, target)
            watch = s.kit(seat, Watch)
            watch.last = 0
            if isinstance(target, int):
                watch.last = 1 << target
                watch.ever |= watch.last
                s.intend("protect", seat, target)
        if self.opt(GuardOptions).soundproof and "piper" in s.rules:
            yield from self.soundproof()

    def soundproof(self) -> Flow[None]:
        """Besides, a seat that no charm reaches tonight; never the same seat twice."""
        s = self.s
        for seat in s.holders("guard"):
            watch = s.kit(seat, Watch)
            mask = s.present & ~watch.sound
            target = (yield [seat_ask(seat, "guard.soundproof", mask, can_pass=True)]).get(seat) if mask else None
            s.act("guard.soundproof", seat, target)
            if isinstance(target, int):
                watch.sound |= 1 << target
                s.intend("soundproof", seat, target)

    def shields(self, attack: Attack) -> bool | None:
        """Protected: the attack is void, unless an antidote meets it at a table where that kills."""
        s, bit = self.s, 1 << attack.target
        if not s.targets("protect") & bit:
            return None
        return not (s.targets("heal") & bit and self.opt(GuardOptions).clash == "dies")
