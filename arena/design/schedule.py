"""Which games are played: deals, blocks, and who sits where in them.

A deal fixes cards, seats and every seeded draw; a block is all that is played on one deal, in either language. The plan
is a fixed list of games whose ids follow from their contents, so what is left to play is a difference of sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from arena.annotate.game import block_id, deal_id
from arena.design.config import Config
from engine.rules.ruleset import roles
from engine.setup import Setup, deal


class Planned(msgspec.Struct, frozen=True):
    """A game to play. agents: agent id by seat, seat 1 first."""

    game_id: str
    block: str
    setup: Setup
    agents: tuple[str, ...]
    schedule: str
    replicate: int = 0

    @property
    def seated(self) -> dict[int, str]:
        """Agent id by seat."""
        return dict(enumerate(self.agents, 1))


def deals(config: Config) -> list[Setup]:
    """The deals in the first language; seeds ascend from the configured one. Raises SetupError."""
    return [
        deal(
            config.ruleset,
            config.seats,
            deck=config.deck,
            seed=config.seed + at,
            lang=config.langs[0],
            options=config.options,
        )
        for at in range(config.deals)
    ]


def plan(config: Config) -> tuple[Planned, ...]:
    """Every game of the campaign, block by block. Raises SetupError."""
    found = []
    for number, first in enumerate(deals(config)):
        for lang in config.langs:
            setup = msgspec.structs.replace(first, lang=lang)
            for agents in assignments(config, setup, number):
                for replicate in range(config.replicates):
                    found.append(_planned(config, setup, agents, replicate))
    return tuple(found)


def assignments(config: Config, setup: Setup, number: int) -> Iterator[tuple[str, ...]]:
    """Who sits where, in all games of a deal. number: of the deal, from 0."""
    ids = [agent.id for agent in config.agents]
    if config.schedule == "matrix":
        yield from matrix(ids, wolf_seats(setup), setup.size)
    elif config.schedule == "fill-in":
        assert config.panel is not None
        for turn in range(min(config.rotations, setup.size)):
            seat = (number * config.rotations + turn) % setup.size + 1
            yield from fill_in(ids, config.panel, seat, setup.size)
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


def _planned(config: Config, setup: Setup, agents: tuple[str, ...], replicate: int) -> Planned:
    content = msgspec.json.encode([config.name, deal_id(setup), agents, replicate])
    return Planned(sha256(content).hexdigest()[:16], block_id(setup), setup, agents, config.schedule, replicate)
