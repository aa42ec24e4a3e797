"""The server that AIWolf NLP agents connect to: `/ws`, one connection a seat, an optional Bearer token."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from hmac import compare_digest
from typing import TYPE_CHECKING

from engine.setup import Setup
from engine.text import clean
from judge.lines import Result
from judge.store import Store
from judge.table import Table
from players.aiwolf.packets import check_board
from players.aiwolf.player import FRAME_LIMIT, AiwolfPlayer
from players.base import Player
from players.factory import seat_seed

if TYPE_CHECKING:
    from aiohttp import web

PATH = "/ws"
HELD = 64  # messages of an agent, and packets to it, that wait; a day has fewer
STALL = 20.0  # seconds to take one packet
NAME_SECONDS = 10.0
NAME_LIMIT = 64  # characters


class SocketChannel:
    """One agent's WebSocket (players.aiwolf.player.Channel)."""

    def __init__(self, name: str, ws: web.WebSocketResponse) -> None:
        self.name, self._ws = name, ws
        self._in: asyncio.Queue[str | None] = asyncio.Queue(HELD)
        self._out: asyncio.Queue[str | None] = asyncio.Queue(HELD)
        self.closed = False

    def send(self, text: str) -> None:
        """Send a packet after those before it; an agent that takes none loses its line."""
        if self._out.full():
            self.close()
        elif not self.closed:
            self._out.put_nowait(text)

    async def receive(self) -> str:
        """The agent's next message. Raises ConnectionError once it is gone."""
        if self.closed and self._in.empty():
            raise ConnectionError("the agent is gone")
        message = await self._in.get()
        if message is None:
            raise ConnectionError("the agent is gone")
        return message

    def close(self) -> None:
        """Let go of the agent, after the packets that wait."""
        self.closed = True
        for queue in (self._in, self._out):
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(None)

    async def run(self) -> None:
        """Carry messages both ways until the agent or the table is done."""
        tasks = [asyncio.ensure_future(self._write()), asyncio.ensure_future(self._hear())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.close()
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(STALL):
                await self._ws.close()

    async def _write(self) -> None:
        while (text := await self._out.get()) is not None:
            async with asyncio.timeout(STALL):
                await self._ws.send_str(text)

    async def _hear(self) -> None:
        from aiohttp import WSMsgType

        async for message in self._ws:
            if message.type is not WSMsgType.TEXT or self._in.full():
                return
            self._in.put_nowait(message.data)


class AiwolfDoor:
    """Agents come in here; `agents` hands them on in the order in which they came. Use it from one event loop."""

    def __init__(self, token: str = "", *, most: int = 18) -> None:
        """token: what agents must show as `Authorization: Bearer`; empty: anybody may come. most: agents at once."""
        self._token, self._most = token, most
        self._waiting: asyncio.Queue[SocketChannel] = asyncio.Queue()
        self._open: set[SocketChannel] = set()
        self._strangers = 0
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int) -> int:
        """Serve; port 0 takes a free one. Returns the port. Raises OSError."""
        from aiohttp import web

        app = web.Application()
        app.router.add_get(PATH, self._connected)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=2.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()
        return int(self._runner.addresses[0][1])

    async def agents(self, count: int) -> list[SocketChannel]:
        """So many agents, once they are there. One that has gone meanwhile does not count."""
        there: list[SocketChannel] = []
        while len(there) < count:
            there.append(await self._waiting.get())
            there = [channel for channel in there if not channel.closed]
        return there

    async def stop(self) -> None:
        """Let everybody go and close."""
        for channel in self._open:
            channel.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _connected(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self._token and not compare_digest(shown.encode(), self._token.encode()):
            raise web.HTTPUnauthorized
        if len(self._open) + self._strangers >= self._most:
            raise web.HTTPServiceUnavailable
        ws = web.WebSocketResponse(max_msg_size=FRAME_LIMIT, heartbeat=20.0, compress=False, timeout=2.0)
        self._strangers += 1
        try:
            await ws.prepare(request)
            name = ""
            with suppress(TimeoutError, TypeError, ConnectionError):
                async with asyncio.timeout(NAME_SECONDS):
                    await ws.send_str(json.dumps({"request": "NAME"}))
                    name = clean((await ws.receive_str())[:NAME_LIMIT])
        finally:
            self._strangers -= 1
        if not name:
            await ws.close()
            return ws
        channel = SocketChannel(name, ws)
        self._open.add(channel)
        self._waiting.put_nowait(channel)
        try:
            await channel.run()
        finally:
            self._open.discard(channel)
        return ws


def players_for(
    setup: Setup, channels: Mapping[int, SocketChannel], game: str, *, action: float = 60.0, response: float = 120.0
) -> dict[int, AiwolfPlayer]:
    """Players for the agents of these seats; a built-in stands in for one that goes. Raises SetupError."""
    from players.builtin import BuiltinPlayer

    check_board(setup, channels)
    return {
        seat: AiwolfPlayer(channel, BuiltinPlayer(seat_seed(setup, seat)), game, action=action, response=response)
        for seat, channel in channels.items()
    }


async def play(
    setup: Setup,
    agents: Mapping[int, AiwolfPlayer],
    others: Mapping[int, Player],
    store: Store,
    name: str | None = None,
) -> Result | None:
    """Play a game to its end, tell every agent, and let go of them. name: the game's, in the store."""

    def update() -> None:
        for seat, player in agents.items():
            player.tell(table.view(seat))

    table = Table.new(setup, {**others, **agents}, store, on_update=update, game_id=name)
    try:
        await table.run()
        update()
    finally:
        for player in agents.values():
            player.channel.close()
        await table.close()
    return table.result
