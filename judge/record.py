"""The game record as JSONL: written line by line, read strictly, replayed and verified."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Protocol, cast

import msgspec

from engine.asks import IllegalAnswer
from engine.game import Game
from engine.rules.ruleset import SetupError
from judge.lines import SCHEMA, DecisionLine, EventLine, Header, Line, Result, decode_line, encode_line, event_lines


class RecordError(ValueError):
    """A record that cannot be read, written or replayed; the message names the file and the line."""


class _Peek(msgspec.Struct):
    type: str = ""
    schema: int | None = None


def engine_version() -> str:
    """The version of the rules that play here, as the header states it."""
    try:
        return metadata.version("tianhei")
    except metadata.PackageNotFoundError:
        return "0"


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read.

    raw: the lines as they stood, beside `lines`. torn: the last line was cut off (crash, full disk) and is left out.
    """

    name: str
    lines: tuple[Line, ...]
    raw: tuple[bytes, ...]
    torn: bool = False

    @property
    def header(self) -> Header:
        """The first line."""
        return cast(Header, self.lines[0])

    @property
    def decisions(self) -> tuple[DecisionLine, ...]:
        """All decisions, in order."""
        return tuple(line for line in self.lines if isinstance(line, DecisionLine))

    @property
    def events(self) -> tuple[EventLine, ...]:
        """All events, in order."""
        return tuple(line for line in self.lines if isinstance(line, EventLine))

    @property
    def result(self) -> Result | None:
        """The last line of a game that has ended; None while it may go on."""
        last = self.lines[-1]
        return last if isinstance(last, Result) else None


def read_record(path: Path) -> Record:
    """The record in a file. Raises RecordError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    return parse_record(data, str(path))


def parse_record(data: bytes, name: str) -> Record:
    """The record in these bytes; `name` stands in error messages. Raises RecordError."""
    raw, torn = _split(data)
    lines: list[Line] = []
    seq = n = 0
    for number, text in enumerate(raw, 1):
        at = f"{name}, line {number}"
        line = _parse_line(text, at, first=number == 1)
        if isinstance(line, Header) != (number == 1):
            raise RecordError(f"{at}: a record begins with one header line")
        if lines and isinstance(lines[-1], Result):
            raise RecordError(f"{at}: nothing may follow the result")
        if isinstance(line, EventLine):
            seq = _follows(line.seq, seq, "event", at)
        elif isinstance(line, DecisionLine):
            n = _follows(line.n, n, "decision", at)
        lines.append(line)
    if not lines:
        raise RecordError(f"{name}: the record is empty" + (" (its only line was cut off)" if torn else ""))
    return Record(name, tuple(lines), tuple(raw), torn)


def _split(data: bytes) -> tuple[list[bytes], bool]:
    """The lines, and whether a last one was cut off: it has no newline and is no whole JSON value."""
    raw = (
        data.splitlines(keepends=True) if b"\r" not in data else data.replace(b"\r\n", b"\n").splitlines(keepends=True)
    )
    if not raw or raw[-1].endswith(b"\n"):
        return raw, False
    try:
        msgspec.json.decode(raw[-1])
    except msgspec.DecodeError:
        return raw[:-1], True
    return [*raw[:-1], raw[-1] + b"\n"], False


def _parse_line(text: bytes, at: str, *, first: bool) -> Line:
    try:
        if first:
            _check_schema(msgspec.json.decode(text, type=_Peek), at)
        line: Line = decode_line(text)
        if isinstance(line, EventLine):
            line.decoded()
        elif isinstance(line, DecisionLine):
            line.decision()
    except msgspec.ValidationError as error:
        raise RecordError(f"{at}: {error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"{at}: this is not JSON ({error})") from None
    except IllegalAnswer as error:
        raise RecordError(f"{at}: the answer is outside its own ask: {error}") from None
    return line


def _check_schema(peek: _Peek, at: str) -> None:
    if peek.type != "header":
        raise RecordError(f"{at}: this is not a game record (a record begins with a header line)")
    if peek.schema != SCHEMA:
        raise RecordError(f"{at}: the record has schema {peek.schema}, this version reads schema {SCHEMA}")


def _follows(given: int, expected: int, what: str, at: str) -> int:
    if given != expected:
        raise RecordError(f"{at}: {what} {given} stands where {what} {expected} belongs")
    return expected + 1


# ---------------------------------------------------------------- replaying


def replay(record: Record) -> Game:
    """The game after the record's last decision. Raises RecordError."""
    game = _new_game(record)
    for number, line in enumerate(record.lines, 1):
        if isinstance(line, DecisionLine):
            _apply(game, line, f"{record.name}, line {number}")
    return game


