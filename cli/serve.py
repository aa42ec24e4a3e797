"""`tianhei serve`: the same app in a browser on this machine, for whoever holds the token in the address.

Every page that is opened runs an app of its own; closing the page leaves the game, which is kept.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import shlex
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cli.errors import Problem
from cli.words import say

if TYPE_CHECKING:
    from aiohttp import web

HOST = "127.0.0.1"
TOKEN_BYTES = 24
LEAVING = 5.0  # seconds that an app may take to leave in order
Handler = Callable[["web.Request"], Awaitable["web.StreamResponse"]]


def run_serve(flags: Sequence[str], port: int) -> int:
    """Serve the home screen until stopped. flags: what every app is started with. Raises Problem, OSError."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    try:
        asyncio.run(served(flags, port, token, ready=_announce))
    except KeyboardInterrupt:
        return 0
    return 0


def _announce(address: str) -> None:
    print(say(f"open {address}", f"请打开 {address}"), flush=True)
    print(say("Ctrl+C stops; games are kept.", "Ctrl+C 停止；对局都会保存。"), file=sys.stderr, flush=True)


async def served(flags: Sequence[str], port: int, token: str, ready: Callable[[str], None]) -> None:
    """Serve until cancelled. ready: told the address once it can be opened. port: 0 for any free one."""
    from aiohttp import web

    runner: web.AppRunner | None = None
    port = port or free_port()
    try:
        runner = web.AppRunner(await guarded(flags, port, token))
        await runner.setup()
        await web.TCPSite(runner, HOST, port).start()
        ready(f"http://{HOST}:{port}/?token={token}")
        await asyncio.Event().wait()
    finally:
        if runner is not None:
            await runner.cleanup()


def free_port() -> int:
    """A port that nobody uses now."""
    import socket

    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    return port


async def guarded(flags: Sequence[str], port: int, token: str) -> web.Application:
    """The web application behind its token. Raises Problem where the extra `web` is not installed."""
    try:
        serving: Any = import_module("textual_serve.server")
    except ImportError:
        raise Problem(
            "serving needs one more package: pip install 'tianhei[web]'",
            "网页版还需要一个软件包：pip install 'tianhei[web]'",
        ) from None
    AppService: Any = import_module("textual_serve.app_service").AppService
    server: Any = serving.Server(command(flags), host=HOST, port=port, title="天黑 Tianhei")
    server.on_startup = _quietly  # its own banner shows the command line
    children: list[asyncio.subprocess.Process] = []

    class Service(AppService):  # type: ignore[misc]  # the library has no types
        """Keeps hold of its app's process: the library lets it live on when the server is stopped."""

        async def _open_app_process(self, width: int = 80, height: int = 24) -> asyncio.subprocess.Process:
            process: asyncio.subprocess.Process = await super()._open_app_process(width, height)
            children.append(process)
            return process

    serving.AppService = Service
    app: web.Application = await server._make_app()
    app.on_cleanup.append(lambda _: _end(children))
    app.middlewares.append(guard(port, token))
    return app


async def _end(children: Iterable[asyncio.subprocess.Process]) -> None:
    """Every app leaves in order, as on any signal; its game is kept."""
    for child in children:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.terminate()
            try:
                await asyncio.wait_for(child.wait(), LEAVING)
            except TimeoutError:
                child.kill()
                await child.wait()


async def _quietly(_: object) -> None:
    """Nothing to say."""


def command(flags: Sequence[str]) -> str:
    """The shell command of one app, which takes the shell's place, so that a signal reaches it."""
    return "exec " + shlex.join([sys.executable, "-c", "from cli.main import main; main()", "home", *flags])


def guard(port: int, token: str) -> Any:
    """Let in only who has the token, from a page of ours, under our own name: no other site can lead a browser in."""
    from aiohttp import web

    own = f"http://{HOST}:{port}"
    cookie = f"tianhei_{port}"
    policy = (
        "default-src 'self' 'unsafe-inline' data: blob:; frame-ancestors 'none'; "
        f"connect-src 'self' ws://{HOST}:{port}; form-action 'none'"
    )

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        given = request.query.get("token")
        if request.host != f"{HOST}:{port}" or request.headers.get("Origin", own) != own:
            raise web.HTTPForbidden(text="wrong host or origin")
        if not _same(given or request.cookies.get(cookie, ""), token):
            raise web.HTTPForbidden(text="wrong or missing token; use the address that the terminal shows")
        if given is not None:
            found = web.HTTPFound("/")  # the token leaves the address, and with it the browser's history
            found.set_cookie(cookie, token, httponly=True, samesite="Strict")
            raise found
        response = await handler(request)
        if not response.prepared:
            response.headers["Content-Security-Policy"] = policy
            response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return middleware


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
