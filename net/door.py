"""The door: a WebSocket server that lets the owners of invitations to their lines, and nobody else anywhere.

One door serves many tables; which line a connection gets follows from its token alone. The token travels in the first
frame, so no address and no access log holds it. Only hashes of secrets are kept.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import ssl
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING

import msgspec

from net import page
from players.remote.line import Line, Refused, Session, refuse
from players.remote.wire import (
    FRAME_LIMIT,
    AnswerFrame,
    Bye,
    FrameError,
    Hello,
    ReactFrame,
    frame_text,
    plain_answer,
    read_frame,
)

if TYPE_CHECKING:
    from aiohttp import web

log = logging.getLogger("tianhei.net")
PATH = "/table"


class Limits(msgspec.Struct, frozen=True):
    """hello: seconds until the first frame must be there. strangers: connections without a seat at once.
    rate, burst: frames a second, and at once, of one connection. faults: useless frames until it is closed.
    stall: seconds that a reader may take to take one frame. heartbeat: seconds between pings."""

    hello: float = 10.0
    strangers: int = 64
    rate: float = 10.0
    burst: int = 40
    faults: int = 20
    stall: float = 20.0
    heartbeat: float = 20.0


class Bucket:
    """Counts frames against a rate."""

    def __init__(self, limits: Limits, now: float) -> None:
        self._limits, self._level, self._at = limits, float(limits.burst), now

    def take(self, now: float) -> bool:
        """Whether one more frame is within the rate at this time (seconds)."""
        self._level = min(self._limits.burst, self._level + (now - self._at) * self._limits.rate)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Seatless(Exception):
    """A connection that has no right to a seat."""


class _Invitation:
    """A line with its owner's key once it is claimed."""

    def __init__(self, line: Line) -> None:
        self.line, self.key = line, b""


class Door:
    """The server. `invite` lines, `start`, and `stop`; use it from one event loop."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._invited: dict[bytes, _Invitation] = {}
        self._strangers = 0
        self._runner: web.AppRunner | None = None

    # -- invitations

    def invite(self, line: Line) -> str:
        """A new one-time token for this line: the first who shows it owns the seat."""
        token = secrets.token_urlsafe(18)
        self._invited[_hash(token)] = _Invitation(line)
        return token

    def revoke(self, line: Line) -> None:
        """No token leads to this line any more."""
        self._invited = {hash: one for hash, one in self._invited.items() if one.line is not line}

    def _owner(self, hello: Hello) -> Line:
        """The line that is this client's. Raises Seatless."""
        invitation = self._invited.get(_hash(hello.token))
        if invitation is None:
            raise Seatless
        key = _hash(hello.key)
        if not invitation.key:
            invitation.key = key
        if not compare_digest(invitation.key, key):
            raise Seatless
        return invitation.line

    # -- serving

    def app(self) -> web.Application:
        """The aiohttp application."""
        from aiohttp import web

        app = web.Application(client_max_size=FRAME_LIMIT)
        app.router.add_get(PATH, self._connected)
        page.add_to(app)
        return app

    async def start(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> int:
        """Serve on this address; port 0 takes a free one. Returns the port. Raises OSError."""
        from aiohttp import web

        self._runner = web.AppRunner(self.app(), access_log=None, handle_signals=False, shutdown_timeout=2.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, ssl_context=tls)
        try:
            await site.start()
        except OSError:
            await self.stop()
            raise
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Say goodbye to everybody and close."""
        for one in self._invited.values():
            one.line.hang_up("stopped")
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def _connected(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        if self._strangers >= self.limits.strangers:
            raise web.HTTPServiceUnavailable
        self._strangers += 1
        ws = web.WebSocketResponse(
            max_msg_size=FRAME_LIMIT, heartbeat=self.limits.heartbeat, compress=False, timeout=2.0
        )
        try:
            await ws.prepare(request)
            session = await self._greet(ws)
        finally:
            self._strangers -= 1
        if session is None:
            await self._part(ws, "refused")
            return ws
        try:
            await self._serve(ws, session, request.transport)
        finally:
            session.line.detach(session)
        return ws

    async def _greet(self, ws: web.WebSocketResponse) -> Session | None:
        """The session that the first frame earns."""
        with suppress(TimeoutError, TypeError, FrameError, Seatless, ConnectionError):
            async with asyncio.timeout(self.limits.hello):
                hello = read_frame(await ws.receive_str())
            if isinstance(hello, Hello):
                return self._owner(hello).attach(hello.lang, hello.got)
        return None

    async def _serve(self, ws: web.WebSocketResponse, session: Session, transport: asyncio.Transport | None) -> None:
        """Send what is due and hear what comes, until either ends."""
        tasks = [
            asyncio.ensure_future(self._send(ws, session, transport)),
            asyncio.ensure_future(self._hear(ws, session)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not tasks[0].done():  # the hearer ended: a flood is told so, a dropped line is gone
                session.end("gone")
                await asyncio.wait(tasks[:1], timeout=self.limits.stall)
        finally:
            for task in tasks:
                task.cancel()
            for done in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(done, Exception):
                    log.info("seat %d: connection failed: %s", session.line.seat, type(done).__name__)
            with suppress(ConnectionError, TimeoutError):
                async with asyncio.timeout(self.limits.stall):
                    await ws.close()

    async def _send(self, ws: web.WebSocketResponse, session: Session, transport: asyncio.Transport | None) -> None:
        while not ws.closed:
            session.wake.clear()
            frame = session.due()
            if frame is None:
                await session.wake.wait()
                continue
            try:
                async with asyncio.timeout(self.limits.stall):
                    await ws.send_str(frame_text(frame))
            except (TimeoutError, ConnectionError):  # too slow, or gone: it may come again and goes on where it was
                if transport is not None:
                    transport.abort()  # what is still buffered for a reader that does not read would hold memory
                return
            if isinstance(frame, Bye):
                return
            session.wake.set()

    async def _hear(self, ws: web.WebSocketResponse, session: Session) -> None:
        from aiohttp import WSMsgType

        loop, faults = asyncio.get_running_loop(), 0
        bucket = Bucket(self.limits, loop.time())
        async for message in ws:
            if session.ended:
                return
            if not bucket.take(loop.time()) or faults >= self.limits.faults:
                session.end("flood")
                return
            try:
                if message.type is not WSMsgType.TEXT:
                    raise FrameError("text frames only")
                self._take(session, message.data)
            except (FrameError, Refused) as error:
                faults += 1
                refuse(session, str(error))

    def _take(self, session: Session, data: str) -> None:
        """One frame of a client. Raises FrameError, Refused."""
        match read_frame(data):
            case AnswerFrame(id=id, answer=answer):
                session.line.answer(id, plain_answer(answer))
            case ReactFrame(kind=kind, answer=answer):
                session.line.react(kind, plain_answer(answer))
            case Hello():
                raise Refused("this line is greeted already")

    async def _part(self, ws: web.WebSocketResponse, why: str) -> None:
        with suppress(ConnectionError, TimeoutError, RuntimeError):
            async with asyncio.timeout(self.limits.stall):
                await ws.send_str(frame_text(Bye(why)))
                await ws.close()


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
