"""One run of a campaign in a process of its own, for tests that kill it: FOLDER URL PARALLEL SEED LIMIT.

SEED: of the jumps of every clock that may jump; 0: they go as they should. LIMIT: bytes that a file may have, 0: any.
"""

import asyncio
import resource
import sys
import time
from pathlib import Path
from random import Random

from arena.campaign.journal import Bench
from arena.campaign.limits import Caps, Gate, Purse, Throttle
from arena.campaign.run import Report, Runner, open_client, opened
from players.model import Endpoint


class Jumping:
    """A clock that now and then jumps hours ahead or back."""

    def __init__(self, seed: int) -> None:
        self._rng, self._off = Random(seed), 0.0

    def __call__(self) -> float:
        if self._rng.random() < 0.01:
            self._off += self._rng.choice((-7200.0, 3600.0, 86_400.0))
        return time.monotonic() + self._off


async def run(folder: Path, url: str, parallel: int, seed: int) -> Report:
    clock = Jumping(seed) if seed else time.monotonic
    time.time = clock if seed else time.time
    endpoint = Endpoint(model="stub", base_url=url, outage="pause", backoff=0.001, parallel=64, breaker=200)
    client, http = open_client(endpoint)
    try:
        with opened(folder, other_code=True) as ledger:
            throttle = Throttle(64, requests=6e6, tokens=6e9, clock=clock)
            bench = Bench(client, Gate(throttle, Purse(Caps(), ledger.spent())))
            return await Runner(ledger, parallel=parallel, benches={"": bench}).run()
    finally:
        await client.close()
        await http.aclose()


if __name__ == "__main__":
    where, address, at_once, jumps, limit = sys.argv[1:]
    if int(limit):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    report = asyncio.run(run(Path(where), address, int(at_once), int(jumps)))
    print(report.stopped, file=sys.stderr)
    sys.exit(3 if report.stopped else 0)
