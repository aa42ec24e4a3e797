"""The store: what it survives."""

import asyncio
import threading
from pathlib import Path

import pytest

from judge.store import Store


@pytest.mark.parametrize("turns", range(8))
def test_no_thread_of_the_checkpoints_outlives_its_loop(tmp_path: Path, turns: int) -> None:
    """Left in the middle of opening, using or closing: a thread that still answers a closed loop prints a traceback."""
    store, before = Store(tmp_path), set(threading.enumerate())

    async def use() -> None:
        async with store.open_checkpoints() as connection:
            for _ in range(3):
                await connection.execute("SELECT 1")

    async def leave() -> None:
        using = asyncio.create_task(use())
        for _ in range(turns):
            await asyncio.sleep(0)
        using.cancel()  # and once more by asyncio.run

    asyncio.run(leave())
    store.close()
    assert set(threading.enumerate()) <= before
