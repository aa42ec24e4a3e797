"""Whole games of model seats against a server that fails: all must end, and every fault must be in the record.

    python -m benchmarks.model_faults -n 500

Each game has nine model seats on the tournament table. Faults come with 30 % of the replies (hangs: 3 %), one kind at a
time and then all mixed; at last a server that only fails, whose games must end as failed. The server counts what it
sent, and the counts must be those of the records.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from arena.simulate import Line, simulate_models
from engine.setup import Setup, deal
from judge.record import read_record
from players.base import QUIRKS, Player
from players.factory import make_players
from players.model import Endpoint, ModelClient, ModelPlayer
from tests.support.stub_openai import AS_WE_CALL_THEM, FAULTS, Stub, running

SHARE = 0.3
HUNG = 0.03
DEAD_GAMES = 24  # at most, with a server that only fails: more of them open the breaker, and that waits
TIMEOUT = 3.0  # seconds, for the runs in which replies hang
MODES: dict[str, dict[str, float]] = {
    **{fault: {fault: HUNG if fault == "hang" else SHARE} for fault in FAULTS},
    "cut-stream": {"cut": SHARE},
    "mixture": {fault: SHARE / len(FAULTS) for fault in FAULTS},
    "only-http500": {"http500": 1.0},
    "only-malformed": {"malformed": 1.0},
}


async def run(mode: str, games: int, parallel: int, folder: Path) -> tuple[list[Line], Stub]:
    """Games against a server with these faults."""
    faults = MODES[mode]
    async with running(Stub(faults=faults, keep=False)) as stub:
        endpoint = Endpoint(
            model="stub", base_url=stub.url, backoff=0.01, breaker=1000, parallel=9 * parallel, deadline=600,
            timeout=TIMEOUT if "hang" in faults else 120.0, attempts=2 if mode.startswith("only") else 4,
        )  # fmt: skip
        client = ModelClient(endpoint, aiohttp=True)
        lines: list[Line] = []

        def seating(setup: Setup) -> dict[int, Player]:
            players = make_players(setup, dict.fromkeys(range(1, setup.size + 1), "model"), client=client)
            for player in players.values():
                if mode == "cut-stream" and isinstance(player, ModelPlayer):
                    player.live = lambda seat, words: None  # somebody listens, so speeches are streamed
            return players

        setups = (deal("tournament", 9, seed=seed, lang="en") for seed in range(1, games + 1))
        try:
            await simulate_models(setups, seating, folder, parallel=parallel, done=lines.append)
        finally:
            await client.close()
    return lines, stub


def problems(mode: str, lines: list[Line], stub: Stub) -> list[str]:
    """What is not as it must be."""
    found: list[str] = []
    wanted = "failed" if mode.startswith("only") else "finished"
    found += [f"{line.game} is {line.status}: {line.reason}" for line in lines if line.status != wanted]
    found += [f"{line.game} failed and has a winner" for line in lines if line.status == "failed" and line.winners]
    seen = sum((Counter(line.faults) for line in lines), Counter[str]())
    for name in sorted(set(AS_WE_CALL_THEM.values())):
        sent = sum(stub.sent[fault] for fault, called in AS_WE_CALL_THEM.items() if called == name)
        if seen[name] != sent and not (mode.startswith("only") and seen[name] <= sent):
            found.append(f"{name}: {sent} sent, {seen[name]} recorded")
    if not mode.startswith("only") and sum(line.calls for line in lines) != stub.asked:
        found.append(f"{stub.asked} requests, {sum(line.calls for line in lines)} recorded")
    for line in lines:
        asked = [
            one for decision in read_record(Path(line.record)).decisions for one in (*decision.asked, *decision.aside)
        ]
        if line.substituted != dict(Counter(one.fallback for one in asked if one.fallback)):
            found.append(f"{line.game}: substitutions are not those of its record")
        for one in asked:
            if not one.calls:
                continue  # not even sent, since the server was known to be down
            last = one.calls[-1].fault
            if last != one.fallback and not (not one.fallback and last in QUIRKS):
                found.append(
                    f"{line.game}: {one.ask.kind} ended with {last!r} and was substituted for {one.fallback!r}"
                )
    return found


def main() -> int:
    """Run what is asked for and print a row for each mode."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("-n", "--games", type=int, default=500)
    options.add_argument("-j", "--parallel", type=int, default=32)
    options.add_argument("--mode", action="append", choices=tuple(MODES))
    given = options.parse_args()
    bad = 0
    for mode in given.mode or MODES:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            games = min(given.games, DEAD_GAMES) if mode.startswith("only") else given.games
            lines, stub = asyncio.run(run(mode, games, given.parallel, Path(folder)))
            wrong = problems(mode, lines, stub)
        row = {
            "mode": mode, "games": len(lines), "ended": dict(Counter(line.status for line in lines)),
            "calls": sum(line.calls for line in lines), "sent": {k: n for k, n in stub.sent.items() if n},
            "recorded": dict(sum((Counter(line.faults) for line in lines), Counter[str]())),
            "substituted": dict(sum((Counter(line.substituted) for line in lines), Counter[str]())),
            "seconds": round(time.monotonic() - began), "wrong": wrong[:5],
        }  # fmt: skip
        print(json.dumps(row), flush=True)
        bad += bool(wrong)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
