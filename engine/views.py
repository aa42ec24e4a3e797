"""What one seat, or the public, knows: a fold over the events it may see, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.bits import JUDGE
from engine.events import (
    BadgeGone,
    Ballots,
    Dawn,
    Deck,
    Eliminated,
    Event,
    Intent,
    Over,
    Phase,
    Returned,
    Revealed,
    RoleDealt,
    RoleNow,
    Said,
    Sheriff,
    Step,
)
from engine.options import open_options
from engine.setup import Setup
from engine.village.cards import VAGABOND
from engine.village.events import HouseBurnt, HouseNow, Houses


@dataclass(frozen=True, slots=True)
class Out:
    """A seat that is publicly out. cause is None where it was not told."""

    seat: int
    day: int
    phase: str
    cause: str | None


@dataclass(slots=True)
class View:
    """The knowledge of a seat (0: the judge, None: the public).

    events: all that it saw, in order. at: for each of them its (phase, number). alive: seats not publicly out,
    ascending. roles: cards it knows, its own included. private: what only it and its fellows were told.
    """

    seat: int | None
    size: int
    ruleset: str
    lang: str
    options: dict[str, object]
    events: list[Event] = field(default_factory=list)
    at: list[tuple[str, int]] = field(default_factory=list)
    private: list[Event] = field(default_factory=list)
    deck: dict[str, int] = field(default_factory=dict)
    phase: str = "setup"
    day: int = 0
    alive: tuple[int, ...] = ()
    out: dict[int, Out] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)
    role: str | None = None
    camp: str | None = None
    sheriff: int | None = None
    houses: dict[int, str] = field(default_factory=dict)
    """The house that each seat is known to have, or to have had when it went out; seats without one are not listed."""
    said: list[Said] = field(default_factory=list)
    ballots: list[tuple[int, Ballots]] = field(default_factory=list)
    over: Over | None = None
    _read: int = 0

    def __init__(self, seat: int | None, setup: Setup) -> None:
        self.seat, self.size, self.ruleset, self.lang = seat, setup.size, setup.ruleset, setup.lang
        self.options = dict(setup.options) if seat == 0 else open_options(setup.options)
        self.events, self.at, self.private = [], [], []
        self.deck, self.phase, self.day = {}, "setup", 0
        self.alive = tuple(range(1, setup.size + 1))
        self.out, self.roles, self.role, self.camp = {}, {}, None, None
        self.houses, self.sheriff, self.said, self.ballots, self.over, self._read = {}, None, [], [], None, 0

    def read(self, log: Sequence[Event], audience: Sequence[int]) -> None:
        """Take in what happened since the last call."""
        for at in range(self._read, len(log)):
            to = audience[at]
            if to == -1 or (self.seat is not None and to >> self.seat & 1):
                self.learn(log[at], to != -1)
        self._read = len(log)

    def learn(self, event: Event, private: bool) -> None:
        """Take in one event that this seat may see."""
        self._fold(event)
        self.events.append(event)
        self.at.append((self.phase, self.day))
        if private:
            self.private.append(event)
            self.camp = event.camp_now or self.camp

    def _fold(self, event: Event) -> None:
        match event:
            case Step() | Intent():  # the most frequent come first; these change nothing
                pass
            case Phase(name, number):
                self.phase, self.day = name, number or self.day
            case Said():
                self.said.append(event)
            case Ballots():
                self.ballots.append((self.day, event))
            case Dawn(seats):
                for seat in seats:
                    self._leaves(seat, None)
            case Eliminated(seat, cause):
                self._leaves(seat, cause)
            case Revealed(seat, role):
                self.roles[seat] = role
            case RoleDealt(seat, role, camp) | RoleNow(seat, role, camp):
                self.roles[seat] = role
                if seat == self.seat:
                    self.role, self.camp = role, camp
            case Sheriff(seat):
                self.sheriff = seat
            case BadgeGone():
                self.sheriff = None
            case Houses(houses):
                self.houses = {seat: house for seat, house in enumerate(houses, 1) if house != VAGABOND}
            case HouseBurnt(house):
                self.houses = {seat: kept for seat, kept in self.houses.items() if kept != house}
            case HouseNow(seat, house):
                self._moves(seat, house)
            case Deck(counts):
                self.deck = counts
            case Returned(seats):
                for seat in seats:
                    self.out.pop(seat, None)
                self.alive = tuple(sorted({*self.alive, *seats}))
            case Over(_, _, roles):
                self.over = event
                self.roles = dict(enumerate(roles, 1))
            case _:
                pass

    def _moves(self, seat: int, house: str) -> None:
        """A seat takes a house, in which nobody else lives from then on; or it is a vagabond now."""
        self.houses = {owner: kept for owner, kept in self.houses.items() if owner != seat and kept != house}
        if house != VAGABOND:
            self.houses[seat] = house

    def _leaves(self, seat: int, cause: str | None) -> None:
        if seat in self.out and (cause is None or self.out[seat].cause is not None):
            return
        self.out[seat] = Out(seat, self.day, self.phase, cause)
        self.alive = tuple(s for s in self.alive if s != seat)


__all__ = ["JUDGE", "Out", "View"]
