"""The pieces of a running game: seats, night acts, attacks, deaths, a ballot being counted, and what ends a flow."""

from __future__ import annotations

import msgspec

HALVES = 2  # votes are counted in half-votes, as whole numbers


class GameOver(Exception):
    """A camp has won, or nobody can: unwinds the whole flow."""

    def __init__(self, winners: tuple[str, ...]) -> None:
        super().__init__(", ".join(winners) or "draw")
        self.winners = winners


class NightFalls(Exception):
    """The day stops at once (a self-explosion): unwinds to the end of the day."""


class DrawError(ValueError):
    """A forced draw that does not fit the draw the rules made."""


class Seat(msgspec.Struct):
    """What one seat carries. power is the card whose power it exercises (None: powerless); kit what that has left."""

    number: int
    role: str
    original_role: str
    camp: str
    power: str | None
    kit: object
    also: str | None = None
    """A second power beside the first, one that carries nothing."""


class Act(msgspec.Struct, frozen=True):
    """A night act kept until resolution: who did what to whom."""

    kind: str
    by: int
    target: int


class Attack(msgspec.Struct, frozen=True):
    """A wolf's attack at resolution. cause: bite, extra-bite or caught."""

    target: int
    cause: str


class Death(msgspec.Struct):
    """An elimination. The first cause is the cause. after: the death that carried this one, for grief and shots."""

    seat: int
    causes: list[str]
    after: Death | None = None
    night: int = 0
    """The night in which it fell, 0 by day."""
    by_day: int = 0
    """The day on which it was eliminated, 0 by night."""
    power: str | None = None
    """The power the seat had at that moment."""
    hidden: bool = False
    """Whether the card stays unseen (somebody took it)."""
    also: str | None = None
    """The second power it had, where it had two."""
    wave: int = 0
    """Which of its chain's waves it fell in; those of one wave are one instant."""

    def held(self, power: str) -> bool:
        """Whether the seat had this power at that moment."""
        return power in (self.power, self.also)

    @property
    def cause(self) -> str:
        """The cause that counts."""
        return self.causes[0]


class Tally(msgspec.Struct):
    """An exile ballot being counted, in half-votes."""

    ballots: dict[int, int | None]
    weights: dict[int, int] = {}
    voids: set[int] = set()
    extra: dict[int, int] = {}
    first: bool = True
    """The day's first ballot: the only one in which curses count."""

    totals: dict[int, int] = {}
    """Half-votes per seat that got any, by ascending seat, once counted."""

    def count(self) -> dict[int, int]:
        """Count the ballots."""
        count, weights, voids = dict(self.extra), self.weights, self.voids
        for voter, target in self.ballots.items():
            if target is not None and voter not in voids:
                count[target] = count.get(target, 0) + weights.get(voter, HALVES)
        self.totals = dict(sorted(count.items()))
        return self.totals
