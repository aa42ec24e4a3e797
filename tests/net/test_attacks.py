"""Clients that do not play fair: the game goes on, the server stays up, and they learn nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from net.door import Limits
from net.table import Manners, RemoteTable
from players.remote.line import NOTICES, Line, Refused
from players.remote.wire import FRAME_LIMIT, FrameError, read_frame
from tests.net.clients import KEY, Bot, hello, opened, raw, until_bye


async def finishes(remote: RemoteTable, url: str, seat: int = 2) -> None:
    """An honest client still plays its game to the end."""
    bot = Bot(url, remote.tokens[seat])
    result, bye = await asyncio.gather(remote.play(), bot.play())
    assert (result.status if result else "", bye) == ("finished", "over")


FORGED: list[Any] = [
    hello("x" * 24),
    {**hello("x" * 24), "seat": 2},
    {"t": "answer", "id": 1, "answer": 3},
    {"t": "hello"},
    [],
    "not json",
    "[" * 10_000,
    "\x00",
]


@pytest.mark.parametrize("first", FORGED, ids=lambda first: str(first)[:24])
async def test_forged_greetings_learn_nothing(tmp_path: Path, first: Any) -> None:
    async with opened(tmp_path, (2,)) as (url, remote):
        async with raw(url, first if isinstance(first, str) else json.dumps(first)) as ws:
            assert await until_bye(ws) == [{"t": "bye", "why": "refused"}]
        assert not remote.lines[2].present
        await finishes(remote, url)


async def test_a_token_is_claimed_once(tmp_path: Path) -> None:
    async with opened(tmp_path, (2, 3)) as (url, remote):
        for line in remote.lines.values():
            line.show(remote.table.view(line.seat))  # type: ignore[union-attr]
        async with raw(url, hello(remote.tokens[2])) as mine:
            assert (await mine.receive_json())["t"] == "welcome"
            async with raw(url, hello(remote.tokens[2], "f" * 32)) as thief:
                assert await until_bye(thief) == [{"t": "bye", "why": "refused"}]
            async with raw(url, hello(remote.tokens[3], KEY)) as other:
                assert (await other.receive_json())["seat"] == 3
            async with raw(url, hello(remote.tokens[2], got=999_999)) as again:
                assert (await again.receive_json())["seat"] == 2
                assert (await until_bye(mine))[-1] == {"t": "bye", "why": "elsewhere"}


async def test_a_client_that_lies_about_its_seat_or_kind_is_told_so(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,), manners=Manners(seconds=1.0)) as (url, remote):
        playing = asyncio.ensure_future(remote.play())
        async with raw(url, hello(remote.tokens[2])) as ws:
            ask = await _ask(ws)
            lies: list[Any] = [
                {"t": "answer", "id": ask["id"], "seat": 1, "answer": None},
                {"t": "answer", "id": ask["id"] + 1, "answer": None},
                {"t": "answer", "id": True, "answer": None},
                {"t": "answer", "id": ask["id"], "answer": 99},
                {"t": "answer", "id": ask["id"], "answer": {"text": "x", "role": "seer"}},
                {"t": "react", "kind": "werewolf.explode" if ask["ask"]["kind"] else "", "answer": "boom"},
                {"t": "judge", "phase": "day"},
                hello(remote.tokens[2]),
            ]
            for lie in lies:
                await ws.send_json(lie)
            answers = [await _next(ws, "bad") for _ in lies]
            assert len(answers) == len(lies)
        assert remote.lines[2].claimed.is_set()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_a_replayed_answer_does_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,), manners=Manners(seconds=0.05)) as (url, remote):
        playing = asyncio.ensure_future(remote.play())
        async with raw(url, hello(remote.tokens[2])) as ws:
            ask = await _ask(ws)
            answer = {"t": "answer", "id": ask["id"], "answer": _legal(ask["ask"])}
            await ws.send_json(answer)
            await ws.send_json(answer)
            frames = await until_bye(ws)
        assert (await playing).status == "finished"  # type: ignore[union-attr]
        assert [frame for frame in frames if frame["t"] == "bad"] == [{"t": "bad", "why": "no such question is open"}]


async def test_an_oversized_frame_costs_the_line(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,)) as (url, remote):
        async with raw(url, hello(remote.tokens[2]), "x" * (FRAME_LIMIT + 1)) as ws:
            await until_bye(ws)
            assert ws.close_code in (1009, 1006)
        async with raw(url, hello(remote.tokens[2])) as ws:
            await ws.send_bytes(b"\x00" * 100)
        await _gone(remote)
        bot = Bot(url, remote.tokens[2])
        bot.client._hello["key"] = KEY
        result, bye = await asyncio.gather(remote.play(), bot.play())
        assert (result.status if result else "", bye) == ("finished", "over")


async def test_a_flood_is_cut_off_and_the_game_goes_on(tmp_path: Path) -> None:
    manners, limits = Manners(seconds=30.0, grace=0.0), Limits(faults=10_000)
    async with opened(tmp_path, (2, 3), manners=manners, limits=limits) as (url, remote):
        bot = Bot(url, remote.tokens[3])
        playing = asyncio.gather(remote.play(), bot.play())
        async with raw(url, hello(remote.tokens[2])) as ws:
            reading = asyncio.ensure_future(until_bye(ws))
            for _ in range(2000):
                if reading.done() or ws.closed:
                    break
                try:
                    await ws.send_json({"t": "answer", "id": 10**6, "answer": 1})
                except ConnectionError:
                    break
            assert (await reading)[-1] == {"t": "bye", "why": "flood"}
        result, bye = await playing
        assert (result.status if result else "", bye) == ("finished", "over")


async def test_strangers_are_few_and_short(tmp_path: Path) -> None:
    from aiohttp import WSServerHandshakeError

    async with opened(tmp_path, (2,), limits=Limits(hello=0.2, strangers=2)) as (url, remote):
        async with raw(url) as one, raw(url) as two:
            with pytest.raises(WSServerHandshakeError):
                async with raw(url):
                    pass
            assert await until_bye(one) == [{"t": "bye", "why": "refused"}]
            assert await until_bye(two) == [{"t": "bye", "why": "refused"}]
        await finishes(remote, url)


async def test_a_slow_reader_is_cut_off_and_costs_no_memory(tmp_path: Path) -> None:
    """It never reads; the door writes until the kernel's buffers are full, then lets go of it."""
    async with opened(tmp_path, (2,), limits=Limits(stall=0.2), manners=Manners(grace=0.0)) as (url, remote):
        host, port = url.removeprefix("ws://").split(":")
        _, writer = await asyncio.open_connection(host, int(port), limit=64)
        request = "GET /table HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        writer.write(f"{request}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'a' * 22}==\r\n\r\n".encode())
        writer.write(_masked(json.dumps(hello(remote.tokens[2])).encode()))
        await remote.lines[2].claimed.wait()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        session = remote.lines[2].session
        assert session is not None
        lines = 0
        while remote.lines[2].present and lines < 200_000:
            session.notice(_long())
            lines += 1
            await asyncio.sleep(0)
        assert len(session.notices) <= NOTICES
        assert not remote.lines[2].present
        writer.close()
        assert (await remote.play()).status == "finished"  # type: ignore[union-attr]


