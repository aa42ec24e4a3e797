"""Beliefs asked for in a fork: what is asked there changes nothing in the game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.game import Game
from engine.setup import deal
from players.model import Endpoint, ModelClient, ModelPlayer
from players.model.fork import Belief, probe
from tests.support.stub_openai import Stub, running

SETUP = deal("tournament", 9, seed=3, lang="en")


async def asked(stub: Stub, *, probing: bool) -> list[Any]:
    """The questions of a game's first asks, with or without probes between them; those of the probes left out."""
    client, game = ModelClient(Endpoint(model="stub", base_url=stub.url)), Game(SETUP)
    players = {seat: ModelPlayer(client, seat) for seat in range(1, 10)}
    sent: list[Any] = []
    for _ in range(8):
        answers = {}
        for ask in game.asks:
            view = game.view(ask.seat)
            if probing:
                before = players[ask.seat].thoughts(ask.seat)
                assert (await probe(players[ask.seat], view, about=4)).fault == ""
                assert players[ask.seat].thoughts(ask.seat) == before
            stub.requests.clear()
            answers[ask.seat] = (await players[ask.seat].reply(view, ask, ())).answer
            sent += [request["messages"] for request in stub.requests]
        game.answer(answers)
    await client.close()
    return sent


async def test_a_probe_leaves_no_trace() -> None:
    async with running(Stub(thoughtful=True)) as stub:
        plain = await asked(stub, probing=False)
        assert await asked(stub, probing=True) == plain
    assert len(plain) > 10


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_probe_asks_from_the_seat_s_view_and_thoughts(lang: str) -> None:
    game = Game(SETUP)
    wolves = [seat for seat, role in enumerate(SETUP.seats, 1) if role == "werewolf"]
    other = next(seat for seat in range(1, 10) if seat not in wolves)
    async with running(Stub()) as stub:
        client = ModelClient(Endpoint(model="stub", base_url=stub.url))
        player = ModelPlayer(client, 1, lang=lang)
        player.recall(wolves[0], "CANARY of a wolf")
        player.recall(other, "my own idea")
        await probe(player, game.view(other), about=wolves[0])
        honest = str(stub.requests[-1]["messages"])
        await probe(player, game.view(other))
        assert "p_lie" not in str(stub.requests[-1])
        await client.close()
    assert "my own idea" in honest
    assert "CANARY" not in honest
    assert "p_lie" in honest


def told(said: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}]}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            {"beliefs": [{"seat": 2, "wolf": 0.8}, {"seat": 1, "wolf": 1}], "p_lie": 0.25, "vote": 2},
            ({2: 0.8}, 0.25, 2),
        ),
        ({"beliefs": {"3": 2, "77": 0.5}, "p_lie": 7, "vote": 0}, ({3: 1.0}, None, None)),
        ({"beliefs": "none", "p_lie": True, "vote": 55}, ({}, None, None)),
    ],
)
async def test_what_is_read(httpx2_mock: Any, said: Any, expected: Any) -> None:
    httpx2_mock.post("http://127.0.0.1:9/v1/chat/completions").respond(json=told(json.dumps(said)))
    client = ModelClient(Endpoint(model="m", base_url="http://127.0.0.1:9/v1"))
    got = await probe(ModelPlayer(client), Game(SETUP).view(1), about=2)
    assert (got.p_wolf, got.p_lie, got.vote) == expected
    assert got.fault == ""


@pytest.mark.parametrize(
    ("said", "fault"), [("", "empty"), ("no idea", "unparsable"), ("I'm sorry, but I can't help.", "refused")]
)
async def test_nothing_is_substituted(httpx2_mock: Any, said: str, fault: str) -> None:
    route = httpx2_mock.post("http://127.0.0.1:9/v1/chat/completions").respond(json=told(said))
    client = ModelClient(Endpoint(model="m", base_url="http://127.0.0.1:9/v1"))
    got = await probe(ModelPlayer(client), Game(SETUP).view(1))
    assert got == Belief(fault=fault, calls=got.calls)
    assert route.call_count == len(got.calls) == 1
