"""Many network tables on the loopback, one door, and what they leave in memory.

python -m benchmarks.net_soak [TABLES] [AT_ONCE]: one line for every tenth of them. Memory is flat when the last lines
say the same.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from engine.setup import deal
from judge.lines import plain
from judge.store import Store
from net.client import Client
from net.door import Door
from net.table import Manners, RemoteTable
from players.aiwolf.packets import DECKS
from players.base import Player
from players.builtin import BuiltinPlayer
from players.remote.wire import Asked

SEATS = (1, 2)
"""Played over sockets; the other three are built-in."""


async def client(url: str, token: str, seed: int) -> None:
    """A seat that answers at random."""
    rng, line = Random(seed), Client(url, token)
    async for frame in line.frames():
        if isinstance(frame, Asked):
            await line.answer(frame.id, plain(frame.ask.random(rng)))


async def one_table(door: Door, url: str, store: Store, seed: int) -> None:
    """A game of five. Raises RuntimeError if it does not end by its rules."""
    setup = deal("japanese", 5, deck=DECKS[5], seed=seed)
    remote = RemoteTable(door, SEATS, Manners(seconds=60.0))
    others: dict[int, Player] = {seat: BuiltinPlayer(seat) for seat in range(1, 6) if seat not in SEATS}
    remote.deal(setup, others, store)
    clients = [asyncio.ensure_future(client(url, remote.tokens[seat], seed)) for seat in SEATS]
    result = await remote.play()
    await asyncio.gather(*clients)
    remote.forget()
    if result is None or result.status != "finished":
        raise RuntimeError(f"table {seed}: {result}")


def resident() -> float:
    """Memory of this process now, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


async def soak(tables: int, at_once: int) -> list[float]:
    """Play them all. Returns the memory after every tenth of them, in MiB."""
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        door, store = Door(), Store(Path(folder))
        url = f"ws://127.0.0.1:{await door.start('127.0.0.1', 0)}"
        room, began = asyncio.Semaphore(at_once), time.monotonic()

        async def seated(seed: int) -> None:
            async with room:
                await one_table(door, url, store, seed)

        step = max(1, tables // 10)
        for start in range(0, tables, step):
            await asyncio.gather(*(seated(seed) for seed in range(start, min(start + step, tables))))
            gc.collect()
            memory.append(resident())
            print(f"{min(start + step, tables):5d} tables  {time.monotonic() - began:6.1f} s  {memory[-1]:7.1f} MiB")
        await door.stop()
        store.close()
    return memory


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    asyncio.run(soak(*(words + [200, 10][len(words) :])))
