"""Which games an evaluation plays: who sits where in each deal.

A deal fixes cards, seats and every seeded draw; a block is all that is played on one deal, in either language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from engine.rules.ruleset import roles
from engine.setup import Setup

Schedule = Literal["matrix", "fill-in", "mixed"]


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of those that are compared. player: as players.factory takes it. model, asked: of a model, which one, and how
    it is asked as far as its answers depend on it."""

    id: str
    player: str
    model: str = ""
    asked: dict[str, str | int | float | None] = {}

    @property
    def is_model(self) -> bool:
        """Whether it asks a server."""
        return self.player.partition(":")[0] == "model"


class Trial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comparison. langs: every deal is played in each. panel: of fill-in, the entrant in the other seats.

    rotations: of fill-in, the seats that the candidate takes in turn for each deal. talk: False is the ablation
    in which nobody's public words are heard.
    """

    name: str
    entrants: tuple[Entrant, ...]
    langs: tuple[str, ...]
    schedule: Schedule = "matrix"
    rotations: int = 1
    panel: str | None = None
    talk: bool = True

    def entrant(self, name: str) -> Entrant:
        """The entrant of this id."""
        return next(one for one in self.entrants if one.id == name)


def assignments(trial: Trial, setup: Setup, number: int) -> Iterator[tuple[str, ...]]:
    """Who sits where, seat 1 first, in all games of a deal. number: of the deal, from 0."""
    ids = [one.id for one in trial.entrants]
    if trial.schedule == "matrix":
        yield from matrix(ids, wolf_seats(setup), setup.size)
    elif trial.schedule == "fill-in":
        assert trial.panel is not None
        for turn in range(min(trial.rotations, setup.size)):
            seat = (number * trial.rotations + turn) % setup.size + 1
            yield from fill_in(ids, trial.panel, seat, setup.size)
    else:
        yield from latin(ids, setup.size)


def wolf_seats(setup: Setup) -> frozenset[int]:
    """The seats that were dealt a wolf card."""
    cards = roles()
    return frozenset(seat for seat, card in enumerate(setup.seats, 1) if cards[card].wolf_card)


def matrix(ids: Sequence[str], wolves: frozenset[int], size: int) -> Iterator[tuple[str, ...]]:
    """Every ordered pair: the village all one agent, the wolves all another (or the same)."""
    for village in ids:
        for pack in ids:
            yield tuple(pack if seat in wolves else village for seat in range(1, size + 1))


def fill_in(ids: Sequence[str], panel: str, seat: int, size: int) -> Iterator[tuple[str, ...]]:
    """Every agent in turn in one seat among the panel: duplicate boards, differing in that seat alone."""
    for candidate in ids:
        yield tuple(candidate if other == seat else panel for other in range(1, size + 1))


def latin(ids: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """The agents cycle over the seats: over the block every agent sits in every seat equally often (a Latin square)."""
    for turn in range(len(ids)):
        yield tuple(ids[(seat + turn) % len(ids)] for seat in range(size))
