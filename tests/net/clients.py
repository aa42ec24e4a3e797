"""Clients of a network table for its tests: honest ones that play by a seed, and raw ones that do as they like."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from engine.asks import Ask
from engine.setup import Setup, deal
from judge.lines import plain
from judge.store import Store
from net.client import Client
from net.door import PATH, Door, Limits
from net.table import Manners, RemoteTable
from players.base import Player
from players.builtin import BuiltinPlayer
from players.remote.wire import Asked, Offers, Outgoing

KEY = "k" * 32


def board(seed: int = 1, seats: int = 9) -> Setup:
    """The tournament board, in English."""
    return deal("tournament", seats, seed=seed, lang="en")


def canary(seat: int) -> str:
    """What this seat says, in every talk of its own."""
    return f"CANARY-{seat:02d}-{Random(seat).randrange(10**9):09d}"


def choice(ask: Ask, rng: Random, seat: int) -> Any:
    """A legal answer as JSON; talk holds the seat's canary and the kind of ask."""
    return f"{canary(seat)} {ask.kind}" if ask.form == "text" else plain(ask.random(rng))


class Bot:
    """An honest client. raw: every message that came, in order."""

    def __init__(self, url: str, token: str, seed: int = 0, *, drops: float = 0.0, reacts: float = 0.0) -> None:
        self.client = Client(url, token, lang="en")
        self.client.on_raw = self._keep
        self.raw: list[str] = []
        self.frames: list[Outgoing] = []
        self.rng, self.drops, self.reacts = Random(seed), drops, reacts
        self.dropped = 0

    def _keep(self, message: str) -> None:
        self.raw.append(message)

    async def play(self) -> str:
        """Until the table says goodbye. Returns why it did."""
        async for frame in self.client.frames():
            self.frames.append(frame)
            await self.on_frame(frame)
        return self.client.bye

    async def on_frame(self, frame: Outgoing) -> None:
        if isinstance(frame, Offers) and frame.offers and self.rng.random() < self.reacts:
            await self.client.react(frame.offers[0].ask.kind, True)
        if not isinstance(frame, Asked):
            return
        if self.rng.random() < self.drops:  # instead of answering: the question must come again
            self.dropped += 1
            await self.client.drop()
            return
        await self.client.answer(frame.id, choice(frame.ask, self.rng, frame.ask.seat))


@asynccontextmanager
async def raw(url: str, *first: dict[str, Any] | str) -> AsyncIterator[Any]:
    """A bare connection that has sent these frames."""
    from aiohttp import ClientSession

    async with ClientSession() as http, http.ws_connect(url + PATH) as ws:
        for frame in first:
            await ws.send_str(frame if isinstance(frame, str) else json.dumps(frame))
        yield ws


def hello(token: str, key: str = KEY, **more: Any) -> dict[str, Any]:
    """The first frame."""
    return {"t": "hello", "v": 1, "token": token, "key": key, "lang": "en", **more}


async def until_bye(ws: Any) -> list[dict[str, Any]]:
    """All frames to the goodbye or the end of the line."""
    from aiohttp import WSMsgType

    frames: list[dict[str, Any]] = []
    async with asyncio.timeout(60):
        async for message in ws:
            if message.type is WSMsgType.TEXT:
                frames.append(json.loads(message.data))
                if frames[-1]["t"] == "bye":
                    break
    return frames


@asynccontextmanager
async def opened(
    folder: Path, seats: tuple[int, ...], *, setup: Setup | None = None, manners: Manners | None = None,
    limits: Limits | None = None,
) -> AsyncIterator[tuple[str, RemoteTable]]:  # fmt: skip
    """A door with one dealt table behind it; the other seats are built-in."""
    setup = setup or board()
    door, store = Door(limits), Store(folder)
    port = await door.start("127.0.0.1", 0)
    remote = RemoteTable(door, seats, manners or Manners(seconds=60.0))
    others: dict[int, Player] = {
        seat: BuiltinPlayer(seat) for seat in range(1, setup.size + 1) if seat not in seats
    }  # fmt: skip
    remote.deal(setup, others, store)
    try:
        yield f"ws://127.0.0.1:{port}", remote
    finally:
        await remote.close()
        await door.stop()
        store.close()
