"""What lies open on the table beside cards and words: event cards in force, houses, who is away or out of reach."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.events import Event, Returned
from engine.new_moon.card import Away, Back, EventCard, EventOver
from engine.new_moon.fates import Accused, SeerAloud
from engine.new_moon.spirits import Medium, SpiritAnswer
from engine.roles.deputy import Deputy
from engine.variants.double_you import OpenRoles
from engine.village.events import Begged, HouseBurnt, HouseNow, HousePower, Houses, Mercy
from players.reasoning import wolf_cards

MIRACLE = "event.miracle"
INN, READY = "inn", "ready"


@dataclass(frozen=True, slots=True)
class Result:
    """A check that a seat says it made."""

    target: int
    bad: bool
    night: int | None
    day: int


@dataclass(slots=True)
class Scene:
    """The table as everybody sees it.

    cards: event cards in force. away: seats outside the village. owner: seat by house, as it was last let. power: of a
    house, where it is not ready. faces: role cards that lie face up (Double You). cleared: seats whose side a spirit or
    a miracle has told everybody. aloud: cards called in the seer's sleep, by night. begging: the condemned seat that
    asks for mercy. accused: whom a dead seat has named. deputy: the sheriff's.
    """

    cards: set[str] = field(default_factory=set)
    away: set[int] = field(default_factory=set)
    owner: dict[str, int] = field(default_factory=dict)
    power: dict[str, str] = field(default_factory=dict)
    faces: dict[int, str] = field(default_factory=dict)
    cleared: dict[int, bool] = field(default_factory=dict)
    aloud: dict[int, tuple[str, ...]] = field(default_factory=dict)
    begging: int = 0
    accused: int = 0
    deputy: int = 0
    _medium: int = 0

    def learn(self, event: Event, day: int) -> None:
        """Take in one event that everybody saw."""
        match event:
            case EventCard(card):
                self.cards.add(card)
            case EventOver(card):
                self.cards.discard(card)
            case Away(seats):
                self.away.update(seats)
            case Back(seats):
                self.away.difference_update(seats)
            case OpenRoles(cards):
                self.faces = dict(enumerate(cards, 1))
            case SeerAloud(role):
                self.aloud[day] = (*self.aloud.get(day, ()), role)
            case Medium(seat):
                self._medium = seat
            case SpiritAnswer("i-am-wolf", answer):
                self.cleared[self._medium] = answer
            case Returned(seats) if MIRACLE in self.cards:
                self.cleared.update(dict.fromkeys(seats, False))
            case Accused(seat):
                self.accused = seat
            case Deputy(seat):
                self.deputy = seat or 0
            case _:
                self._housed(event)

    def _housed(self, event: Event) -> None:
        match event:
            case Houses(houses):
                self.owner = {house: seat for seat, house in enumerate(houses, 1) if house != "vagabond"}
            case HouseNow(seat, house):
                self.owner = {name: one for name, one in self.owner.items() if one != seat}
                if house != "vagabond":
                    self.owner[house] = seat
                    self.power.pop(house, None)
            case HousePower(_, house, power):
                self.power[house] = power
            case HouseBurnt(house):
                self.owner.pop(house, None)
            case Begged(seat, begs):
                self.begging = seat if begs else 0
            case Mercy():
                self.begging = 0
            case _:
                pass

    def belied(self, result: Result) -> bool:
        """Whether a check that somebody reports cannot be: that night's card was called aloud, and was another."""
        called = [card in wolf_cards() for card in self.aloud.get(result.night or 0, ())]
        return bool(called) and not (any(called) if result.bad else not all(called))

    def immune(self) -> set[int]:
        """Seats that no ballot can reach today: those away, and an innkeeper with power."""
        safe = set(self.away)
        if self.power.get(INN, READY) == READY and INN in self.owner:
            safe.add(self.owner[INN])
        return safe


__all__ = ["MIRACLE", "Result", "Scene"]
