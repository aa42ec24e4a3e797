"""Elder 长老: two lives against the wolves; his fall takes the village's powers (roles-2.md 1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from engine.bits import seats_of
from engine.events import Event, registered
from engine.facts import Attack, Death
from engine.options import Options
from engine.rule import Role
from engine.rules.ruleset import roles

LISTED = frozenset({"seer", "witch", "hunter", "guard", "idiot"})


class ElderOptions(Options):
    """Which causes make his fall, who loses, and whether it is told."""

    group: ClassVar[str] = "elder"
    loss_causes: tuple[str, ...] = ("vote", "poison", "shot")
    loss_roles: Literal["all", "listed"] = "all"
    public: bool = False


@registered
class VillagePowerless(Event, frozen=True, tag="village.powerless"):
    """The village's special roles have lost their powers."""


@dataclass(slots=True)
class Lives:
    """Lives left against the wolves."""

    left: int = 2


class Elder(Role):
    """Two attacks in one night are two; he is told nothing of a lost life."""

    id = "elder"
    names = {"zh": "长老", "en": "elder", "ja": "長老"}
    early = 20

    def new_kit(self) -> Lives:
        return Lives()

    def shields(self, attack: Attack) -> bool | None:
        """The first effective bite costs a life, antidote or not."""
        here = self.s.seats[attack.target]
        if here.power != self.id or attack.cause == "caught":
            return None
        lives = self.s.kit(attack.target, Lives)
        if lives.left < 2:
            return None
        lives.left -= 1
        return True

    def returned(self, seat: int) -> None:
        """Saved by the witch he has one life."""
        if self.s.seats[seat].power == self.id:
            self.s.kit(seat, Lives).left = 1

    def falls(self, deaths: Iterable[Death]) -> bool:
        """Whether an elder is out by a cause that the village pays for."""
        causes = self.opt(ElderOptions).loss_causes
        return any(death.power == self.id and death.cause in causes for death in deaths)

    def follows(self, wave: Sequence[Death]) -> Iterable[Death]:
        """A revealed idiot goes with the elder."""
        if self.falls(wave):
            for seat in seats_of(self.s.marked("revealed") & self.s.living):
                yield Death(seat, ["lost-skill"])

    def chain_over(self, deaths: Sequence[Death]) -> None:
        """After the whole chain the village's powers are gone for good."""
        s = self.s
        if s.lost_powers or not self.falls(deaths):
            return
        opt = self.opt(ElderOptions)
        s.lost_powers = frozenset(id for id, card in roles().items() if self.takes(card))
        if opt.public:
            s.emit(VillagePowerless())
        self.strip(s.living & s.camps.get("village", 0))

    def strip(self, seats: int) -> None:
        """These seats lose the powers that go with him."""
        s = self.s
        for seat in seats_of(seats):
            power = s.seats[seat].power
            if power is not None and self.takes(roles()[power]):
                s.lose_power(seat)

    def takes(self, card: type[Role]) -> bool:
        """Whether this card's power goes with him."""
        listed = self.opt(ElderOptions).loss_roles == "listed"
        return card.village_power and (card.id in LISTED if listed else True)
