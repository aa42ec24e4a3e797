"""The app in a real terminal: a whole game by keys, and what is left of it after a kill."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ESCAPE = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]")
BOUND = 120.0  # seconds; only a hang takes so long
DOWN, ENTER, QUIT = b"\x1b[B", b"\r", b"\x11"
SEEDED = b"\x1b[Z\x1b[Z7\x13"  # back to the line for the seed, and deal
UNDONE = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[<u")
"""What gives the terminal back: the main screen, its cursor, the mouse (twice), pasting, plain keys."""


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, home: Path, *argv: str, size: tuple[int, int] = (100, 30)) -> None:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "TIANHEI_"))}
        env |= {"TIANHEI_HOME": str(home), "TIANHEI_CONFIG": str(home / "none.toml"), "TERM": "xterm-256color"}
        env |= {"LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        for name in ("COLUMNS", "LINES"):  # they would hide what size the terminal has
            env.pop(name, None)
        self.pid, self.fd = pty.fork()
        if not self.pid:
            resize(0, size)
            code = "from cli.main import main; main()"
            os.execve(sys.executable, [sys.executable, "-c", code, *argv], env)
        self.output, self.fresh = b"", 0
        self.end = time.monotonic() + BOUND

    def pump(self, seconds: float) -> bool:
        """Read what comes. Returns whether the command still runs."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                return True
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.output += data
        return True

    def shows(self, words: str) -> bool:
        """Whether these words were written since `fresh`."""
        return words.encode() in ESCAPE.sub(b"", self.output[self.fresh :])

    def until(self, words: str, *keys: bytes) -> None:
        """Press these keys, over and over, until the words appear."""
        while not self.shows(words):
            assert time.monotonic() < self.end, ESCAPE.sub(b"", self.output)[-2000:].decode("utf-8", "replace")
            for key in keys:
                os.write(self.fd, key)
                self.pump(0.05)
            assert self.pump(0.2), ESCAPE.sub(b"", self.output)[-2000:].decode("utf-8", "replace")

    def left(self) -> int:
        """The exit code, once it ends."""
        while self.pump(0.2):
            assert time.monotonic() < self.end
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def resize(fd: int, size: tuple[int, int]) -> None:
    """Give a terminal so many columns and rows; what runs in it is told by a signal."""
    columns, rows = size
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Those that are still open are killed."""
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        try:
            os.kill(one.pid, signal.SIGKILL)
            os.waitpid(one.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(one.fd)


def test_a_kill_leaves_the_terminal_sane_and_the_game(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, "--lang", "en")
    terminals.append(terminal)
    terminal.until("New game")
    os.write(terminal.fd, b"1")
    terminal.until("Deal the cards")
    terminal.until("seen as seat", b"\r")
    os.kill(terminal.pid, signal.SIGTERM)
    assert terminal.left() == 128 + signal.SIGTERM
    assert b"\x1b[?1049l" in terminal.output
    again = Terminal(tmp_path, "--lang", "en")
    terminals.append(again)
    again.until("Continue · ")
    os.write(again.fd, b"3")
    again.until("seen as seat")


@pytest.mark.parametrize(
    ("lang", "deal", "seen", "over", "home"),
    [("zh", "发牌", "视角", "s 保存", "新开一局"), ("en", "Deal the cards", "seen as seat", "s save", "New game")],
)
def test_a_whole_game_by_keys(
    tmp_path: Path, terminals: list[Terminal], lang: str, deal: str, seen: str, over: str, home: str
) -> None:
    terminal = Terminal(tmp_path, "--lang", lang, size=(80, 24))
    terminals.append(terminal)
    before = termios.tcgetattr(terminal.fd)
    terminal.until(home)
    os.write(terminal.fd, b"1")
    terminal.until(deal)
    os.write(terminal.fd, SEEDED)
    terminal.until(seen)
    os.write(terminal.fd, b"+++")
    for size in ((50, 15), (120, 40), (80, 24)):  # too small, very wide, and back
        resize(terminal.fd, size)
        terminal.fresh = len(terminal.output)
        terminal.until("60×20" if size == (50, 15) else seen)
    terminal.until(over, DOWN, ENTER)
    terminal.fresh = len(terminal.output)
    os.write(terminal.fd, QUIT)
    terminal.until(home)
    os.write(terminal.fd, QUIT)
    assert terminal.left() == 0
    assert all(codes in terminal.output for codes in UNDONE)
    assert termios.tcgetattr(terminal.fd)[:4] == before[:4], "the line discipline is as it was"
    assert b"Traceback" not in terminal.output
