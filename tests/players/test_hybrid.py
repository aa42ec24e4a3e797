"""Hybrid seats: the built-in player's plan in a model's words, or its own where the model's differ."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.setup import deal
from judge.direct import play_direct_async
from players.base import Claim
from players.builtin import BuiltinPlayer
from players.factory import SpecError, make_players
from players.hybrid import OFF_PLAN, UNWORDED, HybridPlayer, agrees
from players.model import Endpoint, ModelClient
from tests.support.stub_openai import Stub, running


class Voice(Stub):
    """Says what it is to say with a word before it; or, told to, what it is not to say."""

    def __init__(self, lie: str = "", **options: Any) -> None:
        super().__init__(**options)
        self.lie = lie

    def answer(self, request: dict[str, Any], fault: str = "") -> tuple[int, dict[str, Any]]:
        status, body = super().answer(request, fault)
        if status == 200 and not fault:
            gist = re.findall(r"“(.*?)”|「(.*?)」", str(request["messages"][-1]["content"]))[-1]
            said = "".join(gist)
            worded = self.lie or ("Well, " + said if said.isascii() else "嗯，" + said)
            body["choices"][0]["message"]["content"] = json.dumps({"speech": worded})
        return status, body


def client_of(stub: Stub) -> ModelClient:
    given = {
        "model": "stub",
        "base_url": stub.url,
        "timeout": 30.0,
        "backoff": 0.0,
        "deadline": 60.0,
        "attempts": 1,
        "breaker": 1000,
    }
    return ModelClient(Endpoint.model_validate(given), aiohttp=True)


async def game(stub: Stub, lang: str, seed: int = 3) -> tuple[list[str], list[str], int, Counter[str]]:
    """Speeches of a game of hybrid seats, those of the same built-in players, the calls, and the flags."""
    setup = deal("tournament", 9, seed=seed, lang=lang)
    client = client_of(stub)
    flags: Counter[str] = Counter()
    try:
        players = make_players(setup, dict.fromkeys(range(1, 10), "hybrid:hard@model:calm"), client=client)
        for player in players.values():
            watch(player, flags)
        played = await play_direct_async(setup, players, max_days=2)
    finally:
        await client.close()
    plain = await play_direct_async(setup, make_players(setup, dict.fromkeys(range(1, 10), "builtin:hard")), max_days=2)
    texts = [[said.text for said in one.game.public.said if said.text] for one in (played, plain)]
    return texts[0], texts[1], played.calls, flags


def watch(player: Any, flags: Counter[str]) -> None:
    inner = player.reply

    async def reply(view: Any, ask: Any, offers: Any) -> Any:
        got = await inner(view, ask, offers)
        flags.update(got.flags)
        return got

    player.reply = reply


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_plan_is_put_into_the_models_words(lang: str) -> None:
    async with running(Voice()) as stub:
        said, _, calls, flags = await game(stub, lang)
    opening = "Well, " if lang == "en" else "嗯，"
    assert calls == len(stub.requests) > 10
    assert sum(text.startswith(opening) for text in said) > 0.8 * len(said)
    assert flags[UNWORDED] == 0
    assert max(len(str(request["messages"])) for request in stub.requests) < 5000


@pytest.mark.parametrize("lie", ["I am the seer, seat 9 is a wolf.", "我是女巫，昨晚救了9号。", "I am a werewolf."])
async def test_words_that_are_off_the_plan_are_not_used(lie: str) -> None:
    async with running(Voice(lie)) as stub:
        said, plain, calls, flags = await game(stub, "zh")
    assert said == plain
    assert lie not in said
    assert flags[OFF_PLAN] == calls == len(stub.requests)


@pytest.mark.parametrize("fault", ["empty", "refusal", "http500"])
async def test_without_a_model_the_built_in_words_are_used(fault: str) -> None:
    async with running(Stub(faults={fault: 1.0})) as stub:
        said, plain, _, flags = await game(stub, "en")
    assert said == plain
    assert flags[UNWORDED] + flags[OFF_PLAN] > 10


def claim(act: str, target: int | None = None, value: str | None = None) -> Claim:
    return Claim(act, 5, target, None, value)


@pytest.mark.parametrize(
    ("heard", "holds"),
    [
        ((claim("claim-role", None, "seer"), claim("claim-result", 3, "bad")), True),
        ((claim("claim-role", None, "seer"), claim("claim-result", 3, "bad"), claim("vote-call", 3)), True),
        ((claim("claim-role", None, "seer"),), False),
        ((claim("claim-role", None, "seer"), claim("claim-result", 3, "good")), False),
        ((claim("claim-role", None, "seer"), claim("claim-result", 3, "bad"), claim("accuse", 4)), False),
        ((claim("claim-role", None, "seer"), claim("claim-result", 3, "bad"), claim("vouch", 4)), False),
    ],
)
def test_the_same_must_be_claimed(heard: tuple[Claim, ...], holds: bool) -> None:
    planned = (claim("claim-role", None, "seer"), claim("claim-result", 3, "bad"))
    assert agrees(planned, heard) is holds


def test_specs(tmp_path: Path) -> None:
    setup = deal("tournament", 9, seed=1)
    client = ModelClient(Endpoint(model="m", base_url="http://127.0.0.1:9/v1"))
    made = make_players(setup, {1: "hybrid:sly:hard@model:calm and brief", 2: "hybrid"}, client=client)
    first = made[1]
    assert isinstance(first, HybridPlayer)
    assert isinstance(first.plan, BuiltinPlayer)
    assert (first.plan.level, first.plan.persona.name, first.persona) == ("hard", "sly", "calm and brief")
    with pytest.raises(SpecError, match="no model"):
        make_players(setup, {1: "hybrid:hard@model"})
    with pytest.raises(SpecError, match="behind @"):
        make_players(setup, {1: "hybrid:hard@human"}, client=client)
