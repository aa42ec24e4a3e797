"""Canaries in everything that is hidden: whole games of model seats, and no prompt, fallback or log line sings."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from random import Random

import pytest

from arena.simulate import Line, simulate_models
from engine.asks import Ask
from engine.game import Game
from engine.setup import Setup, deal
from players.base import Player
from players.factory import make_players
from players.model import Endpoint, ModelClient, ModelPlayer
from prompts.words import role_word
from tests.support.stub_openai import Stub, running

SEAT = re.compile(r"You are seat (\d+), ")
TABLES = [("tournament", 9, None), ("classic", 12, None), ("extended", 14, None), ("millers-hollow", 12, None)]


def owner(prompt: str) -> int:
    """The seat that a prompt is for."""
    found = SEAT.search(prompt)
    assert found is not None
    return int(found[1])


def prompts(stub: Stub) -> list[str]:
    return ["\n".join(message["content"] for message in request["messages"]) for request in stub.requests]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("board", TABLES, ids=lambda board: board[0])
async def test_personas_and_thoughts_stay_with_their_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, board: tuple[str, int, str | None], seed: int
) -> None:
    ruleset, size, deck = board
    caplog.set_level(logging.DEBUG, "tianhei")
    lines: list[Line] = []
    async with running(Stub(faults={"malformed": 0.1, "illegal": 0.1, "refusal": 0.05}, thoughtful=True)) as stub:
        client = ModelClient(Endpoint(model="stub", base_url=stub.url, backoff=0), aiohttp=True)

        def seating(setup: Setup) -> dict[int, Player]:
            seats = range(1, setup.size + 1)
            return make_players(setup, {seat: f"model:PERSONA{seat}X" for seat in seats}, client=client)

        setup = deal(ruleset, size, seed=seed, lang="en", deck=deck)
        await simulate_models([setup], seating, tmp_path, parallel=1, done=lines.append)
        await client.close()
    assert lines[0].status in ("finished", "unfinished")
    assert lines[0].fallbacks
    sent = prompts(stub)
    thinker = {thought: owner(prompt) for prompt, thought in zip(sent, stub.thoughts, strict=True) if thought}
    for prompt in sent:
        seat = owner(prompt)
        assert set(re.findall(r"PERSONA\d+X", prompt)) == {f"PERSONA{seat}X"}
        for thought in re.findall(r"thought [0-9a-f]{12}", prompt):
            assert thinker[thought] == seat, "a seat reads its own thoughts alone"
        own = role_word(setup.seats[seat - 1], "en")
        dealt = re.findall(r"You are seat \d+, ([^.\n]*)\.", prompt)
        assert len(dealt) == 1
        assert dealt[0] == own or "Your card" in prompt or "card is now" in prompt
    said = caplog.text
    assert not re.search(r"PERSONA\d+X|thought [0-9a-f]{12}", said)
    assert len(thinker) > 20


def swapped(setup: Setup, rng: Random, seat: int) -> Setup:
    """The same table with the other seats' cards dealt otherwise."""
    import msgspec

    others = [at for at in range(setup.size) if at != seat - 1]
    cards = [setup.seats[at] for at in others]
    rng.shuffle(cards)
    seats = list(setup.seats)
    for at, card in zip(others, cards, strict=True):
        seats[at] = card
    return msgspec.structs.replace(setup, seats=tuple(seats))


def test_a_fallback_does_not_depend_on_what_its_seat_cannot_know() -> None:
    player, compared = ModelPlayer(ModelClient(Endpoint(model="m")), seed=4), 0
    for seed in range(200):
        setup = deal("tournament", 9, seed=seed, lang="en", options={"sheriff": False})
        plain = [seat for seat, role in enumerate(setup.seats, 1) if role == "villager"]
        games = [Game(one) for one in (setup, swapped(setup, Random(seed), plain[0]))]
        ballots: list[list[Ask]] = []
        for game in games:
            while game.asks and game.asks[0].kind != "day.vote":
                game.answer({ask.seat: _quiet(ask) for ask in game.asks})
            ballots.append([ask for ask in game.asks if ask.seat == plain[0]])
        if ballots[0] != ballots[1] or not ballots[0]:
            continue
        views = [game.view(plain[0]) for game in games]
        assert player.fallback(views[0], ballots[0][0]) == player.fallback(views[1], ballots[1][0])
        compared += 1
    assert compared > 150


def _quiet(ask: Ask) -> object:
    """Nobody is hurt at night, so that the public records of both games are the same."""
    return None if ask.can_pass else ask.quiet()
