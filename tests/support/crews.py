"""A campaign with models on workers that are killed: one ledger, and the server's count. For tests and benchmarks."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec

from arena.campaign.crew import Executor, Job, conduct
from arena.campaign.limits import Caps, Gate, Purse, Throttle
from arena.campaign.plan import Plan, Table, code_hash, encode, write_plan
from arena.campaign.run import opened
from arena.campaign.verify import verify
from arena.campaign.wire import Authority
from tests.support.ordeal import CountingStub, _answered
from tests.support.stub_openai import running


async def crew_ordeal(
    folder: Path, executor: Executor, pids: Callable[[], list[int]], *, games: int, kills: int, per_kill: int,
    seed: int, batch: int = 4, faults: float = 0.05,
) -> dict[str, int]:  # fmt: skip
    """Play on an executor whose workers (pids) are killed after 1 to 2 * per_kill requests; assert what must hold."""
    table = Table(deck={"werewolf": 2, "seer": 1, "villager": 3}, seats=6, players=("model",), lang="en", model="stub",
                  max_days=4)  # fmt: skip
    write_plan(folder, Plan(table, seeds=games, code=code_hash()))
    stub, rng, killed = CountingStub(seed, faults), Random(seed), 0
    marks: list[tuple[int, set[str]]] = []
    async with running(stub):
        with (
            opened(folder, other_code=True) as ledger,
            Authority(ledger, Gate(Throttle(64), Purse(Caps(), ledger.spent()))) as authority,
        ):
            endpoint = {"model": "stub", "base_url": stub.url, "outage": "pause", "backoff": 0.001, "breaker": 200}
            kind = Job(encode(ledger.plan), (), msgspec.json.encode(endpoint), authority.address, authority.word)
            work = asyncio.create_task(
                asyncio.to_thread(
                    conduct, ledger, executor, batch=batch, kind=kind, halted=lambda: authority.halted
                )
            )  # fmt: skip
            while killed < kills and not work.done():
                stub.aim(rng.randint(1, 2 * per_kill))
                reached = asyncio.create_task(stub.reached.wait())
                await asyncio.wait([reached, work], return_when=asyncio.FIRST_COMPLETED)
                reached.cancel()
                if (alive := pids()) and not work.done():
                    marks.append((len(stub.log), _answered(folder)))
                    with suppress(ProcessLookupError):
                        os.kill(rng.choice(alive), signal.SIGKILL)
                        killed += 1
            report = await work
            assert not report.stopped, report.stopped
            findings = list(verify(ledger))
            assert not findings, findings[:3]
            assert report.totals.done == games
    for at, kept in marks:
        again = {key for key, _ in stub.log[at:]} & kept
        assert not again, "a question was asked again after its answer had been kept"
    twice = Counter(key for key, good in stub.log if good)
    return {
        "games": games, "answers": report.totals.answers, "requests": len(stub.log), "kills": killed,
        "asked twice": sum(count - 1 for count in twice.values()),
    }  # fmt: skip
