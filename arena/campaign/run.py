"""Running a campaign in one event loop: as many games at once as it may, until all are done or something stops it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.campaign.desk import Desk
from arena.campaign.ledger import Ended, Ledger, LedgerError, Lost, Totals
from arena.campaign.limits import Clock, Diverged, GameCaps, Halt
from arena.campaign.plan import GAMES, CampaignError, Planned, code_hash, record_path
from arena.campaign.play import NO_CAPS, NOBODY, Benches, found, keep_nothing, play
from players.base import SeatDown

if TYPE_CHECKING:
    from players.model import Endpoint, Memory, ModelClient

ATTEMPTS = "attempts"  # the folder of the records of games that were tried again
PAUSED = "paused"  # a file of this name asks the running process to stop
LOOK = 0.5  # seconds between two looks for it
OUTAGES = 5  # games in a row that an outage broke off, with no answer in between, that stop the campaign
STAGGER = 50  # games that begin at once; the others follow when these have yielded


class OtherCode(CampaignError):
    """The code is not the one that the plan was made with."""


class Report(msgspec.Struct, frozen=True):
    """How a run ended. stopped: why it did before all games were done; empty if all are."""

    totals: Totals
    stopped: str = ""


class Rate:
    """How fast games end, over the last of them. The clock may jump: no time counts as negative."""

    def __init__(self, clock: Clock = time.monotonic, window: int = 200) -> None:
        self._clock, self._ends = clock, deque[float]([clock()], maxlen=window)

    def ended(self) -> None:
        """One more."""
        self._ends.append(self._clock())

    def per_second(self) -> float:
        """Games a second; 0 while that is unknown."""
        taken = max(self._ends) - min(self._ends)
        return (len(self._ends) - 1) / taken if taken > 0 else 0.0

    def left(self, games: int) -> float | None:
        """Seconds that so many games will take; None while that is unknown."""
        rate = self.per_second()
        return games / rate if rate else None


@contextmanager
def opened(folder: Path, *, other_code: bool = False) -> Iterator[Ledger]:
    """The ledger of a campaign that is to be run, reconciled with the records that stand there.

    Raises CampaignError, Busy, OtherCode (unless it is allowed: then a place that another code would ask about
    differently stops its game with Diverged).
    """
    ledger = Ledger(folder)
    try:
        if ledger.plan.code != code_hash() and not other_code:
            raise OtherCode(f"{folder}: the campaign was planned with other code ({ledger.plan.code}) than this one")
        reconcile(ledger)
        yield ledger
    finally:
        ledger.close()


def reconcile(ledger: Ledger) -> int:
    """Enter the games whose records stand but which the ledger has not; returns how many. Raises CampaignError."""
    folder, adopted = ledger.folder, 0
    standing = {path.stem for path in (folder / GAMES).glob("??/*.jsonl")}
    for part in (folder / GAMES).glob("??/.*.part"):
        part.unlink(missing_ok=True)
    for game, _, _ in ledger.games("planned") if standing else ():
        if game.id in standing and (end := found(ledger.plan, game, folder)) is not None:
            ledger.adopt(end)
            adopted += 1
    return adopted


def retry(ledger: Ledger) -> int:
    """Let games wait again that failed or ran out of budget; returns how many. Their records are put aside.

    A kill in between leaves a record in its place: the next run enters it as the game's end, as it was. Raises
    CampaignError.
    """
    again = ledger.again()
    for game, attempt in again:
        _put_aside(ledger.folder, game, attempt)
    return len(again)


def _put_aside(folder: Path, game: Planned, attempt: int) -> None:
    record, aside = record_path(folder, game.id), folder / ATTEMPTS / f"{game.id}.{attempt}.jsonl"
    try:
        aside.parent.mkdir(exist_ok=True)
        record.replace(aside)
    except FileNotFoundError:
        return  # its workers died: there never was one
    except OSError as error:
        raise CampaignError(f"{record}: {error.strerror or error}") from error


@contextmanager
def stops_softly(runner: Runner) -> Iterator[None]:
    """The first Ctrl-C waits for what is under way; the second does not. To be used in the runner's event loop."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        runner.stop("stopped")
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(sign)

    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, stop)
    try:
        yield
    finally:
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(sign)


