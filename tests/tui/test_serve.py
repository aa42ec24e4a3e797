"""The web door: who gets in, and the whole app behind it where textual-serve is installed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec

import pytest
from aiohttp import ClientSession, CookieJar, web

from cli.errors import Problem
from cli.serve import HOST, command, free_port, guard, guarded, served

TOKEN = "right-token"
NEEDS = pytest.mark.skipif(find_spec("textual_serve") is None, reason="the extra `web` is not installed")


@asynccontextmanager
async def behind_guard() -> AsyncIterator[int]:
    """One page behind the guard. Gives its port."""
    port = free_port()
    app = web.Application(middlewares=[guard(port, TOKEN)])

    async def page(_: web.Request) -> web.Response:
        return web.Response(text="in")

    app.add_routes([web.get("/", page), web.get("/ws", page)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, HOST, port).start()
    try:
        yield port
    finally:
        await runner.cleanup()


async def test_only_with_the_token() -> None:
    async with behind_guard() as port, ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser:
        url = f"http://{HOST}:{port}"
        for wrong in ("/", "/?token=", "/?token=wrong", "/ws", "/?token=错"):
            async with browser.get(url + wrong) as answer:
                assert answer.status == 403
                assert TOKEN not in await answer.text()
        async with browser.get(f"{url}/?token={TOKEN}") as answer:
            assert answer.status == 200
            assert "token" not in str(answer.url), "it does not stay in the address"
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        async with browser.get(url + "/ws") as answer:
            assert await answer.text() == "in"


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"}])
async def test_not_from_other_sites(headers: dict[str, str]) -> None:
    async with (
        behind_guard() as port,
        ClientSession() as browser,
        browser.get(f"http://{HOST}:{port}/?token={TOKEN}", headers=headers) as answer,
    ):
        assert answer.status == 403


def test_flags_are_no_shell() -> None:
    assert "'; rm -rf x'" in command(["--home", "; rm -rf x"])


async def test_without_the_extra_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    with pytest.raises(Problem, match="tianhei\\[web\\]"):
        await guarded([], 1, TOKEN)


@NEEDS
async def test_the_home_screen_comes_through() -> None:
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(served(["--lang", "en"], 0, TOKEN, told.set_result))
    try:
        address = await told
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser, browser.get(address) as answer:
            assert answer.status == 200
            ws = str(answer.url.with_scheme("ws").with_path("/ws"))
            got = b""
            async with asyncio.timeout(60), browser.ws_connect(ws) as door:
                while b"New game" not in got:
                    got += await door.receive_bytes(timeout=60)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
