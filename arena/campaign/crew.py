"""A campaign on several processes: one keeps the ledger and places the records, the others only play.

What runs the players is an `Executor`: spawned processes here, Ray tasks in arena.campaign.rays. A worker that dies
takes nothing with it but what it was playing, which is given out again; a game that kills its worker again and again
is given up and says so.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import Protocol

import msgspec

from arena.campaign.ledger import Ended, Lease, Ledger, LedgerError
from arena.campaign.limits import GameCaps, Halt
from arena.campaign.plan import Plan, encode
from arena.campaign.play import NO_CAPS, NOBODY, keep_nothing, play_to, store
from arena.campaign.run import PAUSED, Report

BATCH = 10  # games that a worker is given at once; fewer where workers died of them
DEATHS = 3  # workers that a game may take with it once it is alone
BARREN = 5  # jobs in a row without one game that ended (a dead server), that stop the campaign
LOOK = 1.0  # seconds between two looks for a request to pause


class Job(msgspec.Struct, frozen=True):
    """Games to play. plan: as plan.encode writes it.

    With models: endpoint: as JSON, without its key, which the worker finds in its own environment. address, word: of
    the authority (wire.py). caps: of each game.
    """

    plan: bytes
    leases: tuple[Lease, ...] = ()
    endpoint: bytes = b""
    address: str = ""
    word: str = ""
    caps: GameCaps = NO_CAPS


class Played(msgspec.Struct, frozen=True):
    """A game that ended, with the fence of its lease and its record."""

    fence: int
    end: Ended
    record: bytes


class Executor(Protocol):
    """Plays jobs somewhere else, several at once."""

    slots: int
    """How many jobs it plays at once."""

    def submit(self, job: Job) -> object:
        """Begin a job; returns its ticket."""
        ...

    def wait(self, tickets: Sequence[object], seconds: float) -> list[tuple[object, tuple[Played, ...] | None]]:
        """The jobs that have ended, waiting for the first of them so long; None: its worker died."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...


def conduct(
    ledger: Ledger,
    executor: Executor,
    *,
    done: Callable[[Ended], None] | None = None,
    batch: int = BATCH,
    kind: Job | None = None,
    halted: Callable[[], str] = str,
) -> Report:
    """Play what waits in the ledger on an executor, until all is done or something stops it.

    kind: a job without games, for campaigns with models. halted: why nothing more may begin; empty while it may.
    """
    kind, pending, stopped = kind or Job(encode(ledger.plan)), dict[object, tuple[Lease, ...]](), ""
    barren = 0
    try:
        while True:
            if (ledger.folder / PAUSED).exists():
                stopped = "paused"
            stopped = stopped or halted() or ("no game came to its end" if barren >= BARREN else "")
            while not stopped and len(pending) < executor.slots:
                leases = tuple(ledger.lease("crew", batch))
                if not leases:
                    break
                pending[executor.submit(msgspec.structs.replace(kind, leases=leases))] = leases
            if not pending:
                return Report(ledger.totals(), stopped)
            for ticket, played in executor.wait(list(pending), LOOK):
                leases = pending.pop(ticket)
                if played is None:
                    _died(ledger, leases, DEATHS + batch.bit_length() - 1)
                else:
                    barren = 0 if played else barren + 1
                    _take(ledger, leases, played, done)
    except LedgerError as error:
        return Report(ledger.totals(), str(error))
    except Halt as error:
        return Report(ledger.totals(), error.reason)
    finally:
        executor.close()


def _take(
    ledger: Ledger, leases: Sequence[Lease], played: Sequence[Played], done: Callable[[Ended], None] | None
) -> None:
    """Place the records, then enter the ends; what the worker did not end waits again."""
    for one in played:
        if one.end.sha256:
            store(ledger.folder, one.end.game, one.record)
    ledger.record([(one.fence, one.end) for one in played])
    over = {one.end.game for one in played}
    for lease in leases:
        if lease.game.id not in over:
            ledger.release(lease)
    if done is not None:
        for one in played:
            done(one.end)


def _died(ledger: Ledger, leases: Sequence[Lease], most: int) -> None:
    """Its games wait again; one that was alone when it took its worker with it, the `most`-th time, is given up."""
    for lease in leases:
        deaths = ledger.release(lease, died=True)
        if deaths >= most and len(leases) == 1:
            ledger.adopt(Ended(lease.game.id, "failed", reason=f"{deaths} workers died of it"))


def play_job(job: Job) -> tuple[Played, ...]:
    """Play a job in this process; for the workers."""
    import asyncio

    plan = msgspec.json.decode(job.plan, type=Plan)
    if job.endpoint:
        from arena.campaign.wire import play_paid

        return asyncio.run(play_paid(plan, job))

    async def all_of_it() -> tuple[Played, ...]:
        return tuple([await _one(plan, lease) for lease in job.leases])

    return asyncio.run(all_of_it())


async def _one(plan: Plan, lease: Lease) -> Played:
    end, data = await play_to(plan, lease, NOBODY, keep_nothing)
    return Played(lease.fence, end, data)


class Processes:
    """Spawned processes, each with a pipe: a dead one is noticed by its end, replaced, and breaks nothing else."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._context = multiprocessing.get_context("spawn")
        self._idle: list[_Worker] = []
        self._busy: dict[object, _Worker] = {}
        self._tickets = 0

    def submit(self, job: Job) -> object:
        """Begin a job in an idle or a new process."""
        encoded, worker = msgspec.msgpack.encode(job), None
        while self._idle and worker is None:
            worker = self._idle.pop()
            try:
                worker.pipe.send_bytes(encoded)
            except OSError:  # it died while it had nothing to do
                worker.end()
                worker = None
        if worker is None:
            worker = _Worker(self._context)
            worker.pipe.send_bytes(encoded)
        self._tickets += 1
        self._busy[self._tickets] = worker
        return self._tickets

    def wait(self, tickets: Sequence[object], seconds: float) -> list[tuple[object, tuple[Played, ...] | None]]:
        """The jobs that have ended; None for those whose process died."""
        by_pipe = {self._busy[ticket].pipe: ticket for ticket in tickets}
        ended: list[tuple[object, tuple[Played, ...] | None]] = []
        for pipe in wait(list(by_pipe), seconds):
            assert isinstance(pipe, Connection)
            ticket = by_pipe[pipe]
            worker = self._busy.pop(ticket)
            try:
                played = msgspec.msgpack.decode(pipe.recv_bytes(), type=tuple[Played, ...])
            except (EOFError, OSError):
                worker.end()
                ended.append((ticket, None))
            else:
                self._idle.append(worker)
                ended.append((ticket, played))
        return ended

    def pids(self) -> list[int]:
        """The processes that play now."""
        return [worker.process.pid for worker in self._busy.values() if worker.process.pid is not None]

    def close(self) -> None:
        """End all of them."""
        for worker in (*self._idle, *self._busy.values()):
            worker.end()
        self._idle, self._busy = [], {}


class _Worker:
    def __init__(self, context: multiprocessing.context.SpawnContext) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # or its end would never be noticed

    def end(self) -> None:
        self.pipe.close()
        self.process.kill()
        self.process.join()


def _serve(pipe: Connection) -> None:
    """A worker: plays the jobs that come, until the pipe closes."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that keeps the ledger is told, and ends the others
    while True:
        try:
            job = msgspec.msgpack.decode(pipe.recv_bytes(), type=Job)
        except (EOFError, OSError):
            return
        pipe.send_bytes(msgspec.msgpack.encode(play_job(job)))
