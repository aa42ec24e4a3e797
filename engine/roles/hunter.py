"""Hunter 猎人: shoots when he is out (roles.md 5)."""

from typing import ClassVar, Literal

from engine.asks import seat_ask
from engine.bits import EVERYONE
from engine.events import Event, Shot, registered
from engine.facts import Death
from engine.flow.deaths import chain
from engine.options import Options
from engine.rule import Flow, Role

CAUSES = (
    "bite", "extra-bite", "poison", "vote", "shot", "grief", "caught", "rust", "explode", "scapegoat", "curse",
    "razor", "fire", "event", "fascination", "lost-skill", "ruling",
)  # fmt: skip


class HunterOptions(Options):
    """After which causes he shoots, and when."""

    group: ClassVar[str] = "hunter"
    causes: tuple[str, ...] = CAUSES
    when: Literal["dawn", "at-once"] = "dawn"
    pass_: Literal["yes"] = "yes"


@registered
class HunterBlocked(Event, frozen=True, tag="hunter.blocked"):
    """A poisoned hunter learns that he may not shoot."""

    seat: int


class Hunter(Role):
    """His shot is public, kills at once and has its own chain."""

    id = "hunter"
    names = {"zh": "猎人", "en": "hunter", "ja": "ハンター"}

    def dealt(self) -> None:
        self.s.at_once = self.opt(HunterOptions).when == "at-once"

    def reacts(self, death: Death) -> Flow[None]:
        """The shot, if the cause allows it; "poisoned" means that poison is among the causes."""
        s, causes = self.s, self.opt(HunterOptions).causes
        if not death.held(self.id):
            return
        if "poison" in death.causes and "poison" not in causes:
            s.tell(death.seat, HunterBlocked(death.seat))
            return
        if death.cause not in causes:
            return
        living = s.present if s.phase == "night" else s.living
        mask = s.narrowed("hunter.shoot", death.seat, living & ~(1 << death.seat))
        if not mask:
            return
        target = (yield [seat_ask(death.seat, "hunter.shoot", mask, can_pass=True, seen=EVERYONE)]).get(death.seat)
        if not isinstance(target, int):
            s.emit(Shot((death.seat,)))
            return
        s.emit(Shot((death.seat, target)))
        yield from chain(s, [Death(target, ["shot"], after=death)])
