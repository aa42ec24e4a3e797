"""A progress bar on standard error; nothing where standard error is no terminal."""

from __future__ import annotations

import sys
from types import TracebackType

WIDTH = 30  # cells of the bar


class Progress:
    """Counts up to a total. Use as a context; whatever prints a line calls `clear` first."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        self._draw("")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def step(self, note: str = "") -> None:
        """One more is done."""
        self.done += 1
        self._draw(note)

    def clear(self) -> None:
        """Take the bar away, so that a line can be printed."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()

    def _draw(self, note: str) -> None:
        if not self._shown:
            return
        filled = WIDTH * self.done // self.total
        sys.stderr.write(f"\r\x1b[2K[{'#' * filled}{'.' * (WIDTH - filled)}] {self.done}/{self.total} {note}")
        sys.stderr.flush()
