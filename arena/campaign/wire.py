"""One ledger for workers anywhere: questions wait for their turn, are reserved and kept over a connection to it.

All limits are the authority's, so they hold for all workers together: requests and tokens a minute, what is under way,
the rest that a server asked one of the workers for, and the caps.

A worker that dies closes its connection, and what it had reserved is free again; what it had kept is kept. A lease
that was given to somebody else since is refused by its fence, on this wire as in the ledger. Frames are msgpack with
their length in front; a connection begins with the word that only the campaign's own workers were given.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import msgspec

from arena.campaign.crew import Job, Played
from arena.campaign.desk import Desk
from arena.campaign.journal import Bench
from arena.campaign.ledger import Answered, Lease, Ledger, LedgerError, Lost
from arena.campaign.limits import Gate, Halt, Took
from arena.campaign.limits import Settle as Settler
from arena.campaign.plan import Plan
from arena.campaign.play import play_to
from players.base import SeatDown
from players.model import Endpoint

FRAME = 4 << 20  # bytes of one message at most
GREETING = 10.0  # seconds in which a connection must say the word


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The first message of a connection."""

    word: str


class Reserve(msgspec.Struct, frozen=True, tag=True):
    """May this question go? It is answered when it may. hold: the worker's number for it."""

    hold: int
    account: str
    tokens: int
    cost: float


class Settle(msgspec.Struct, frozen=True, tag=True):
    """What it really took; None, if it never went."""

    hold: int
    took: Took | None = None


class Keep(msgspec.Struct, frozen=True, tag=True):
    """An answer, under a lease's fence."""

    fence: int
    row: Answered


class Said(msgspec.Struct, frozen=True, tag=True):
    """What came of a message. refused: empty, or halt, lost or ledger; words: why."""

    refused: str = ""
    words: str = ""


Message = Hello | Reserve | Settle | Keep
Framed = tuple[int, Message]
Holds = dict[int, tuple[AsyncExitStack, Settler]]
_read_message, _read_said = msgspec.msgpack.Decoder(Framed).decode, msgspec.msgpack.Decoder(tuple[int, Said]).decode
_encode = msgspec.msgpack.Encoder().encode


async def _receive(reader: asyncio.StreamReader) -> bytes:
    size = int.from_bytes(await reader.readexactly(4), "big")
    if size > FRAME:
        raise ConnectionError("a frame is too long")
    return await reader.readexactly(size)


def _frame(message: object) -> bytes:
    data = _encode(message)
    return len(data).to_bytes(4, "big") + data


class Authority:
    """The ledger's side, in a thread of its own. Use as a context."""

    def __init__(self, ledger: Ledger, gate: Gate, host: str = "127.0.0.1") -> None:
        """gate: of all workers' questions.

        host: the address to listen at; workers elsewhere must reach it, so choose a network that is yours."""
        self._ledger, self._gate, self._host = ledger, gate, host
        self.word = secrets.token_urlsafe(24)
        self.address = ""
        self.halted = ""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="authority", daemon=True)
        self._ready, self._end = threading.Event(), asyncio.Event()

    def __enter__(self) -> Authority:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def halt(self, why: str) -> None:
        """Let no question go any more."""
        self.halted = self.halted or why

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._desk = Desk(self._ledger, self.halt)
        self._talks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._connected, self._host, 0)
        self.address = f"{self._host}:{server.sockets[0].getsockname()[1]}"
        self._ready.set()
        await self._end.wait()
        server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._desk.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self._talks.add(talk)
        holds: Holds = {}
        under_way: set[asyncio.Task[None]] = set()
        try:
            async with asyncio.timeout(GREETING):
                _, hello = _read_message(await _receive(reader))
            if not isinstance(hello, Hello) or not hmac.compare_digest(hello.word, self.word):
                return
            while True:
                number, message = _read_message(await _receive(reader))
                task = asyncio.create_task(self._answer(number, message, holds, writer))
                under_way.add(task)
                task.add_done_callback(under_way.discard)
        except (OSError, EOFError, TimeoutError, msgspec.MsgspecError, asyncio.CancelledError):
            pass  # the worker is gone, or was none of ours
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
            for stack, _ in holds.values():
                await stack.aclose()
            writer.close()
            self._talks.discard(talk)

    async def _answer(self, number: int, message: Message, holds: Holds, writer: asyncio.StreamWriter) -> None:
        said = Said()
        try:
            match message:
                case Reserve(hold, account, tokens, cost):
                    async with AsyncExitStack() as stack:
                        settle = await stack.enter_async_context(self._gate.question(account, tokens, cost))
                        if self.halted:
                            raise Halt(self.halted)
                        holds[hold] = stack.pop_all(), settle
                case Settle(hold, took):
                    if hold in holds:
                        stack, settle = holds.pop(hold)
                        if took is not None:
                            settle(took)
                        await stack.aclose()
                case Keep(fence, row):
                    await self._desk.put(fence, row)
                case _:
                    said = Said("ledger", "unknown")
        except Halt as error:
            self.halt(error.reason)
            said = Said("halt", error.reason)
        except Lost as error:
            said = Said("lost", str(error))
        except LedgerError as error:
            self.halt(str(error))
            said = Said("ledger", str(error))
        with suppress(OSError):
            writer.write(_frame((number, said)))
            await writer.drain()