def verify(record: Record) -> Game:
    """The replayed game, once it is shown that it yields the record's event lines byte for byte.

    A record without a result may lack the last events. Raises RecordError at the first line that differs.
    """
    game = _new_game(record)
    mine = event_lines(game, 0)
    seq = 0
    for number, (line, raw) in enumerate(zip(record.lines, record.raw, strict=True), 1):
        at = f"{record.name}, line {number}"
        if isinstance(line, EventLine):
            if seq >= len(mine) or encode_line(mine[seq]) != raw:
                raise RecordError(f"{at}: the replayed game does not yield this event")
            seq += 1
        elif not isinstance(line, Header):
            if seq != len(mine):
                raise RecordError(f"{at}: the replayed game yields event {seq} before this line")
            if isinstance(line, DecisionLine):
                _apply(game, line, at)
                mine += event_lines(game, seq)
            elif line.status == "finished" and (game.outcome is None or game.outcome.winners != line.winners):
                raise RecordError(f"{at}: the replayed game does not end like this")
    return game


def _new_game(record: Record) -> Game:
    try:
        return Game(record.header.setup)
    except SetupError as error:
        raise RecordError(f"{record.name}, line 1: {error}") from None


def _apply(game: Game, line: DecisionLine, at: str) -> None:
    try:
        game.apply(line.decision())
    except IllegalAnswer as error:
        raise RecordError(f"{at}: decision {line.n} does not fit the replayed game: {error}") from None


# ---------------------------------------------------------------- writing


class Sink(Protocol):
    """Where a running game's lines go."""

    def write(self, lines: Sequence[Line]) -> None:
        """Keep these lines, all or none. Raises RecordError; the same lines may then be written again."""
        ...


class RawFile(Protocol):
    """The part of an unbuffered binary file that a record needs."""

    def write(self, data: bytes, /) -> int | None: ...

    def tell(self) -> int: ...

    def truncate(self, size: int | None = None, /) -> int: ...

    def seek(self, offset: int, whence: int = 0, /) -> int: ...

    def fileno(self) -> int: ...

    def close(self) -> None: ...


class RecordWriter:
    """Appends lines to a record file. With `durable`, lines that hold a decision or result reach the disk at once."""

    def __init__(self, file: RawFile, name: str, *, durable: bool = True) -> None:
        self._file, self.name, self.durable = file, name, durable
        self._good = file.tell()

    @classmethod
    def open(cls, path: Path, *, durable: bool = True) -> RecordWriter:
        """A writer at the end of a new or old file, whose torn last line is cut. Raises RecordError."""
        try:
            file = path.open("a+b", buffering=0)
            file.seek(0)
            data = file.read()
            keep = data.rfind(b"\n") + 1
            if keep < len(data):
                file.truncate(keep)
            file.seek(0, os.SEEK_END)
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror or error}") from None
        return cls(file, str(path), durable=durable)

    def write(self, lines: Sequence[Line]) -> None:
        """Append these lines, all or none. Raises RecordError; the same lines may then be written again."""
        data = memoryview(b"".join(map(encode_line, lines)))
        size = len(data)
        try:
            while data:
                data = data[self._file.write(bytes(data)) or 0 :]
            if self.durable and any(not isinstance(line, EventLine) for line in lines):
                os.fsync(self._file.fileno())
        except OSError as error:
            self._undo()
            raise RecordError(f"{self.name}: {_why(error)}; the record is whole up to its last decision") from error
        self._good += size

    def _undo(self) -> None:
        """Cut what was half written; if even that fails, the next reader cuts it."""
        try:
            self._file.seek(self._good)
            self._file.truncate(self._good)
        except OSError:
            pass

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _why(error: OSError) -> str:
    return "the disk is full" if error.errno == errno.ENOSPC else str(error.strerror or error)


class MemorySink:
    """Keeps lines in memory."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def write(self, lines: Sequence[Line]) -> None:
        """Keep these lines."""
        self.lines += lines

    def data(self) -> bytes:
        """The record's bytes."""
        return join(self.lines)


def join(lines: Iterable[Line]) -> bytes:
    """The bytes of a record with these lines."""
    return b"".join(map(encode_line, lines))
