"""A client of a network table: connects, comes back after a dropped line, and hands on the server's frames."""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from net.door import PATH
from players.remote.wire import Bye, Outgoing, Told, read_server_frame

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

SERVER_FRAME_LIMIT = 1 << 20  # bytes
TRIES = 8  # connections in a row that may fail
FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0  # seconds between tries, doubling


class JoinError(ConnectionError):
    """The table cannot be reached, or it refuses this token."""


class Client:
    """One seat's client. `frames()` runs until the table says goodbye; `answer` and `react` may be called meanwhile."""

    def __init__(self, url: str, token: str, *, lang: str = "zh", tls: ssl.SSLContext | None = None) -> None:
        """url: ws:// or wss:// with host and port, without the token."""
        self.url = url.rstrip("/") + ("" if url.rstrip("/").endswith(PATH) else PATH)
        self._hello = {"t": "hello", "v": 1, "token": token, "key": secrets.token_urlsafe(24), "lang": lang}
        self._tls = tls
        self._ws: ClientWebSocketResponse | None = None
        self.got = 0
        self.bye = ""
        self.on_raw: Callable[[str], None] | None = None
        """Hears every message as it came, for tests and logs of one's own."""

    async def frames(self) -> AsyncIterator[Outgoing]:
        """The server's frames, across dropped lines; each event once. Raises JoinError."""
        from aiohttp import ClientError, ClientSession

        failed = 0
        async with ClientSession() as http:
            while not self.bye:
                try:
                    async with http.ws_connect(
                        self.url, ssl=self._tls or True, heartbeat=20.0, max_msg_size=SERVER_FRAME_LIMIT
                    ) as ws:
                        self._ws = ws
                        await ws.send_str(msgspec.json.encode({**self._hello, "got": self.got}).decode())
                        async for frame in self._read(ws):
                            failed = 0
                            yield frame
                except JoinError:
                    raise
                except (ClientError, TimeoutError, OSError) as error:
                    if failed + 1 >= TRIES:
                        raise JoinError(f"{self.url} cannot be reached") from error
                finally:
                    self._ws = None
                if not self.bye:
                    failed += 1
                    if failed >= TRIES:
                        raise JoinError(f"{self.url} cannot be reached")
                    await asyncio.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failed - 1)))

    async def _read(self, ws: ClientWebSocketResponse) -> AsyncIterator[Outgoing]:
        from aiohttp import WSMsgType

        async for message in ws:
            if message.type is not WSMsgType.TEXT:
                continue
            if self.on_raw is not None:
                self.on_raw(message.data)
            try:
                frame: Outgoing = read_server_frame(message.data)
            except msgspec.MsgspecError as error:
                raise JoinError(f"{self.url} does not speak this protocol") from error
            if isinstance(frame, Told):
                if frame.n < self.got:
                    continue
                self.got = frame.n + 1
            if isinstance(frame, Bye):
                if frame.why == "refused":
                    raise JoinError(f"{self.url} refuses this code")
                self.bye = frame.why
            yield frame

    async def answer(self, id: int, answer: Any) -> None:
        """Answer question `id`. A line that is down loses it: the question comes again."""
        await self._send({"t": "answer", "id": id, "answer": answer})

    async def react(self, kind: str, answer: Any = True) -> None:
        """Take a reaction that is on offer."""
        await self._send({"t": "react", "kind": kind, "answer": answer})

    async def drop(self) -> None:
        """Drop the line (it is taken up again); for tests."""
        if self._ws is not None:
            await self._ws.close()

    async def _send(self, frame: dict[str, Any]) -> None:
        if self._ws is not None:
            with suppress(ConnectionError):
                await self._ws.send_str(msgspec.json.encode(frame).decode())
