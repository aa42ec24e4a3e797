"""The app in a real terminal: what is left of it and of the game after a kill."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ESCAPE = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]")
BOUND = 60.0  # seconds; only a hang takes so long


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, home: Path, *argv: str) -> None:
        env = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "TIANHEI_"))}
        env |= {"TIANHEI_HOME": str(home), "TIANHEI_CONFIG": str(home / "none.toml"), "TERM": "xterm-256color"}
        env |= {"LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "COLUMNS": "100", "LINES": "30"}
        self.pid, self.fd = pty.fork()
        if not self.pid:
            code = "from cli.main import main; main()"
            os.execve(sys.executable, [sys.executable, "-c", code, *argv], env)
        self.output = b""
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
        """Whether these words were ever written."""
        return words.encode() in ESCAPE.sub(b"", self.output)

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
