"""`tianhei host` and `tianhei join` as people start them: processes, pipes and sockets."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import home, tianhei  # noqa: F401 - fixtures
from tests.net.clients import Bot
from tests.net.test_table import Stopping
from tests.support.command import Tianhei

ROOT = Path(__file__).parents[2]


async def _command(folder: Path, *argv: str, stderr: bool = False, **env: str) -> asyncio.subprocess.Process:
    own = {"TIANHEI_HOME": str(folder), "TIANHEI_CONFIG": str(folder / "none.toml"), "LC_ALL": "C.UTF-8", **env}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", "from cli.main import main; main()", *argv,
        cwd=ROOT, env={**os.environ, **own}, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE if stderr else None,
    )  # fmt: skip


async def _opened(host: asyncio.subprocess.Process, codes: int) -> tuple[str, list[str]]:
    assert host.stdout is not None
    first = (await host.stdout.readline()).decode()
    found = re.search(r"ws://\S+", first)
    assert found, first
    return found[0], [(await host.stdout.readline()).decode().split()[-1] for _ in range(codes)]


async def test_host_and_friends_play_a_whole_game(tmp_path: Path) -> None:
    host = await _command(
        tmp_path, "host", "--friends", "2", "--port", "0", "--seed", "3", "--lang", "en", "--grace", "0", "--pace", "0"
    )
    url, codes = await _opened(host, 2)
    joined = await _command(tmp_path, "join", url, "--lang", "zh", TIANHEI_CODE=codes[0])
    assert joined.stdin is not None
    assert joined.stdout is not None
    assert "你的座位" in (await joined.stdout.readline()).decode()
    joined.stdin.write("过\n".encode())  # its pipe then ends: the person leaves, and a built-in plays on
    joined.stdin.close()
    bot = Bot(url, codes[1], 5)
    assert await bot.play() == "over"
    output = (await host.communicate())[0].decode()
    assert host.returncode == 0
    assert "CANARY" in output
    await joined.communicate()
    for code in codes:
        assert code not in output


async def test_the_host_may_sit_down_and_sees_one_seat(tmp_path: Path) -> None:
    host = await _command(
        tmp_path, "host", "--friends", "1", "--me", "--port", "0", "--lang", "en", "--grace", "0", "--pace", "0"
    )
    url, codes = await _opened(host, 1)
    assert host.stdin is not None
    assert host.stdout is not None
    playing = asyncio.ensure_future(Bot(url, codes[0], 5).play())
    while b"You are seat" not in (line := await host.stdout.readline()):  # whoever leaves earlier is not told the seat
        assert line
    output = (await host.communicate(b"/\nhello\n"))[0].decode()
    assert await playing == "over"
    assert host.returncode == 0
    assert "werewolf.talk" not in output or "* " in output


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (("host", "--friends", "0"), "--friends"),
        (("host", "--friends", "10"), "1 to 9"),
        (("host", "--cert", "x.pem"), "--key"),
        (("host", "--cert", "x.pem", "--key", "x.pem"), "certificate"),
        (("join", "http://x"), "ws://"),
        (("join", "ws://x/?token=abc"), "without the code"),
    ],
)
def test_mistakes_are_told(tianhei: Tianhei, argv: tuple[str, ...], word: str) -> None:  # noqa: F811
    ran = tianhei(*argv, "--lang", "en")
    assert ran.code == 2
    assert word in ran.err


async def test_a_stopped_table_goes_on(tmp_path: Path) -> None:
    quick = ("--port", "0", "--lang", "en", "--grace", "0", "--pace", "0")
    host = await _command(tmp_path, "host", "--friends", "1", *quick)
    url, codes = await _opened(host, 1)
    bot = Stopping(url, codes[0])
    playing = asyncio.ensure_future(bot.play())
    await bot.stopped.wait()
    host.send_signal(signal.SIGINT)
    await host.communicate()
    assert (host.returncode, await playing) == (130, "stopped")
    alone = await _command(tmp_path, "resume", "--lang", "en", stderr=True)
    assert b"tianhei host --resume tournament" in (await alone.communicate())[1]
    assert alone.returncode == 2
    again = await _command(tmp_path, "host", "--resume", "tournament", *quick)
    url, codes = await _opened(again, 1)
    late = Bot(url, codes[0], 7)
    (output, _), bye = await asyncio.gather(again.communicate(), late.play())
    assert (again.returncode, bye) == (0, "over")
    assert b"CANARY" in output
