"""A campaign against a faulty server on loopback, killed, with a full disk and jumping clocks; prints what was counted.

From the folder of the project: python -m benchmarks.campaign_kills --games 2000 --kills 20
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from tests.support.ordeal import ordeal


def main() -> None:
    """Read the numbers, run, print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=2000)
    ask.add_argument("--kills", type=int, default=20)
    ask.add_argument("--full", type=int, default=2, help="runs on a full disk among them")
    ask.add_argument("--parallel", type=int, default=50)
    ask.add_argument("--faults", type=float, default=0.05, help="share of the requests that fail")
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    per_run = max(1, int(given.games * 16 / (given.kills + 1)))  # a game takes about 21 requests
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        counted = asyncio.run(
            ordeal(
                Path(folder), games=given.games, kills=given.kills, full=given.full, seed=given.seed,
                parallel=given.parallel, faults=given.faults, per_run=per_run,
            )
        )  # fmt: skip
        print(json.dumps(counted | {"seconds": round(time.monotonic() - began)}, indent=1))


if __name__ == "__main__":
    main()
