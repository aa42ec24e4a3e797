"""Puts what the games of one event loop bring into the ledger: many at a time, in one transaction and one sync."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from arena.campaign.ledger import Answered, Ended, Ledger, LedgerError, Lost

RESERVE = 16 << 20  # bytes
Entry = tuple[int, Answered | Ended]
"""A lease's fence, and what it brings."""


class Desk:
    """Use it from one event loop; `close` when all games have ended."""

    def __init__(self, ledger: Ledger, on_full: Callable[[str], None]) -> None:
        """on_full: told why nothing more may be asked for; what is under way still finds room."""
        self._ledger, self._on_full, self._full = ledger, on_full, False
        self._reserve = ledger.folder / "reserve"
        self._hold_room()
        self._tell()
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    def keeper(self, fence: int) -> Callable[[Answered], Awaitable[None]]:
        """Keeps the answers of one lease."""

        async def keep(row: Answered) -> None:
            await self.put(fence, row)

        return keep

    async def put(self, fence: int, what: Answered | Ended) -> None:
        """Returns when it is on the disk. Raises Lost, LedgerError."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(((fence, what), future))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await future

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                results = await loop.run_in_executor(self._thread, self._commit, [entry for entry, _ in batch])
                self._tell()
                for (_, future), error in zip(batch, results, strict=True):
                    if future.done():  # its game was cancelled; what it brought is kept all the same
                        continue
                    if error is None:
                        future.set_result(None)
                    else:
                        future.set_exception(error)
        finally:
            self._writing = None

    def _commit(self, entries: list[Entry]) -> list[Exception | None]:
        """Commit all together; where a lost lease spoils that, each by itself."""
        try:
            try:
                self._ledger.record(entries)
            except LedgerError as error:
                if not error.full or not self._reserve.exists():
                    raise
                self._reserve.unlink()
                self._full = True
                self._ledger.record(entries)
        except Lost as error:
            if len(entries) == 1:
                return [error]
            return [self._commit([entry])[0] for entry in entries]
        except Exception as error:
            return [error] * len(entries)
        return [None] * len(entries)

    def _tell(self) -> None:
        if self._full:
            self._on_full("the disk is full; free some space and run it again, nothing is lost")

    def _hold_room(self) -> None:
        """Hold room for the answers that are under way when the disk becomes full: they are paid for."""
        if self._reserve.exists():
            return
        try:
            self._reserve.write_bytes(bytes(RESERVE))
        except OSError:
            self._reserve.unlink(missing_ok=True)
            self._full = True

    async def close(self) -> None:
        """Wait for what is being written."""
        while self._writing is not None:
            await asyncio.wait([self._writing])
        self._thread.shutdown()
