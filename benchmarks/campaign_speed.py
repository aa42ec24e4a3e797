"""What a campaign with models takes of the machine, and how its tokens grow; against a server on loopback.

From the folder of the project: python -m benchmarks.campaign_speed speed --at-once 1 100 1000
                                python -m benchmarks.campaign_speed growth
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from arena.campaign.journal import Bench
from arena.campaign.limits import Caps, Gate, Purse, Throttle
from arena.campaign.plan import Plan, Table, code_hash, write_plan
from arena.campaign.run import Report, Runner, open_client, opened
from players.model import Endpoint
from tests.support.stub_openai import Stub, running

CHARACTERS = 4  # of English in a token, about


class Server(Stub):
    """Answers after a while; counts a token for every four characters of the prompt."""

    def answer(self, request: dict[str, Any], fault: str = "") -> tuple[int, dict[str, Any]]:
        status, body = super().answer(request, fault)
        self.requests.clear()
        prompt = sum(len(message["content"]) for message in request["messages"])
        body["usage"] = {"prompt_tokens": prompt // CHARACTERS, "completion_tokens": 60, "total_tokens": 0}
        return status, body


def serve(pipe: Connection) -> None:
    """The server, in a process of its own."""

    async def until_told() -> None:
        async with running(Server()) as stub:
            pipe.send(stub.url)
            await asyncio.to_thread(pipe.recv)

    asyncio.run(until_told())


async def play(folder: Path, url: str, table: Table, games: int, at_once: int, questions: int) -> tuple[Report, int]:
    """Play, at most so many questions; returns the report and how many were asked."""
    write_plan(folder, Plan(table, seeds=games, code=code_hash()))
    client, http = open_client(Endpoint(model="stub", base_url=url, outage="pause", parallel=64))
    try:
        with opened(folder) as ledger:
            bench = Bench(client, Gate(Throttle(64), Purse(Caps(), {})))
            runner = Runner(ledger, parallel=at_once, benches={"": bench})

            loop = asyncio.get_running_loop()

            def look() -> None:
                if bench.answered >= questions:
                    runner.stop("enough")
                else:
                    loop.call_later(0.05, look)

            look()
            return await runner.run(), bench.answered
    finally:
        await client.close()
        await http.aclose()


def speed(url: str, at_once: int, questions: int, pipe: Connection) -> None:
    """One measurement, in a process of its own: its memory is its own too."""

    def rss() -> float:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20

    table = Table(players=("model",), lang="en", model="stub", max_days=6)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder, "warm"), url, table, 1, 1, 30))
        before, began, used = rss(), time.monotonic(), time.process_time()
        report, asked = asyncio.run(play(Path(folder, "run"), url, table, max(at_once, 2), at_once, questions))
        wall, cpu = time.monotonic() - began, time.process_time() - used
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send(
        {
            "games at once": at_once, "questions": asked, "games done": report.totals.done,
            "questions/s": round(asked / wall, 1), "CPU ms a question": round(1000 * cpu / asked, 2),
            "MiB before": round(before), "MiB at most": round(peak),
            "KiB a running game": round(1024 * (peak - before) / at_once),
        }
    )  # fmt: skip


def growth(url: str, pipe: Connection) -> None:
    """Tokens and questions a game, by seats and by days."""
    rows = list[dict[str, object]]()
    for seats, days, games in (
        (9, 1, 6),
        (9, 2, 6),
        (9, 3, 6),
        (9, 4, 6),
        (10, 2, 6),
        (12, 2, 6),
        (14, 2, 6),
        (9, 2, 24),
    ):
        table = Table(seats=seats, players=("model",), lang="en", model="stub", max_days=days)
        with tempfile.TemporaryDirectory() as folder:
            report, asked = asyncio.run(play(Path(folder), url, table, games, 6, 10**9))
            played = sum(path.stat().st_size for path in Path(folder, "games").rglob("*.jsonl"))
            ledger = Path(folder, "ledger.sqlite").stat().st_size
        rows.append(
            {
                "seats": seats, "days at most": days, "games": games, "questions a game": round(asked / games),
                "tokens sent a game": round(report.totals.tokens_in / games),
                "tokens a question": round(report.totals.tokens_in / asked),
                "KiB of record a game": round(played / 1024 / games), "KiB of ledger": round(ledger / 1024),
            }
        )  # fmt: skip
    pipe.send(rows)


def main() -> None:
    """Read the numbers, run, print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("what", choices=["speed", "growth"])
    ask.add_argument("--at-once", type=int, nargs="+", default=[1, 100, 1000])
    ask.add_argument("--questions", type=int, default=3000, help="per measurement; at one game at once a tenth of them")
    given = ask.parse_args()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    url = ours.recv()
    result, sender = context.Pipe(duplex=False)
    if given.what == "growth":
        jobs = [context.Process(target=growth, args=(url, sender))]
    else:
        jobs = [
            context.Process(target=speed, args=(url, n, given.questions if n > 1 else given.questions // 10, sender))
            for n in given.at_once
        ]
    for job in jobs:
        job.start()
        print(json.dumps(result.recv(), indent=1))
        job.join()
    ours.send("enough")
    server.join()


if __name__ == "__main__":
    main()
