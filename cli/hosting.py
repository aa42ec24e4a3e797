"""`tianhei host`, `tianhei join` and `tianhei mcp`: what is done."""

from __future__ import annotations

import asyncio
import getpass
import os
import ssl
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random
from secrets import randbelow
from urllib.parse import urlsplit

import msgspec

from cli.address import cannot_listen, invited, reached
from cli.config import Settings
from cli.errors import FAILED, USAGE, Problem
from cli.seats import Seater
from cli.shelf import open_store, saved_name
from cli.table import make_setup
from cli.words import current, say
from judge.store import Store, new_id
from judge.table import Pace, Table
from net.client import Client, JoinError
from net.door import Door
from net.plain import PlainSeat
from net.table import Manners, RemoteTable
from players.remote.player import Absent
from prompts.narrate import narrate

CODE = "TIANHEI_CODE"
Begin = Callable[[RemoteTable, Pace], None]
"""Deals the table, or takes it up again."""


class Hosting(msgspec.Struct, frozen=True):
    """How a table is opened. seconds: for one answer, None for no limit. wait: seconds until the game begins at the
    latest, None until everybody is there. pace: seconds between two things that everybody hears, so that a night in
    which nobody is asked is as long as another."""

    friends: int
    me: bool
    address: str
    port: int
    certificate: Path | None
    private_key: Path | None
    seconds: float | None
    grace: float
    absent: Absent
    wait: float | None
    pace: float


def run_host(settings: Settings, hosting: Hosting, *, seed: int | None, overrides: Iterable[str]) -> int:
    """Open the table, wait, play. Returns the exit code; raises Problem."""
    seed = randbelow(1_000_000) if seed is None else seed
    setup = make_setup(settings, seed=seed, overrides=overrides)
    remote = hosting.friends + hosting.me
    if not 0 < remote <= setup.size:
        raise Problem(
            f"--friends and --me together take 1 to {setup.size} seats, not {remote}",
            f"--friends 与 --me 合计须为 1 到 {setup.size} 个座位，不能是 {remote}",
        )
    tls = _server_tls(hosting)
    seater = Seater(settings)
    if settings.needs_server:
        seater.check_server()
    seats = Random(f"{seed}:friends").sample(range(1, setup.size + 1), remote)
    store = Store(settings.home)

    def begin(table: RemoteTable, pace: Pace) -> None:
        specs = {seat: settings.seated for seat in range(1, setup.size + 1) if seat not in seats}
        name = new_id(setup)
        table.deal(setup, seater.seated(setup, specs), store, pace=pace, name=name)

    try:
        return asyncio.run(_host(begin, seats, seater, hosting, tls))
    finally:
        store.close()


def run_again(settings: Settings, hosting: Hosting, name: str) -> int:
    """Open a stopped table again, with new codes. Returns the exit code; raises Problem, StoreError."""
    store = open_store(settings.home)
    if store is None:
        raise Problem(f"no stopped game in {settings.home}", f"{settings.home} 里没有未完的对局")
    try:
        name = saved_name(store, name, settings.home)
        seats = [sitter.seat for sitter in store.record(name).header.players if sitter.spec == "remote"]
        if not seats or next(game.status for game in store.games() if game.id == name) != "running":
            raise Problem(
                f"game {name} is no stopped table with friends; see `tianhei games`",
                f"{name} 不是一桌未完的联机对局；见 `tianhei games`",
            )
        seater = Seater(settings)

        def begin(table: RemoteTable, pace: Pace) -> None:
            table.resume(store, name, seater.seated, pace=pace)

        return asyncio.run(_host(begin, seats, seater, hosting, _server_tls(hosting)))
    finally:
        store.close()


async def _host(begin: Begin, seats: list[int], seater: Seater, hosting: Hosting, tls: ssl.SSLContext | None) -> int:
    door = Door()
    try:
        port = await door.start(hosting.address, hosting.port, tls)
    except OSError as error:
        raise cannot_listen(hosting.address, hosting.port, error) from None
    remote = RemoteTable(door, seats, Manners(hosting.seconds, hosting.grace, hosting.absent))
    mine = seats[-1] if hosting.me else None
    scheme = "ws" if tls is None else "wss"
    _invite(remote, f"{scheme}://{invited(hosting.address)}:{port}", mine)
    screen: asyncio.Task[object] | None = None
    try:
        if mine is not None:
            own = Client(
                f"{scheme}://{reached(hosting.address)}:{port}", remote.tokens[mine], lang=current(), tls=_own(tls)
            )
            screen = asyncio.ensure_future(PlainSeat(own, current(), _show, typed_lines()).play())
        await _gathered(remote, hosting.wait)
        begin(remote, _paced(hosting.pace, watch=mine is None))
        result = await remote.play()
        await remote.drained()
        if screen is not None:
            await screen
    finally:
        if screen is not None:
            screen.cancel()
            with suppress(asyncio.CancelledError, JoinError):
                await screen
        await remote.close()
        await door.stop()
        await seater.close()
    return 0 if result is not None and result.status == "finished" else FAILED


