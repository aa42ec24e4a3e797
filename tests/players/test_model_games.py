"""Whole games of model seats against a server that fails in every way: all end, and the counts are right."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from pathlib import Path

import pytest

from arena.simulate import Line, simulate_models
from engine.setup import Setup, deal
from judge.budget import Budget
from judge.record import read_record
from judge.store import Store
from judge.table import Table
from players.base import QUIRKS, Player
from players.factory import make_players
from players.model import Endpoint, EndpointError, ModelClient, Price
from tests.support.stub_openai import AS_WE_CALL_THEM, FAULTS, Stub, running


async def play(stub: Stub, folder: Path, *seeds: int, budget: Budget | None = None, **options: object) -> list[Line]:
    """Games against the stub; its lines."""
    given = {"timeout": 60.0, "backoff": 0.0, "deadline": 120.0, **options}
    client = ModelClient(Endpoint.model_validate({"model": "stub", "base_url": stub.url, **given}), aiohttp=True)
    lines: list[Line] = []

    def seating(setup: Setup) -> dict[int, Player]:
        return make_players(setup, dict.fromkeys(range(1, setup.size + 1), "model"), client=client)

    setups = [deal("tournament", 9, seed=seed, lang="en") for seed in seeds]
    try:
        await simulate_models(setups, seating, folder, parallel=4, done=lines.append, budget=budget)
    finally:
        await client.close()
    return lines


@pytest.mark.parametrize("fault", FAULTS)
async def test_every_game_ends_and_every_fault_is_counted(tmp_path: Path, fault: str) -> None:
    hangs = fault == "hang"  # the only fault that takes time: a limit that a busy machine does not reach by itself
    async with running(Stub(faults={fault: 0.03 if hangs else 0.3})) as stub:
        lines = await play(stub, tmp_path, 1, 2, timeout=2.0 if hangs else 60.0)
    assert [line.status for line in lines] == ["finished"] * 2
    seen = sum((Counter(line.faults) for line in lines), Counter[str]())
    assert sum(line.calls for line in lines) == stub.asked
    assert seen[AS_WE_CALL_THEM[fault]] == stub.sent[fault] > 0
    for line in lines:
        record = read_record(Path(line.record))
        asked = [one for decision in record.decisions for one in (*decision.asked, *decision.aside)]
        assert line.substituted == dict(Counter(one.fallback for one in asked if one.fallback))
        useless = [one for one in asked if one.fallback]
        assert all(one.calls[-1].fault == one.fallback for one in useless)
        used = [one.calls[-1] for one in asked if one.calls and not one.fallback]
        assert all(call.fault in QUIRKS or not call.fault for call in used)


async def test_a_mixture_of_faults(tmp_path: Path) -> None:
    async with running(Stub(faults=dict.fromkeys([one for one in FAULTS if one != "hang"], 0.033))) as stub:
        lines = await play(stub, tmp_path, *range(1, 6))
    assert {line.status for line in lines} == {"finished"}
    seen = sum((Counter(line.faults) for line in lines), Counter[str]())
    for name in set(AS_WE_CALL_THEM.values()):
        assert seen[name] == sum(stub.sent[fault] for fault, called in AS_WE_CALL_THEM.items() if called == name)


@pytest.mark.parametrize("fault", ["malformed", "refusal", "http429"])
async def test_a_model_that_never_answers_has_no_winner(tmp_path: Path, fault: str) -> None:
    async with running(Stub(faults={fault: 1.0})) as stub:
        (line,) = await play(stub, tmp_path, 1)
    assert (line.status, line.winners) == ("failed", ())
    assert "gave no usable answer" in line.reason


async def test_strict_stops_at_the_first_useless_reply(tmp_path: Path) -> None:
    async with running(Stub(faults={"malformed": 0.5})) as stub:
        with pytest.raises(EndpointError, match="unparsable"):
            await play(stub, tmp_path, 1, strict=True)
    assert not any(entry.endswith(".jsonl") for entry in os.listdir(tmp_path))


async def test_a_dead_server_pauses_the_table_and_it_goes_on(tmp_path: Path) -> None:
    setup = deal("tournament", 9, seed=3, lang="en")
    store = Store(tmp_path)
    async with running(Stub()) as stub:
        client = ModelClient(Endpoint(model="stub", base_url=stub.url, backoff=0, outage="pause", attempts=1))
        players = make_players(setup, dict.fromkeys(range(1, 10), "model"), client=client)
        table = Table.new(setup, players, store, game_id="g")
        stub.faults = {"http500": 0.2}
        with pytest.raises(EndpointError):
            await table.run()
        asked, stub.faults = len(stub.requests), {}
        assert not table.over
        await table.run()
        assert table.result is not None
        assert table.result.status == "finished"
        assert table.course.fallbacks == 0
        assert table.course.calls < len(stub.requests) <= table.course.calls + asked
        await client.close()
    await table.close()
    store.close()


async def test_a_budget_ends_the_game_without_a_winner(tmp_path: Path) -> None:
    price = Price(input=1.0, output=2.0)
    async with running(Stub()) as stub:
        (line,) = await play(stub, tmp_path / "a", 1, budget=Budget(tokens=2500))
        assert (line.status, line.winners) == ("unfinished", ())
        assert 2500 <= line.tokens_in + line.tokens_out < 2500 + 9 * 110
        (line,) = await play(stub, tmp_path / "b", 1, budget=Budget(cost=0.002, price=price.of))
    assert line.status == "unfinished"
    assert line.cost is not None
    assert line.cost >= 0.002
    assert line.cost == pytest.approx(price.of(line.tokens_in, line.tokens_out, 0))


async def test_a_resumed_seat_remembers_what_it_thought_and_nobody_else_does(tmp_path: Path) -> None:
    setup = deal("tournament", 9, seed=3, lang="en")
    seats = dict.fromkeys(range(1, 10), "model")

    async def asked(stub: Stub, folder: Path, stop: int | None) -> set[str]:
        """A whole game with a break after `stop` decisions; what was asked in it."""
        client = ModelClient(Endpoint(model="stub", base_url=stub.url))
        store, breaks = Store(folder), list[asyncio.Task[None]]()

        def updated() -> None:
            if stop is not None and table.course.n >= stop and not breaks:
                breaks.append(asyncio.create_task(table.pause()))

        table = Table.new(setup, make_players(setup, seats, client=client), store, game_id="g", on_update=updated)
        await table.run()
        if stop is not None:
            await breaks[0]
            await table.close()
            table = Table.resume(store, "g", lambda setup, _: make_players(setup, seats, client=client))
            await table.run()
        assert table.over
        await table.close()
        await client.close()
        store.close()
        return {str(request["messages"]) for request in stub.requests}

    async with running(Stub(thoughtful=True)) as stub:
        whole = await asked(stub, tmp_path / "whole", None)
    async with running(Stub(thoughtful=True)) as stub:
        assert await asked(stub, tmp_path / "broken", 12) == whole
    assert sum("you thought: " in one for one in whole) > 10
