"""The Village (village.md 2 and 3): the deal of the houses, who lives where, what each house has left."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from engine.asks import Answer, Ask
from engine.bits import EVERYONE
from engine.options import OptionSet, is_on
from engine.rule import Flow, Rule
from engine.state import State
from engine.village.cards import AUTO, DEALT, VAGABOND, kind_of, numbered, why_not
from engine.village.events import HouseBurnt, HouseNow, HousePower, Houses
from engine.village.options import VillageOptions

if TYPE_CHECKING:
    from engine.setup import Setup

READY, SPENT, LOST = "ready", "spent", "lost"


@dataclass(slots=True)
class House:
    """One house. owner: who lives there, or lived there last; vacant when that seat is out."""

    name: str
    owner: int
    power: str = READY
    burnt: bool = False


class Village(Rule):
    """Who lives where. The buildings are rules of their own and ask here."""

    id = "village"
    early = 100

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.houses: dict[str, House] = {}
        self.open = False
        """Whether powers that may be used at any time of the day may be used now."""
        self.balloting = False

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return is_on(options, cls.id)

    @classmethod
    def refuses(cls, setup: Setup, options: OptionSet) -> str:
        if not is_on(options, cls.id):
            return "houses are dealt only with the option village" if setup.houses else ""
        if not setup.houses:
            cards = cast(VillageOptions, options[VillageOptions]).cards
            seats = setup.size
            return f"option village.cards names {len(cards)} cards for {seats} seats" if len(cards) > seats else ""
        if len(setup.houses) != setup.size:
            return f"{setup.size} seats take {setup.size} houses (or {VAGABOND}), not {len(setup.houses)}"
        return why_not(setup.houses)

    # -- the deal

    def dealt(self) -> None:
        """One card a seat, face up, whatever the roles; buildings that were not dealt are out of the game."""
        s, cards = self.s, self.drawn()
        self.houses = {card: House(card, seat) for seat, card in enumerate(cards, 1) if card != VAGABOND}
        s.emit(Houses(cards))
        dealt = {kind_of(card) for card in cards}
        buildings = [rule for rule in s.rules.values() if isinstance(rule, Building)]
        for rule in buildings:
            rule.settled(rule.id in dealt)
            if rule.id not in dealt:
                del s.rules[rule.id]
        s.index_rules()

    def drawn(self) -> tuple[str, ...]:
        """The cards by seat, as the setup has them or drawn from the seed."""
        s = self.s
        if s.setup.houses:
            return numbered(s.setup.houses)
        cards = self.opt(VillageOptions).cards
        cards = DEALT[: s.size] if cards == (AUTO,) else cards
        return numbered(s.shuffled("village.deal", (*cards, *[VAGABOND] * (s.size - len(cards)))))

    # -- who lives where

    def home(self, seat: int) -> House | None:
        """The seat's house."""
        return next((house for house in self.houses.values() if house.owner == seat and not house.burnt), None)

    @property
    def settled(self) -> int:
        """Mask of the seats that have a house, living or not."""
        mask = 0
        for house in self.houses.values():
            if not house.burnt:
                mask |= 1 << house.owner
        return mask

    @property
    def vagabonds(self) -> int:
        """Mask of the living seats without a house."""
        return self.s.living & ~self.settled

    @property
    def standing(self) -> tuple[str, ...]:
        """The houses that are not burnt, occupied or vacant."""
        return tuple(sorted(house.name for house in self.houses.values() if not house.burnt))

    @property
    def vacant(self) -> tuple[str, ...]:
        """The houses that stand empty."""
        here = self.s.present
        return tuple(name for name in self.standing if not here >> self.houses[name].owner & 1)

    def owner(self, house: str) -> int:
        """The seat that lives in the house, the fallen of an unannounced night included; 0 if nobody does."""
        owner = self.houses[house].owner
        return owner if self.s.present >> owner & 1 and not self.houses[house].burnt else 0

    # -- what changes

    def move_in(self, seat: int, house: str) -> None:
        """A vagabond takes a vacant house, whose power is as new."""
        self.houses[house].owner, self.houses[house].power = seat, READY
        self.s.emit(HouseNow(seat, house))

    def burn(self, house: str) -> None:
        """The house is gone for good and its owner a vagabond."""
        owner = self.owner(house)
        self.houses[house].burnt = True
        self.s.emit(HouseBurnt(house))
        if owner:
            self.s.emit(HouseNow(owner, VAGABOND))

    def set_power(self, house: str, power: str) -> None:
        """The house's power is ready, spent or lost."""
        self.houses[house].power = power
        self.s.emit(HousePower(self.houses[house].owner, house, power))

    # -- the window of the powers that may be used at any time

    def day_opens(self) -> Flow[None]:
        """The window opens."""
        self.open, self.balloting = True, False
        yield from ()

    def procedure(self, first: bool) -> Flow[int | None]:
        """The vote itself begins."""
        self.balloting, self.open = True, self.open and first
        yield from ()
        return None

    def day_over(self) -> None:
        self.open = False

    def window(self, pending: Sequence[Ask]) -> bool:
        """From the beginning of the day until the first ballot: a ballot that is taken seat by seat has begun."""
        if not self.open or not self.s.daylight:
            return False
        return not self.balloting or (len(pending) > 1 and pending[0].kind == "day.vote")


class Building(Rule):
    """Base of the buildings: a rule whose id is the kind of its house, in force where the house was dealt."""

    id: ClassVar[str] = ""

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return is_on(options, Village.id)

    @property
    def village(self) -> Village:
        """The houses."""
        return cast(Village, self.s.rules[Village.id])

    def settled(self, dealt: bool) -> None:
        """After the deal of the houses. dealt: whether there is one of this kind."""

    def master(self) -> int:
        """The seat that exercises the house's power now; 0 if nobody does."""
        house = self.village.houses[self.id]
        usable = self.s.living & ~self.s.away
        return house.owner if house.power == READY and not house.burnt and usable >> house.owner & 1 else 0

    def spend(self, power: str = SPENT) -> None:
        """The card is given back."""
        self.village.set_power(self.id, power)


class Anytime(Building, ABC):
    """Base of the buildings whose power is a reaction beside any ask of the day."""

    asks: ClassVar[str] = ""
    """The kind of the ask."""

    @abstractmethod
    def targets(self, master: int) -> int:
        """Whom the master of the house may name."""

    def offers(self, pending: Sequence[Ask]) -> Iterable[Ask]:
        if not self.village.window(pending):
            return
        master = self.master()
        mask = self.targets(master) & self.s.living & ~self.s.away & ~(1 << master) if master else 0
        if mask:
            yield Ask(master, self.asks, "seat", mask, seen=EVERYONE)

    def reaction(self, ask: Ask, answer: Answer) -> Flow[None]:
        assert isinstance(answer, int)
        yield from self.used(ask.seat, answer)

    @abstractmethod
    def used(self, master: int, target: int) -> Flow[None]:
        """The master uses the power on a seat."""


__all__ = ["LOST", "READY", "SPENT", "Anytime", "Building", "House", "Village"]
