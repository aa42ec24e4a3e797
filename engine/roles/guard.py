"""Guard 守卫: shields one seat a night from the wolves (roles-2.md 2)."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from engine.asks import Ask, seat_ask
from engine.options import Options
from engine.rule import Flow, Role
from engine.state import Attack


class GuardOptions(Options):
    """Whom a guard may protect, and what happens together with the antidote."""

    group: ClassVar[str] = "guard"
    repeat: Literal["no-consecutive", "once-per-target", "free"] = "no-consecutive"
    self: bool = True
    pass_: bool = True
    little_girl: Literal["counts", "void"] = "counts"
    clash: Literal["saved", "dies"] = "saved"


@dataclass(slots=True)
class Watch:
    """What a guard did: last night's seat and all seats ever protected, as masks."""

    last: int = 0
    ever: int = field(default=0)


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
            barred = {"no-consecutive": watch.last, "once-per-target": watch.ever, "free": 0}[opt.repeat]
            mask = s.present & ~barred & ~(0 if opt.self else 1 << seat)
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

    def shields(self, attack: Attack) -> bool | None:
        """Protected: the attack is void, unless an antidote meets it at a table where that kills."""
        s, bit = self.s, 1 << attack.target
        if not s.targets("protect") & bit:
            return None
        return not (s.targets("heal") & bit and self.opt(GuardOptions).clash == "dies")
