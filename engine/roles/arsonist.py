"""Arsonist 纵火者: sets fire to one building (village.md 5); only with buildings."""

from dataclasses import dataclass
from typing import cast

from engine.asks import choice_ask
from engine.bits import next_seat
from engine.facts import Attack, Death
from engine.flow.night import ATTACKS
from engine.rule import Flow, Role
from engine.state import State
from engine.village.village import Village

SAVED_FROM = ("bite", "extra-bite")
"""The attacks from which a fire saves the owner."""


@dataclass(slots=True)
class Torch:
    """The one fire."""

    lit: bool = False


class Arsonist(Role):
    """The fire saves its owner from the wolves and burns one of them; the house burns first of all at dawn."""

    id = "arsonist"
    names = {"zh": "纵火者", "en": "arsonist", "ja": "放火魔"}
    setting = "village"
    once = True
    steps = {"arsonist": "burn"}
    early = 50

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.fires: list[tuple[int, str, int]] = []
        """Tonight's fires: arsonist, house, and the seat that lived in it."""
        self.hit: list[int] = []
        """The arsonists whose fire met a wolf."""

    @property
    def village(self) -> Village:
        """The houses."""
        return cast(Village, self.s.rules[self.setting])

    def new_kit(self) -> Torch:
        return Torch()

    def night_begins(self) -> None:
        self.fires, self.hit = [], []

    def burn(self) -> Flow[None]:
        """Any building that is not burnt, his own too, once."""
        s = self.s
        for seat in s.holders(self.id):
            torch, houses = s.kit(seat, Torch), self.village.standing
            if torch.lit or not houses:
                continue
            house = (yield [choice_ask(seat, "arsonist.burn", houses, True)]).get(seat)
            s.act("arsonist.burn", seat, house)
            if isinstance(house, str):
                torch.lit = True
                self.fires.append((seat, house, self.village.owner(house)))

    def shields(self, attack: Attack) -> bool | None:
        """Bites on the owner are void before anything else is looked at: no life, guard or antidote is touched."""
        for arsonist, _, owner in self.fires:
            if owner == attack.target and self.chosen() >> owner & 1 and attack.cause in SAVED_FROM:
                if arsonist not in self.hit:
                    self.hit.append(arsonist)
                return True
        return None

    def chosen(self) -> int:
        """Whom the wolves really chose to bite tonight; another rule may have replaced the choice."""
        mask = 0
        for kind, cause in ATTACKS.items():
            if cause in SAVED_FROM:
                mask |= self.s.targets(kind)
        return mask

    def resolves(self, deaths: list[Death]) -> None:
        """The first wolf seat to the arsonist's right burns; one, however many came."""
        s = self.s
        for arsonist in self.hit:
            wolf = next_seat(s.wolf_seats & s.living & ~(1 << arsonist), arsonist, s.size, -1)
            struck = next((death for death in deaths if death.seat == wolf), None)
            if struck is not None:
                struck.causes.append("fire")
            elif wolf:
                deaths.append(Death(wolf, ["fire"]))

    def dawn_breaks(self) -> None:
        for _, house, _ in self.fires:
            if house in self.village.standing:
                self.village.burn(house)
        self.fires = []
