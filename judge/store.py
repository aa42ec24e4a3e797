"""Where tables are kept: one folder with the games' lines and received replies, and LangGraph's checkpoints beside it.

The lines are the truth: a game is its header and its decisions. The journal holds replies that were received and not
yet decided upon, so that nothing is asked, or paid for, twice. Checkpoints only say where in its round the graph was.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from judge.lines import Asked, DecisionLine, Header, Line, Result, ask_key, decode_asked, encode_asked, encode_line
from judge.record import Record, RecordError, parse_record

if TYPE_CHECKING:
    from aiosqlite import Connection

    from engine.setup import Setup

STORE_SCHEMA = 1
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

_TABLES = """
CREATE TABLE IF NOT EXISTS game (
  id TEXT PRIMARY KEY, status TEXT NOT NULL, days INTEGER NOT NULL, winners TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line (game TEXT NOT NULL, at INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY (game, at))
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reply (
  game TEXT NOT NULL, n INTEGER NOT NULL, seat INTEGER NOT NULL, ask TEXT NOT NULL, text BLOB NOT NULL,
  PRIMARY KEY (game, n, seat, ask)) WITHOUT ROWID;
"""


class StoreError(RecordError):
    """The store cannot do this; the message says what is wrong and where."""


class InUseError(StoreError):
    """Another process plays this game."""

    def __init__(self, game: str) -> None:
        super().__init__(f"game {game} is already being played in another window")
        self.game = game


class GameInfo(msgspec.Struct, frozen=True):
    """One game of the store. status: running, or the status of its result."""

    id: str
    status: str
    days: int
    winners: tuple[str, ...]
    header: Header


def _no_id(name: str) -> str:
    return f"{name!r} is no game id: letters, digits, dots and hyphens, at most 80"


def data_folder() -> Path:
    """The folder of all that is kept: TIANHEI_HOME, or the platform's place for user data."""
    home = os.environ.get("TIANHEI_HOME")
    if home:
        return Path(home)
    from platformdirs import user_data_path

    return user_data_path("tianhei", appauthor=False)


def new_id(setup: Setup) -> str:
    """An id for a new game. It tells the board and nothing of the seed, by which the deal could be made again."""
    return f"{setup.ruleset}-{setup.size}-{secrets.token_hex(4)}"


class Store:
    """The table store of one folder. Several processes may use it; a game is run by one of them at a time."""

    def __init__(self, folder: Path | None = None, *, durable: bool = True) -> None:
        """durable: wait for the disk at each commit, so that not even a power cut loses a reply; without it, only the
        death of the process does no harm, and many games at once are not slowed by the disk. Raises StoreError."""
        self.folder, self._durable = folder or data_folder(), durable
        self.path = self.folder / "tables.sqlite"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self.folder}: {error.strerror or error}") from error
        self._db: sqlite3.Connection | None = None
        with self._using() as db:
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            if version not in (0, STORE_SCHEMA):
                raise StoreError(f"{self.path}: the store has schema {version}, this version reads {STORE_SCHEMA}")
            if not version:
                db.executescript(_TABLES)
                db.execute(f"PRAGMA user_version={STORE_SCHEMA}")

    @property
    def checkpoints(self) -> Path:
        """The file of LangGraph's checkpoints."""
        return self.folder / "checkpoints.sqlite"

    @asynccontextmanager
    async def open_checkpoints(self) -> AsyncIterator[Connection]:
        """A connection to the checkpoints. Its thread ends with the block, however often the block is cancelled."""
        import aiosqlite

        connection = aiosqlite.connect(self.checkpoints)
        try:
            async with connection:
                # A power cut may lose the last checkpoints, and then the round begins again from the store.
                await connection.execute("PRAGMA journal_mode=WAL")
                await connection.execute("PRAGMA synchronous=NORMAL")
                yield connection
        finally:
            # Another cancellation (a closing loop) breaks off the wait for it to open or close, but no join.
            connection.stop()
            connection._thread.join()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The connection; whatever SQLite says becomes a StoreError and the transaction is undone."""
        try:
            if self._db is None:
                self._db = sqlite3.connect(self.path, timeout=10.0)
                self._db.execute("PRAGMA journal_mode=WAL")
                # With FULL a commit is on the disk before a seat hears of it.
                self._db.execute(f"PRAGMA synchronous={'FULL' if self._durable else 'NORMAL'}")
            with self._db:
                yield self._db
        except sqlite3.Error as error:
            full = "full" in str(error)
            why = "the disk is full; free some space and go on, nothing is lost" if full else str(error)
            raise StoreError(f"{self.path}: {why}") from error

    # -- games

    def create(self, header: Header) -> None:
        """A new game. Raises StoreError if there is one of this id."""
        if not _ID.fullmatch(header.game):
            raise StoreError(_no_id(header.game))
        with self._using() as db:
            if db.execute("SELECT 1 FROM game WHERE id=?", (header.game,)).fetchone():
                raise StoreError(f"there is already a game {header.game}")
            db.execute("INSERT INTO game VALUES (?, 'running', 0, '')", (header.game,))
            db.execute("INSERT INTO line VALUES (?, 0, ?)", (header.game, encode_line(header)))

    def games(self) -> tuple[GameInfo, ...]:
        """All games whose header can be read, by id; the others are told by `broken`."""
        return tuple(game for _, game in self._games() if isinstance(game, GameInfo))

    def broken(self) -> dict[str, str]:
        """Why games cannot be read, by id. One of them must not hide the others."""
        return {name: game for name, game in self._games() if isinstance(game, str)}

    def _games(self) -> Iterator[tuple[str, GameInfo | str]]:
        with self._using() as db:
            rows = db.execute(
                "SELECT id, status, days, winners, text FROM game LEFT JOIN line ON line.game=id AND at=0 ORDER BY id"
            ).fetchall()
        for game, status, days, winners, text in rows:
            try:
                header = parse_record(text or b"", f"{self.path}, game {game}").header
            except RecordError as error:
                yield game, str(error)
            else:
                yield game, GameInfo(game, status, days, tuple(winners.split()), header)

    def delete(self, game: str) -> None:
        """Forget a game. Raises InUseError, StoreError."""
        with self.claim(game), self._using() as db:
            if not db.execute("DELETE FROM game WHERE id=?", (game,)).rowcount:
                raise StoreError(f"{self.folder}: there is no game {game!r}")
            for table in ("line", "reply"):
                db.execute(f"DELETE FROM {table} WHERE game=?", (game,))
        (self.folder / "locks" / f"{game}.lock").unlink(missing_ok=True)

    def rename(self, game: str, to: str) -> None:
        """Give a game another id; what was played stays as it is. Raises InUseError, StoreError."""
        header = msgspec.structs.replace(self.record(game).header, game=to)
        if not _ID.fullmatch(to):
            raise StoreError(_no_id(to))
        with self.claim(game), self._using() as db:
            if db.execute("SELECT 1 FROM game WHERE id=?", (to,)).fetchone():
                raise StoreError(f"there is already a game {to}")
            db.execute("UPDATE game SET id=? WHERE id=?", (to, game))
            for table in ("line", "reply"):
                db.execute(f"UPDATE {table} SET game=? WHERE game=?", (to, game))
            db.execute("UPDATE line SET text=? WHERE game=? AND at=0", (encode_line(header), to))

    def record(self, game: str) -> Record:
        """A game's record as far as it goes. Raises RecordError."""
        return parse_record(self.data(game), f"{self.path}, game {game}")

    def data(self, game: str) -> bytes:
        """A game's record as bytes. Raises StoreError if there is no such game."""
        with self._using() as db:
            rows = db.execute("SELECT text FROM line WHERE game=? ORDER BY at", (game,)).fetchall()
        if not rows:
            raise StoreError(f"{self.folder}: there is no game {game!r}")
        return b"".join(row[0] for row in rows)

    def export(self, game: str, path: Path) -> None:
        """Write a game's record to a file, whole or not at all. Raises RecordError."""
        data = self.data(game)
        part = path.with_name(path.name + ".part")
        try:
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise RecordError(f"{path}: {error.strerror or error}") from error

    def sink(self, game: str) -> StoreSink:
        """Where a running game's lines go."""
        return StoreSink(self, game)

    def append(self, game: str, lines: Sequence[Line]) -> None:
        """Add lines to a game in one transaction; replies that a decision among them settles leave the journal."""
        with self._using() as db:
            row = db.execute("SELECT max(at) FROM line WHERE game=?", (game,)).fetchone()
            start = row[0] + 1
            db.executemany(
                "INSERT INTO line VALUES (?, ?, ?)",
                [(game, start + i, encode_line(line)) for i, line in enumerate(lines)],
            )
            for line in lines:
                if isinstance(line, DecisionLine):
                    db.execute("DELETE FROM reply WHERE game=? AND n<=?", (game, line.n))
                elif isinstance(line, Result):
                    db.execute(
                        "UPDATE game SET status=?, days=?, winners=? WHERE id=?",
                        (line.status, line.days, " ".join(line.winners), game),
                    )

    # -- the journal

    def keep_reply(self, game: str, n: int, asked: Asked) -> None:
        """Journal a reply received for decision n. The first one for an ask stands."""
        ask = asked.ask
        with self._using() as db:
            db.execute(
                "INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?, ?)",
                (game, n, ask.seat, ask_key(ask), encode_asked(asked)),
            )

    def kept_replies(self, game: str, n: int) -> tuple[Asked, ...]:
        """The journalled replies for decision n. An answer fits an ask only if it was given to an equal one."""
        with self._using() as db:
            rows = db.execute("SELECT text FROM reply WHERE game=? AND n=? ORDER BY seat, ask", (game, n)).fetchall()
        return tuple(decode_asked(row[0]) for row in rows)

    # -- one runner at a time

    def claim(self, game: str) -> IO[bytes]:
        """Hold a game for this process until the returned file is closed or the process dies.

        Raises InUseError, StoreError.
        """
        folder = self.folder / "locks"
        try:
            folder.mkdir(exist_ok=True)
            file = (folder / f"{game}.lock").open("ab")
        except OSError as error:
            raise StoreError(f"{folder}: {error.strerror or error}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise InUseError(game) from None
        return file

    def close(self) -> None:
        """Close the store."""
        if self._db is not None:
            self._db.close()
            self._db = None


class StoreSink:
    """Appends a running game's lines to the store."""

    def __init__(self, store: Store, game: str) -> None:
        self._store, self._game = store, game

    def write(self, lines: Sequence[Line]) -> None:
        """Keep these lines, all or none. Raises StoreError; the same lines may then be written again."""
        self._store.append(self._game, lines)