def _invite(remote: RemoteTable, url: str, mine: int | None) -> None:
    """Tell the host where the table is and every friend's code. They are shown here and nowhere else."""
    _show(say(f"the table is open: tianhei join {url}", f"牌桌已开：tianhei join {url}"))
    for seat, token in remote.tokens.items():
        if seat != mine:
            _show(say(f"  a code for one friend: {token}", f"  给一位朋友的邀请码：{token}"))
    page = f"http{url.removeprefix('ws')}/"
    _show(say(f"a browser joins at {page}", f"也可用浏览器打开 {page} 加入"))


async def _gathered(remote: RemoteTable, wait: float | None) -> None:
    """Until everybody has come, or the time is up."""
    with suppress(TimeoutError):
        async with asyncio.timeout(wait):
            for line in remote.lines.values():
                await line.claimed.wait()


def _paced(seconds: float, *, watch: bool) -> Callable[[Table], Awaitable[None]]:
    """The table's pace; a host who does not play is told what everybody hears."""
    told = 0

    async def pace(table: Table) -> None:
        nonlocal told
        fresh = table.view(None).events[told:]
        told += len(fresh)
        for event in fresh if watch else ():
            if line := narrate(event, current()):
                _show(line)
        await asyncio.sleep(seconds)

    return pace


def run_join(url: str, lang: str, trust: Path | None) -> int:
    """Join a table and play. Returns the exit code; raises Problem."""
    url = _address(url)
    try:
        client = Client(url, _code(), lang=lang, tls=_client_tls(url, trust))
        why = asyncio.run(PlainSeat(client, lang, _show, typed_lines()).play())
    except JoinError as error:
        raise Problem(
            f"{error}; check the address and the code with the host", f"无法加入（{error}）；请向主持人核对地址与邀请码"
        ) from None
    return 0 if why == "over" else FAILED


def run_mcp(url: str, lang: str, trust: Path | None) -> int:
    """Offer a seat at a table as MCP tools over standard input and output. Returns the exit code; raises Problem."""
    from net.mcpseat import McpSeat, serve

    url = _address(url)
    if find_spec("mcp") is None:
        raise Problem(
            "this needs one more package: pip install 'tianhei[mcp]'",
            "这还需要一个软件包：pip install 'tianhei[mcp]'",
        )
    if not os.environ.get(CODE, "").strip():
        raise Problem(
            f"the code must stand in the variable {CODE}: standard input belongs to the agent",
            f"邀请码须放在环境变量 {CODE} 里：标准输入归智能体使用",
            USAGE,
        )
    client = Client(url, _code(), lang=lang, tls=_client_tls(url, trust))

    async def serving() -> None:
        await serve(McpSeat(client, lang))

    asyncio.run(serving())
    return 0


def _address(url: str) -> str:
    """The table's address. Raises Problem."""
    parts = urlsplit(url if "://" in url else f"ws://{url}")
    if parts.scheme not in ("ws", "wss") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise Problem(
            "the address must look like ws://192.168.1.5:8765, without the code",
            "地址应形如 ws://192.168.1.5:8765，不含邀请码",
        )
    return parts.geturl()


def _client_tls(url: str, trust: Path | None) -> ssl.SSLContext | None:
    """How a client checks the host of this address. Raises Problem."""
    if not url.startswith("wss:"):
        return None
    tls = ssl.create_default_context()
    if trust is not None:
        try:
            tls.load_verify_locations(trust)
        except (ssl.SSLError, OSError) as error:
            raise Problem(f"the certificate cannot be used: {error}", f"证书无法使用：{error}") from None
    return tls


def _code() -> str:
    """The invitation: never from the command line, which process lists show."""
    code = os.environ.get(CODE, "").strip()
    if not code:
        prompt = say("code: ", "邀请码：")
        code = (getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline()).strip()
    if not 20 <= len(code) <= 128 or not code.isascii():
        raise Problem(
            "that is no code; the host shows one for each friend", "这不是邀请码；主持人会为每位朋友显示一个", USAGE
        )
    return code


def typed_lines() -> Callable[[], Awaitable[str | None]]:
    """Lines from standard input; a thread reads them, since a read cannot be called off."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    started: list[threading.Thread] = []

    def read(loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError, ValueError, OSError):  # the loop or the stream was closed meanwhile
            for line in sys.stdin:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    async def next_line() -> str | None:
        if not started:
            started.append(threading.Thread(target=read, args=(asyncio.get_running_loop(),), daemon=True))
            started[0].start()
        return await lines.get()

    return next_line


def _server_tls(hosting: Hosting) -> ssl.SSLContext | None:
    if hosting.certificate is None and hosting.private_key is None:
        return None
    if hosting.certificate is None or hosting.private_key is None:
        raise Problem("--cert and --key go together", "--cert 与 --key 须同时给出")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        tls.load_cert_chain(hosting.certificate, hosting.private_key)
    except (ssl.SSLError, OSError) as error:
        raise Problem(f"the certificate cannot be used: {error}", f"证书无法使用：{error}") from None
    return tls


def _own(tls: ssl.SSLContext | None) -> ssl.SSLContext | None:
    """The host's own line never leaves the machine; its certificate names another address."""
    if tls is None:
        return None
    own = ssl.create_default_context()
    own.check_hostname, own.verify_mode = False, ssl.CERT_NONE
    return own


def _show(line: str) -> None:
    print(line, flush=True)
