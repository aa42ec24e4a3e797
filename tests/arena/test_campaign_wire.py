"""One ledger, workers in other processes: they may die, and a stranger is told nothing."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from arena.campaign.crew import Job, Processes, conduct
from arena.campaign.ledger import Answered, Ledger, Lost
from arena.campaign.limits import Caps, GameCaps, Gate, Halt, Purse, Throttle, Took
from arena.campaign.plan import Plan, Table, encode, write_plan
from arena.campaign.run import Report, opened
from arena.campaign.wire import Authority, FarGate, Keep, Line, Reserve
from judge.record import read_record
from tests.support.crews import crew_ordeal
from tests.support.ordeal import CountingStub
from tests.support.stub_openai import running


async def test_workers_that_are_killed_lose_nothing_that_was_kept(tmp_path: Path) -> None:
    executor = Processes(2)
    counted = await crew_ordeal(tmp_path, executor, executor.pids, games=10, kills=2, per_kill=40, seed=5)
    assert counted["kills"] == 2
    assert counted["answers"] + counted["asked twice"] <= counted["requests"]


async def test_reservations_of_a_dead_worker_are_free_again_and_strangers_are_refused(tmp_path: Path) -> None:
    write_plan(tmp_path, Plan(Table(), seeds=2))
    ledger = Ledger(tmp_path)
    purse = Purse(Caps(tokens=1000), {})
    with Authority(ledger, Gate(Throttle(9), purse)) as authority:
        stranger = await Line.open(authority.address, "guess")
        with pytest.raises(Halt, match="gone"):
            await stranger.ask(Reserve(1, "m", 1, 0.0))
        await stranger.close()

        dead = await Line.open(authority.address, authority.word)
        await dead.ask(Reserve(1, "m", 900, 0.0))
        alive = await Line.open(authority.address, authority.word)
        waiting = asyncio.create_task(_one(FarGate(alive)))
        await dead.close()
        await waiting
        assert purse.spent() == (300.0, 0.25)

        (lease,) = ledger.lease("a", 1)
        row = Answered(lease.game.id, 1, 0, "p", "r", "m", 1, 1, 1, 0.0, b"x")
        await alive.ask(Keep(lease.fence, row))
        with pytest.raises(Lost):
            await alive.ask(Keep(lease.fence - 1, row))
        with pytest.raises(Halt, match="spent"):
            await alive.ask(Reserve(9, "m", 5000, 0.0))
        assert "spent" in authority.halted
        await alive.close()
    assert len(ledger.answers(lease.game.id)) == 1
    ledger.close()


async def _one(gate: FarGate) -> None:
    async with gate.question("m", 500, 0.0) as settle:
        settle(Took(300, 0.25, 1))


async def test_the_limits_are_those_of_all_workers_together(tmp_path: Path) -> None:
    """Two workers share one window; a 429 that one met halves it and keeps both waiting as long as the server asked."""
    write_plan(tmp_path, Plan(Table(), seeds=1))
    ledger, slept = Ledger(tmp_path), list[float]()
    now, most, under_way = 100.0, 0, 0

    async def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    throttle = Throttle(4, requests=600, clock=lambda: now, sleep=sleep)
    with Authority(ledger, Gate(throttle, Purse(Caps(), {}))) as authority:
        lines = [await Line.open(authority.address, authority.word) for _ in range(2)]
        gates = [FarGate(line) for line in lines]

        async def one(gate: FarGate, took: Took) -> None:
            nonlocal most, under_way
            async with gate.question("m", 10, 0.0) as settle:
                under_way += 1
                most = max(most, under_way)
                await asyncio.sleep(0)
                under_way -= 1
                settle(took)

        await asyncio.gather(*(one(gate, Took(10, 0.0, 1)) for gate in gates for _ in range(10)))
        assert 1 <= most <= 4
        assert sum(slept) >= 0.85  # 20 questions at ten a second, ten of which were saved up
        slept.clear()
        await one(gates[0], Took(0, 0.0, 1, 1, rest=30.0))
        assert throttle.window == 2
        await one(gates[1], Took(10, 0.0, 1))
        assert sum(slept) == pytest.approx(30.0, abs=1.0)
        for line in lines:
            await line.close()
    ledger.close()


async def test_caps_hold_for_far_workers(tmp_path: Path) -> None:
    """A model's cap is kept by the authority, a game's by the worker that plays it."""
    table = Table(
        deck={"werewolf": 2, "seer": 1, "villager": 3}, seats=6, players=("model",), lang="en", model="stub", max_days=4
    )
    stub = CountingStub(1, 0.0)
    price = {"input": 1.0, "output": 1.0}
    async with running(stub):
        endpoint = msgspec.json.encode({"model": "stub", "base_url": stub.url, "outage": "pause", "price": price})

        async def run(folder: Path, caps: Caps, game: GameCaps) -> Report:
            write_plan(folder, Plan(table, seeds=2))
            with opened(folder, other_code=True) as ledger:
                gate = Gate(Throttle(8), Purse(caps, ledger.spent()))
                with Authority(ledger, gate) as authority:
                    kind = Job(encode(ledger.plan), (), endpoint, authority.address, authority.word, game)
                    far = Processes(1)
                    return await asyncio.to_thread(
                        conduct, ledger, far, batch=2, kind=kind, halted=lambda: authority.halted
                    )

        report = await run(tmp_path / "a", Caps(models={"stub": (None, 0.008)}), GameCaps())
        assert "for stub has no room" in report.stopped
        assert 0 < report.totals.cost <= 0.008
        report = await run(tmp_path / "b", Caps(), GameCaps(cost=0.0001))
        assert not report.stopped
        assert report.totals.unfinished == 2
        result = read_record(next((tmp_path / "b" / "games").rglob("*.jsonl"))).result
        assert result is not None
        assert "budget of 0.0001 is spent" in result.reason
