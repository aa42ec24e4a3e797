"""A model as the judge of a table: it rules under the mask, tells what is public, and answers at the desk."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pydantic import SecretStr

from engine.bits import EVERYONE
from engine.events import Dawn
from engine.setup import Setup, deal
from judge.narrator import GIVES_UP, Narrator
from judge.record import verify
from judge.seats import sit_down
from judge.store import Store
from judge.table import Table
from players.judge import rule
from players.model import Endpoint, ModelClient
from prompts.narrate import narrate
from tests.support.stub_openai import Stub, running

CARDS = ("event.good-manners", "event.black-monday")
OF_TASTE = ("judge.manners", "judge.apply-variant")


def moonlit() -> Setup:
    """A table whose first two event cards are the judge's to rule on."""
    setup = deal("extended", 9, seed=4, lang="en", options={"new-moon": True})
    return msgspec.structs.replace(setup, new_moon=(*CARDS, *(card for card in setup.new_moon if card not in CARDS)))


def client_of(stub: Stub) -> ModelClient:
    return ModelClient(Endpoint(model="stub", base_url=stub.url, api_key=SecretStr("k"), attempts=1, outage="pause"))


def seated(setup: Setup, client: ModelClient) -> dict[int, Any]:
    return sit_down(setup, {**dict.fromkeys(range(1, setup.size + 1), "builtin"), 0: "model"}, client)


async def judged(tmp_path: Path, stub: Stub) -> tuple[Table, Store]:
    """A whole game with the stub as its judge."""
    setup, store = moonlit(), Store(tmp_path)
    async with running(stub):
        client = client_of(stub)
        table = Table.new(setup, seated(setup, client), store, game_id="g", voice=Narrator(client))
        await table.run()
        await table.close()
        await client.close()
    return table, store


async def test_a_model_rules_at_the_table(tmp_path: Path) -> None:
    table, store = await judged(tmp_path, Stub())
    assert table.result is not None
    assert table.result.status == "finished"
    record = store.record("g")
    store.close()
    verify(record)
    assert (record.header.players[0].kind, record.header.players[0].spec) == ("model", "model")
    asked = [one for line in record.decisions for one in line.asked if one.ask.seat == 0]
    ruled = [one for one in asked if one.ask.kind in OF_TASTE]
    assert {one.ask.kind for one in ruled} == set(OF_TASTE)
    for one in ruled:
        assert len(one.calls) == 1
        assert not one.fallback
    assert all(not one.calls for one in asked if one not in ruled), "of chance and of fact no model is asked"
    voice = table.voice
    assert voice is not None
    assert voice.refused, "the stub's lines say something else, so the templates speak"
    assert not voice.told
    assert all(table.told(event) is None for event in table.game.events)
    assert table.course.calls == voice.refused + len(ruled)
    assert table.course.tokens.sent == 100 * table.course.calls, "the budget pays for the judge too"


@pytest.mark.parametrize("fault", ["malformed", "refusal", "http500"])
async def test_a_judge_that_cannot_be_used_falls_back_and_is_counted(tmp_path: Path, fault: str) -> None:
    table, store = await judged(tmp_path, Stub(faults={fault: 1.0}))
    assert table.result is not None
    assert table.result.status == "finished", "the default of the rulebook is good enough to go on"
    record = store.record("g")
    store.close()
    ruled = [one for line in record.decisions for one in line.asked if one.ask.kind in OF_TASTE]
    assert ruled
    for one in ruled:
        assert one.fallback
        assert one.checked == one.ask.check(rule(one.ask).answer)
    assert table.course.fallbacks == len(ruled)
    assert table.course.substituted == Counter(one.fallback for one in ruled)
    voice = table.voice
    assert voice is not None
    assert 0 < voice.refused <= GIVES_UP + table.game.setup.size, "after a few questions without a reply it is silent"


class Repeats:
    """A model that says the line again in other words: an exclamation mark."""

    async def ask(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> Any:
        words = messages[-1]["content"]
        line = words.split("sentences: ", 1)[1].split("\n", 1)[0] if "sentences: " in words else ""
        self.text = json.dumps({"line": "So it is: " + line})
        return self


async def test_what_a_model_tells_well_is_told_in_its_words(tmp_path: Path) -> None:
    setup, store, client = moonlit(), Store(tmp_path), Repeats()
    players = sit_down(setup, dict.fromkeys(range(1, 10), "builtin"))
    table = Table.new(setup, players, store, voice=Narrator(client))
    await table.run()
    dawns = [event for event in table.game.events if isinstance(event, Dawn)]
    assert dawns
    for event in dawns:
        assert table.told(event) == f"So it is: {narrate(event, 'en')}"
    secret = [e for e, to in zip(table.game.events, table.game.audiences, strict=True) if to != EVERYONE]
    assert not [event for event in secret if table.told(event)], "secrets are never sent to the narrator"
    await table.close()
    store.close()


class Late:
    """A model that never answers."""

    async def ask(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> Any:
        await asyncio.Event().wait()


async def test_the_table_does_not_wait_for_a_narrator_for_ever() -> None:
    voice = Narrator(Late(), patience=0.0)
    for _ in range(GIVES_UP + 2):
        assert await voice.tell(Dawn((3,)), "en") == narrate(Dawn((3,)), "en")
    assert voice.refused == GIVES_UP


async def test_the_desk_of_a_table(tmp_path: Path) -> None:
    setup, store = moonlit(), Store(tmp_path)
    async with running(Stub()) as stub:
        client = client_of(stub)
        table = Table.new(setup, seated(setup, client), store, voice=Narrator(client))
        advice = await table.advise("Can the witch save herself?", "en")
        assert (advice.by, advice.answer) == ("model", "I listen.")
        assert table.course.calls == 1
        await table.close()
        table = Table.new(setup, sit_down(setup, dict.fromkeys(range(1, 10), "builtin")), store)
        advice = await table.advise("Can the witch save herself?", "en")
        assert advice.by == "rules"
        assert advice.passage is not None
        assert table.course.calls == 0
        await table.close()
        await client.close()
    store.close()