class Line:
    """A worker's side: asks, and waits for what comes of it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._waiting: dict[int, asyncio.Future[Said]] = {}
        self._number = 0
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def open(cls, address: str, word: str) -> Line:
        """A connection to the authority. Raises OSError."""
        host, _, port = address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        line = cls(reader, writer)
        writer.write(_frame((0, Hello(word))))
        return line

    async def ask(self, message: Message) -> None:
        """Raises Halt (also where the authority is gone), Lost, LedgerError."""
        if self._listening.done():
            raise Halt("the process that keeps the ledger is gone")
        self._number += 1
        future = self._waiting[self._number] = asyncio.get_running_loop().create_future()
        self._writer.write(_frame((self._number, message)))
        said = await future
        if said.refused:
            raise {"halt": Halt, "lost": Lost}.get(said.refused, LedgerError)(said.words)

    async def _listen(self) -> None:
        try:
            while True:
                number, said = _read_said(await _receive(self._reader))
                if (future := self._waiting.pop(number, None)) is not None and not future.done():
                    future.set_result(said)
        except (OSError, EOFError, msgspec.MsgspecError):
            for future in self._waiting.values():
                if not future.done():
                    future.set_result(Said("halt", "the process that keeps the ledger is gone"))

    async def close(self) -> None:
        """Hang up."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        self._writer.close()


class FarGate(Gate):
    """The authority's gate, over the line."""

    def __init__(self, line: Line) -> None:
        self._line, self._holds = line, 0

    @asynccontextmanager
    async def question(self, account: str, tokens: int, cost: float) -> AsyncIterator[Settler]:
        """As Gate.question. Raises Halt."""
        self._holds += 1
        hold, taken = self._holds, list[Took]()
        await self._line.ask(Reserve(hold, account, tokens, cost))
        try:
            yield taken.append
        finally:
            await self._line.ask(Settle(hold, taken[0] if taken else None))


async def play_paid(plan: Plan, job: Job) -> tuple[Played, ...]:
    """The games of a job side by side, by models; those that stopped are not among what is returned."""
    from arena.campaign.run import open_client

    given = msgspec.json.decode(job.endpoint)
    endpoint = Endpoint.model_validate({**given, "api_key": os.environ.get("OPENAI_API_KEY")})
    line = await Line.open(job.address, job.word)
    client, http = open_client(endpoint)
    try:
        bench = Bench(client, FarGate(line))
        played = await asyncio.gather(*(_play_one(plan, lease, bench, line, job) for lease in job.leases))
    finally:
        await client.close()
        await http.aclose()
        await line.close()
    return tuple(one for one in played if one is not None)


async def _play_one(plan: Plan, lease: Lease, bench: Bench, line: Line, job: Job) -> Played | None:
    async def keep(row: Answered) -> None:
        await line.ask(Keep(lease.fence, row))

    try:
        end, record = await play_to(plan, lease, {"": bench}, keep, job.caps)
    except Halt as error:
        bench.stopping = bench.stopping or error.reason
        return None
    except (SeatDown, Lost):
        return None
    return Played(lease.fence, end, record)