class Runner:
    """Plays what waits in a ledger."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        parallel: int,
        benches: Benches = NOBODY,
        caps: GameCaps = NO_CAPS,
        done: Callable[[Ended], None] | None = None,
        owner: str = "",
    ) -> None:
        """parallel: games under way at once. caps: of each game. done: told of each game as it ends."""
        self.ledger, self.benches, self.caps = ledger, benches, caps
        self.parallel, self.owner = parallel, owner or f"pid {os.getpid()}"
        self._done, self._stopped = done, ""
        self._outages, self._seen = 0, 0

    def stop(self, why: str) -> None:
        """Begin nothing more and ask nothing more; what is under way is waited for and kept."""
        self._stopped = self._stopped or why
        for bench in self.benches.values():
            bench.stopping = self._stopped

    async def run(self) -> Report:
        """Until all games are done or something stops it. Raises what is no Halt of ours."""
        desk, watch = Desk(self.ledger, self.stop), asyncio.create_task(self._watch())
        try:
            async with asyncio.TaskGroup() as group:
                for at in range(self.parallel):
                    group.create_task(self._worker(desk))
                    if at % STAGGER == STAGGER - 1:
                        await asyncio.sleep(0)
        finally:
            watch.cancel()
            await desk.close()
        return Report(self.ledger.totals(), self._stopped)

    async def _watch(self) -> None:
        paused = self.ledger.folder / PAUSED
        while True:
            if paused.exists():
                self.stop("paused")
            await asyncio.sleep(LOOK)

    async def _worker(self, desk: Desk) -> None:
        while not self._stopped:
            try:
                leases = self.ledger.lease(self.owner, 1)
            except LedgerError as error:
                return self.stop(str(error))
            if not leases:
                return
            lease = leases[0]
            keep = desk.keeper(lease.fence) if self.benches else keep_nothing
            try:
                end = await play(self.ledger.plan, lease, self.ledger.folder, self.benches, keep, self.caps)
                await desk.put(lease.fence, end)
            except (Halt, LedgerError) as error:
                self.stop(str(error))
            except Lost:
                continue
            except SeatDown as error:
                self._outage(error)
            else:
                self._ended(end)
                continue
            try:
                self.ledger.release(lease)
            except LedgerError as error:  # the next run finds that nobody plays it
                self.stop(str(error))

    def _ended(self, end: Ended) -> None:
        if self._done is not None:
            self._done(end)

    def _outage(self, error: SeatDown) -> None:
        """The server did not answer; the model client has waited for it already."""
        answered = sum(bench.answered for bench in self.benches.values())
        self._outages = self._outages + 1 if answered == self._seen else 1
        self._seen = answered
        if self._outages >= OUTAGES or isinstance(error, Diverged):
            self.stop(str(error))


def open_client(endpoint: Endpoint, memory: Memory | None = None) -> tuple[ModelClient, Any]:
    """A model client for many requests at once, which names each question; and the transport, to be closed by aclose.

    To be called in the event loop that uses it.
    """
    import httpx2
    from openai import DefaultAioHttpClient

    from arena.campaign.journal import QUESTION
    from players.model import ModelClient

    async def name(request: httpx2.Request) -> None:
        if question := QUESTION.get():
            request.headers["Idempotency-Key"] = question

    limits = httpx2.Limits(max_connections=endpoint.parallel, max_keepalive_connections=endpoint.parallel)
    http = DefaultAioHttpClient(limits=limits, event_hooks={"request": [name]})
    return ModelClient(endpoint, http_client=http, memory=memory), http
