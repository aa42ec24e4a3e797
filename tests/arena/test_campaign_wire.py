"""One ledger, workers in other processes: they may die, and a stranger is told nothing."""

import asyncio
from pathlib import Path

import pytest

from arena.campaign.crew import Processes
from arena.campaign.ledger import Answered, Ledger, Lost
from arena.campaign.limits import Caps, Halt, Purse
from arena.campaign.plan import Plan, Table, write_plan
from arena.campaign.wire import Authority, FarPurse, Keep, Line, Reserve
from tests.support.crews import crew_ordeal


async def test_workers_that_are_killed_lose_nothing_that_was_kept(tmp_path: Path) -> None:
    executor = Processes(2)
    counted = await crew_ordeal(tmp_path, executor, executor.pids, games=10, kills=2, per_kill=40, seed=5)
    assert counted["kills"] == 2
    assert counted["answers"] + counted["asked twice"] <= counted["requests"]


async def test_reservations_of_a_dead_worker_are_free_again_and_strangers_are_refused(tmp_path: Path) -> None:
    write_plan(tmp_path, Plan(Table(), seeds=2))
    ledger = Ledger(tmp_path)
    purse = Purse(Caps(tokens=1000), {})
    with Authority(ledger, purse) as authority:
        stranger = await Line.open(authority.address, "guess")
        with pytest.raises(Halt, match="gone"):
            await stranger.ask(Reserve(1, "m", 1, 0.0))
        await stranger.close()

        dead = await Line.open(authority.address, authority.word)
        await dead.ask(Reserve(1, "m", 900, 0.0))
        alive = await Line.open(authority.address, authority.word)
        waiting = asyncio.create_task(_one(FarPurse(alive)))
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


async def _one(purse: FarPurse) -> None:
    async with purse.reserve("m", 500, 0.0) as settle:
        settle(300, 0.25)
