"""Infecting wolf 种狼: turns a seat instead of the bite (roles-3.md 2)."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from engine.asks import seat_ask
from engine.bits import JUDGE, seats_of
from engine.events import Event, registered
from engine.facts import Death
from engine.flow.deaths import chain
from engine.options import Options
from engine.roles.werewolf import PackInfect
from engine.rule import Flow, Role
from engine.state import State


class InfectingWolfOptions(Options):
    """How often."""

    group: ClassVar[str] = "infecting-wolf"
    uses: int = Field(1, ge=1, le=9)


@registered
class Infected(Event, frozen=True, tag="infected"):
    """Somebody was infected last night."""


@registered
class InfectedYou(Event, frozen=True, tag="infected.you"):
    """This seat was infected and wakes with the pack from now on."""

    camp_now = "wolves"


@dataclass(slots=True)
class Venom:
    """How often the wolf has used it."""

    used: int = 0


class InfectingWolf(Role):
    """Conversion at resolution: no bite, so neither guard nor antidote nor lives stop it."""

    id = "infecting-wolf"
    camp = "wolves"
    cls = "wolf"
    wolf_card = True
    village_power = False
    early = 5
    names = {"zh": "种狼", "en": "infecting wolf", "ja": "人狼の祖"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.turned = 0

    def new_kit(self) -> Venom:
        return Venom()

    def wolves_done(self, pack: int) -> Flow[None]:
        """After the ballots; used, tonight's bite is void."""
        s = self.s
        for seat in s.holders(self.id):
            mask = s.present & ~pack
            awake, venom = pack >> seat & 1, s.kit(seat, Venom)
            if not awake or venom.used >= self.opt(InfectingWolfOptions).uses or not mask or s.targets("infect"):
                continue
            target = (yield [seat_ask(seat, "infecting-wolf.infect", mask, True, pack)]).get(seat)
            if isinstance(target, int):
                venom.used += 1
                s.emit(PackInfect(target), pack | JUDGE)
                s.acts = [act for act in s.acts if act.kind not in ("bite", "caught")]
                s.intend("infect", seat, target)

    def converts(self) -> Flow[None]:
        """Camp wolves, its own power gone for good; a revealed idiot is out."""
        s = self.s
        for seat in seats_of(s.targets("infect") & s.living):
            s.turn_wolf(seat)
            s.empower(seat, None, None)
            s.mark("infected", 1 << seat)
            s.unaware |= 1 << seat
            self.turned |= 1 << seat
            s.stirred = True
            if s.marked("revealed") >> seat & 1:
                yield from chain(s, [Death(seat, ["lost-skill"])])

    def dawns(self) -> None:
        """Told without a seat; the seat itself is told alone."""
        s = self.s
        if self.turned:
            s.unaware &= ~self.turned
            s.emit(Infected())
            for seat in seats_of(self.turned & s.living):
                s.tell(seat, InfectedYou())
            self.turned = 0
