"""Somebody's own notes about a game. They stay at this terminal: no table, record, model or log ever sees them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from engine.text import clean

MARKS = ("", "trust", "unsure", "suspect", "wolf")
TEXT_LIMIT = 20_000  # characters


class Sheet(msgspec.Struct):
    """marks: by seat one of MARKS. text: free notes, several lines."""

    marks: dict[int, str] = {}
    text: str = ""

    def turn(self, seat: int) -> None:
        """The seat's next mark."""
        self.marks[seat] = MARKS[(MARKS.index(self.marks.get(seat, "")) + 1) % len(MARKS)]

    def keep(self, path: Path | None) -> None:
        """Write it, if there is a file for it. Raises OSError."""
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.write_bytes(msgspec.json.encode(self))
        part.replace(path)


def opened(path: Path | None) -> Sheet:
    """The sheet as it was left; an empty one where there is none that can be read."""
    if path is not None:
        with suppress(OSError, msgspec.MsgspecError):
            sheet = msgspec.json.decode(path.read_bytes(), type=Sheet)
            marks = {seat: mark for seat, mark in sheet.marks.items() if mark in MARKS}
            lines = [clean(line) for line in sheet.text[:TEXT_LIMIT].splitlines()]
            return Sheet(marks, "\n".join(lines))
    return Sheet()
