"""Speech bidding: whoever wants to most speaks next; it is recorded, replayed, and played by all kinds of seats."""

from __future__ import annotations

from random import Random

import pytest

from engine.asks import Answer
from engine.events import Said
from engine.game import Game
from engine.setup import deal
from players.builtin import BuiltinPlayer

BID = {"talk.order": "bid", "sheriff": False}


@pytest.mark.parametrize("seed", range(8))
def test_everybody_speaks_at_most_once_a_round_and_the_highest_bid_speaks(seed: int) -> None:
    game, rng, bids = Game(deal("tournament", 9, seed=seed, options=BID)), Random(seed), dict[int, Answer]()
    spoke: dict[int, list[int]] = {}
    rank: dict[Answer, int] = {None: -1, "low": 0, "middle": 1, "high": 2}
    while game.asks and game.public.day < 5:
        asked = {ask.seat: ask for ask in game.asks}
        if game.asks[0].kind == "day.speak":
            (speaker,) = asked
            spoke.setdefault(game.public.day, []).append(speaker)
            assert rank[bids[speaker]] == max(rank[bid] for bid in bids.values()) >= 0
        answers = {seat: ask.random(rng) for seat, ask in asked.items()}
        if game.asks[0].kind == "day.bid":
            bids = dict(answers)
            assert not set(asked) & set(spoke.get(game.public.day, ())), "who has spoken does not bid again"
            seen = [event for event in game.public.events if not isinstance(event, Said)]
            game.answer(answers)
            assert [event for event in game.public.events if not isinstance(event, Said)][: len(seen)] == seen
            continue
        game.answer(answers)
    assert spoke
    assert all(len(seats) == len(set(seats)) for seats in spoke.values())
    again = Game.replay(game.setup, game.decisions)
    assert again.events == game.events


def test_built_in_players_bid_and_speak() -> None:
    game = Game(deal("tournament", 9, seed=2, options=BID))
    players = {seat: BuiltinPlayer(seat) for seat in range(1, 10)}
    kinds: set[str] = set()
    while game.asks:
        kinds |= {ask.kind for ask in game.asks}
        game.answer({ask.seat: players[ask.seat].decide(game.view(ask.seat), ask).answer for ask in game.asks})
    assert {"day.bid", "day.speak"} <= kinds
    assert sum(isinstance(event, Said) and bool(event.text) for event in game.events) > 5
