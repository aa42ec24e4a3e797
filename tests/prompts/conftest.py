"""Games for the tests of prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from engine.asks import Answer, Ask
from engine.game import Game
from engine.setup import Setup, deal

Walk = Callable[[Setup, int], Iterator[Game]]


def walk(setup: Setup, seed: int) -> Iterator[Game]:
    """A game with random answers, yielded before each of its decisions; every utterance is a new token <seed>-<n>."""
    game, rng, spoken = Game(setup), Random(seed), 0

    def answer(ask: Ask) -> Answer:
        nonlocal spoken
        if ask.form != "text" or rng.random() < 0.2:
            return ask.random(rng)
        spoken += 1
        return f"token{seed}x{spoken}x"

    while game.asks:
        yield game
        offers = game.reactions
        if offers and rng.random() < 0.02:
            offer = rng.choice(offers)
            game.react(offer.seat, offer.kind, answer(offer) or "hm" if offer.form == "text" else offer.random(rng))
        else:
            game.answer({ask.seat: answer(ask) for ask in game.asks})
    yield game


@pytest.fixture
def random_walk() -> Walk:
    """`walk`."""
    return walk


TABLES = {
    "tournament-9": ("tournament", 9, None),
    "tournament-thief": ("tournament", 12, "thief"),
    "classic": ("classic", 14, "full"),
    "extended": ("extended", 16, None),
    "homebrew": ("homebrew", 17, "full"),
    "millers-hollow": ("millers-hollow", 16, "full"),
    "japanese": ("japanese", 15, None),
}


@pytest.fixture(params=list(TABLES.values()), ids=list(TABLES))
def table(request: pytest.FixtureRequest) -> Setup:
    """A dealt table of each ruleset."""
    ruleset, seats, deck = request.param
    return deal(ruleset, seats, deck=deck, seed=seats)