async def test_no_secret_reaches_a_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened(tmp_path, (2,)) as (url, remote):
        async with raw(url, hello(remote.tokens[2], "z" * 32)) as ws:
            await remote.lines[2].claimed.wait()
            await remote.close()
            assert (await until_bye(ws))[-1]["t"] == "bye"
        assert remote.tokens[2] not in caplog.text
        assert "z" * 32 not in caplog.text


@pytest.mark.parametrize(
    "frame",
    [
        '{"t":"answer","id":1,"answer":[[1]]}',
        '{"t":"answer","id":1.5}',
        '{"t":"answer","id":1,"answer":' + "[" * 5000,
        '{"t":"answer","id":1,"answer":"' + "x" * 3000 + '"}',
        '{"t":"answer","id":1,"answer":NaN}',
        '{"t":"react","kind":"' + "x" * 65 + '"}',
        '{"t":"hello","v":2,"token":"' + "x" * 24 + '","key":"' + "x" * 24 + '"}',
        " " * (FRAME_LIMIT + 1),
        "null",
    ],
    ids=range(9),
)
def test_what_is_no_frame_is_refused(frame: str) -> None:
    with pytest.raises(FrameError) as caught:
        read_frame(frame)
    assert "x" * 20 not in str(caught.value)


async def test_nobody_reacts_without_an_offer() -> None:
    with pytest.raises(Refused):
        Line(1).react("werewolf.explode", True)


def _long() -> Any:
    from players.remote.wire import Bad

    return Bad("x" * 60_000)


def _masked(data: bytes) -> bytes:
    """A client's text frame with the zero mask."""
    return b"\x81" + bytes([0x80 | 126]) + len(data).to_bytes(2, "big") + b"\0\0\0\0" + data


def _legal(ask: dict[str, Any]) -> Any:
    from engine.asks import Ask
    from judge.lines import plain

    given = {**ask, "choices": tuple(ask.get("choices", ()))}
    return plain(Ask(**given).quiet())


async def _next(ws: Any, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(10):
        while True:
            frame: dict[str, Any] = await ws.receive_json()
            if frame["t"] == kind:
                return frame


async def _ask(ws: Any) -> dict[str, Any]:
    return await _next(ws, "ask")


async def _gone(remote: RemoteTable) -> None:
    """Until seat 2's line is down."""
    line = remote.lines[2]
    while line.present:
        line.moved.clear()
        await line.moved.wait()
