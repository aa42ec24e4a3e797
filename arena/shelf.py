"""Game records on disk: which there are, what each came to, and where one that was named lies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from engine.setup import Setup
from judge.lines import SCHEMA, Header, Result, decode_line

SUFFIX = ".jsonl"
TAIL = 8192  # bytes; a result line is far shorter
HEAD = 1 << 20  # bytes; a header with every option and draw is far shorter

State = Literal["finished", "failed", "unfinished", "broken"]


class Entry(msgspec.Struct, frozen=True):
    """A record on the shelf, from its first and last line alone.

    state: how it ended; unfinished may go on; broken cannot be read, and `why` says so. created: UTC, ISO 8601.
    """

    name: str
    path: Path
    state: State
    setup: Setup | None = None
    winners: tuple[str, ...] = ()
    days: int = 0
    created: str = ""
    why: str = ""


def entries(folder: Path) -> Iterator[Entry]:
    """The records of a folder, by name; none if there is no such folder."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(SUFFIX))
    except FileNotFoundError:
        return
    for name in names:
        yield peek(folder / name)


def peek(path: Path) -> Entry:
    """What a record's first and last line say. Never raises for what the file holds; OSError is told as broken."""
    name = path.name.removesuffix(SUFFIX)
    try:
        with path.open("rb") as file:
            first = file.readline(HEAD)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL))
            tail = file.read(TAIL)
        header = decode_line(first)
        if not isinstance(header, Header):
            return Entry(name, path, "broken", why="it does not begin with a header line")
        if header.schema != SCHEMA:
            return Entry(name, path, "broken", why=f"it has schema {header.schema}, this version reads {SCHEMA}")
    except OSError as error:
        return Entry(name, path, "broken", why=error.strerror or type(error).__name__)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return Entry(name, path, "broken", why=f"line 1: {error}")
    result = _result(tail)
    if result is None:
        return Entry(name, path, "unfinished", header.setup, created=header.created)
    return Entry(name, path, result.status, header.setup, result.winners, result.days, header.created, result.reason)


def _result(tail: bytes) -> Result | None:
    """The result line at the end of a record, if there is one; a line that was cut off is none."""
    last = tail.rstrip(b"\r\n").rpartition(b"\n")[2]
    if b'"type":"result"' not in last or not tail.endswith(b"\n"):
        return None
    try:
        line = decode_line(last)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return line if isinstance(line, Result) else None


def find(folder: Path, name: str) -> Path | None:
    """The record that a person means: a path, a name on the shelf, or its only entry that begins so."""
    as_path = Path(name).expanduser()
    if as_path.is_file():
        return as_path
    exact = folder / (name.removesuffix(SUFFIX) + SUFFIX)
    if exact.parent == folder and exact.is_file():
        return exact
    begins = [entry for entry in _names(folder) if entry.startswith(name)]
    return folder / begins[0] if len(begins) == 1 else None


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.name.endswith(SUFFIX))
    except OSError:
        return []
