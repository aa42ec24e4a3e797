"""Tables and loops that the player tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engine.asks import Ask
from engine.game import Game
from engine.setup import Setup

MAX_DAYS = 40


def play(setup: Setup, players: Mapping[int, Any], look: Callable[[Ask, Any], None] | None = None) -> Game:
    """A whole game of players that have `decide`; look: sees every ask with its reply."""
    game = Game(setup)
    while game.asks and game.public.day <= MAX_DAYS:
        taken = next(
            (
                (offer.seat, *wanted)
                for offer in game.reactions
                if (wanted := players[offer.seat].react(game.view(offer.seat), (offer,)))
            ),
            None,
        )
        if taken:
            game.react(*taken)
            continue
        replies = {ask.seat: players[ask.seat].decide(game.view(ask.seat), ask, ()) for ask in game.asks}
        if look:
            for ask in game.asks:
                look(ask, replies[ask.seat])
        game.answer({seat: reply.answer for seat, reply in replies.items()})
    return game


@pytest.fixture(name="play")
def _play() -> Callable[..., Game]:
    return play
