"""The ledger of a campaign: what was planned, who plays it, how it ended, and every answer that was paid for.

SQLite in WAL mode, with one process that writes: it holds a lock on the folder for as long as it lives. A game that
stands as leased when that lock is won was left by a process that is dead, whatever any clock says; so no clock decides
anything here.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

import msgspec

from arena.campaign.plan import LEDGER, CampaignError, Plan, Planned, read_plan
from judge.lines import Status

LEDGER_SCHEMA = 2
_TABLES = """
CREATE TABLE campaign (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE game (
  id TEXT PRIMARY KEY, at INTEGER NOT NULL, seed INTEGER NOT NULL, replicate INTEGER NOT NULL,
  lang TEXT NOT NULL, seated TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'planned', owner TEXT NOT NULL DEFAULT '', fence INTEGER NOT NULL DEFAULT 0,
  deaths INTEGER NOT NULL DEFAULT 0, outcome TEXT NOT NULL DEFAULT '', winners TEXT NOT NULL DEFAULT '',
  days INTEGER NOT NULL DEFAULT 0, calls INTEGER NOT NULL DEFAULT 0, fallbacks INTEGER NOT NULL DEFAULT 0,
  sha256 TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX game_status ON game (status, at);
CREATE TABLE answer (
  game TEXT NOT NULL, seat INTEGER NOT NULL, n INTEGER NOT NULL, place TEXT NOT NULL, request TEXT NOT NULL,
  model TEXT NOT NULL, calls INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
  cost REAL NOT NULL, text BLOB NOT NULL, PRIMARY KEY (game, seat, n)) WITHOUT ROWID;
"""
_GAME = "id, seed, replicate, lang, seated"
_ENDED = "outcome, winners, days, calls, fallbacks, sha256, reason"
_INSERT_ANSWER = "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
GameStatus = Literal["planned", "leased", "done"]


class LedgerError(CampaignError):
    """The ledger cannot be read or written. full: the disk has no room."""

    def __init__(self, words: str, *, full: bool = False) -> None:
        super().__init__(words)
        self.full = full


class Busy(CampaignError):
    """Another process runs this campaign."""


class Lost(CampaignError):
    """This game was leased to somebody else meanwhile, or is done: nothing was written."""


class Answered(msgspec.Struct, frozen=True):
    """One question of a seat that was answered.

    n: the how-many-th of its seat in this game. place: hash of where in the game it was asked. request: hash of what
    was sent. calls: requests that it took. text: the answer as journal.py encodes it, empty once the game is over.
    """

    game: str
    seat: int
    n: int
    place: str
    request: str
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    text: bytes


class Ended(msgspec.Struct, frozen=True):
    """How a game ended. sha256: of its record; empty for a game that could not be played at all."""

    game: str
    outcome: Status
    winners: tuple[str, ...] = ()
    days: int = 0
    calls: int = 0
    fallbacks: int = 0
    sha256: str = ""
    reason: str = ""


class Lease(msgspec.Struct, frozen=True):
    """A game to play. fence: what is written for it must bear this number, or it comes from a lease that was lost."""

    game: Planned
    fence: int
    answers: tuple[Answered, ...] = ()


class Totals(msgspec.Struct, frozen=True):
    """What a campaign came to so far. cost: in the currency of the prices."""

    planned: int = 0
    leased: int = 0
    done: int = 0
    finished: int = 0
    unfinished: int = 0
    failed: int = 0
    calls: int = 0
    fallbacks: int = 0
    answers: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0

    @property
    def games(self) -> int:
        """All games of the plan."""
        return self.planned + self.leased + self.done


class Ledger:
    """The ledger of one folder. Its methods may be called from any thread."""

    def __init__(self, folder: Path, *, write: bool = True) -> None:
        """Open or begin it; `write` takes the lock of the folder. Raises CampaignError, Busy, LedgerError."""
        self.folder, self.path = folder, folder / LEDGER
        self.plan: Plan = read_plan(folder)
        if not write and not self.path.exists():
            raise CampaignError(f"{folder}: nothing has been played here yet")
        self._mutex = threading.Lock()
        self._claim: IO[bytes] | None = _claim(folder) if write else None
        try:
            self._db = sqlite3.connect(self.path, timeout=20.0, check_same_thread=False, isolation_level=None)
            with self._using():
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=FULL")  # what was paid for is on the disk before it is used
            if write:
                self._begin()
            self._check()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        with self._change() as db:
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name='campaign'").fetchone():
                for statement in _TABLES.split(";"):
                    db.execute(statement)
                db.executemany(
                    "INSERT INTO campaign VALUES (?, ?)", [("schema", str(LEDGER_SCHEMA)), ("plan", self.plan.hash)]
                )
                db.executemany(
                    f"INSERT INTO game (at, {_GAME}) VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        (at, game.id, game.seed, game.replicate, game.lang, " ".join(game.seated))
                        for at, game in enumerate(self.plan.games())
                    ),
                )
            db.execute("UPDATE game SET status='planned', owner='' WHERE status='leased'")

    def _check(self) -> None:
        if self.get("schema") != str(LEDGER_SCHEMA):
            raise LedgerError(f"{self.path}: the ledger has another schema than {LEDGER_SCHEMA}")
        if self.get("plan") != self.plan.hash:
            raise LedgerError(f"{self.path}: the ledger is of another plan than the one beside it")

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._mutex:
                yield self._db
        except sqlite3.Error as error:
            full = "full" in str(error) or "disk I/O" in str(error)
            words = "the disk is full; free some space and run it again, nothing is lost" if full else str(error)
            raise LedgerError(f"{self.path}: {words}", full=full) from error

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """One transaction, all or nothing."""
        with self._using() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    # -- the campaign as a whole

    def get(self, key: str) -> str:
        """A word that was kept; empty if there is none."""
        with self._using() as db:
            row = db.execute("SELECT value FROM campaign WHERE key=?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def totals(self) -> Totals:
        """The sums of all games and answers."""
        with self._using() as db:
            counts = dict(db.execute("SELECT status, count(*) FROM game GROUP BY status").fetchall())
            ends = dict(db.execute("SELECT outcome, count(*) FROM game GROUP BY outcome").fetchall())
            sums = db.execute("SELECT ifnull(sum(calls), 0), ifnull(sum(fallbacks), 0) FROM game").fetchone()
            paid = db.execute(
                "SELECT count(*), ifnull(sum(tokens_in), 0), ifnull(sum(tokens_out), 0), ifnull(sum(cost), 0) "
                "FROM answer"
            ).fetchone()
        planned, leased, done = (int(counts.get(name, 0)) for name in ("planned", "leased", "done"))
        finished, unfinished, failed = (int(ends.get(name, 0)) for name in ("finished", "unfinished", "failed"))
        return Totals(planned, leased, done, finished, unfinished, failed, *sums, *paid)

    def spent(self) -> dict[str, tuple[int, float]]:
        """Tokens and cost by model."""
        with self._using() as db:
            rows = db.execute(
                "SELECT model, sum(tokens_in + tokens_out), sum(cost) FROM answer GROUP BY model"
            ).fetchall()
        return {str(model): (int(tokens), float(cost)) for model, tokens, cost in rows}

    # -- games

    def lease(self, owner: str, number: int) -> list[Lease]:
        """Up to so many games that wait, in the plan's order, with the answers they have.

        Games whose workers died come last, and half as many at once for every death, until each is alone.
        """
        with self._change() as db:
            deaths = db.execute("SELECT min(deaths) FROM game WHERE status='planned'").fetchone()[0] or 0
            rows = db.execute(
                f"SELECT fence, {_GAME} FROM game WHERE status='planned' AND deaths=? ORDER BY at LIMIT ?",
                (deaths, max(1, number >> deaths)),
            ).fetchall()
            db.executemany(
                "UPDATE game SET status='leased', owner=?, fence=fence+1 WHERE id=?", [(owner, row[1]) for row in rows]
            )
            return [Lease(_planned(row[1:]), row[0] + 1, tuple(_answers(db, row[1]))) for row in rows]

    def release(self, lease: Lease, *, died: bool = False) -> int:
        """Let a game wait again. Returns how often it died, if it did."""
        with self._change() as db:
            db.execute(
                "UPDATE game SET status='planned', owner='', deaths=deaths+? "
                "WHERE id=? AND fence=? AND status='leased'",
                (int(died), lease.game.id, lease.fence),
            )
            return int(db.execute("SELECT deaths FROM game WHERE id=?", (lease.game.id,)).fetchone()[0])

    def record(self, entries: Sequence[tuple[int, Answered | Ended]]) -> None:
        """Keep answers, and ends of games whose records stand, with their leases' fences: all in one transaction.

        The answers' texts of a game that ended by its rules go: its record holds what was said. Raises Lost,
        LedgerError.
        """
        with self._change() as db:
            for fence, one in entries:
                _fenced(db, one.game, fence)
                if isinstance(one, Ended):
                    self._write_end(db, one)
                else:
                    # The key refuses a second answer in the same place: that would be one paid for twice.
                    db.execute(_INSERT_ANSWER, msgspec.structs.astuple(one))

    def adopt(self, end: Ended) -> None:
        """A game's record was found, and only its entry here was missing."""
        with self._change() as db:
            self._write_end(db, end)

    def games(self, status: GameStatus | None = None) -> list[tuple[Planned, GameStatus, Ended]]:
        """All games, or those that stand so, in the plan's order."""
        where, given = ("WHERE status=?", (status,)) if status else ("", ())
        with self._using() as db:
            rows = db.execute(f"SELECT status, {_GAME}, {_ENDED} FROM game {where} ORDER BY at", given).fetchall()
        return [(_planned(r[1:6]), r[0], Ended(r[1], r[6], tuple(r[7].split()), *r[8:])) for r in rows]

    def again(self) -> list[tuple[Planned, int]]:
        """Let games wait again that did not end by their rules and might now; returns them and their attempts so far.

        What was answered in them stays, and is not paid for again. A game that came to the last day is none of them.
        """
        might = "status='done' AND (outcome='failed' OR outcome='unfinished' AND days<?)"
        with self._change() as db:
            days = (self.plan.table.max_days,)
            rows = db.execute(f"SELECT attempt, {_GAME} FROM game WHERE {might} ORDER BY at", days).fetchall()
            db.execute(
                "UPDATE game SET status='planned', attempt=attempt+1, deaths=0, outcome='', winners='', days=0, "
                f"calls=0, fallbacks=0, sha256='', reason='' WHERE {might}",
                days,
            )
        return [(_planned(row[1:]), row[0] + 1) for row in rows]

    def tried_again(self) -> set[str]:
        """The games that were played more than once."""
        with self._using() as db:
            return {str(row[0]) for row in db.execute("SELECT id FROM game WHERE attempt>0")}

    def costs(self) -> dict[str, float]:
        """What each game's answers cost, of those that have any."""
        with self._using() as db:
            return dict(db.execute("SELECT game, sum(cost) FROM answer GROUP BY game").fetchall())

    def answers(self, game: str) -> tuple[Answered, ...]:
        """The answers that a game has got."""
        with self._using() as db:
            return tuple(_answers(db, game))

    def bring(self, end: Ended, answers: Iterable[Answered]) -> None:
        """A finished game out of another ledger of the same plan, with what was paid for it."""
        with self._change() as db:
            db.execute("DELETE FROM answer WHERE game=?", (end.game,))
            db.executemany(_INSERT_ANSWER, [msgspec.structs.astuple(row) for row in answers])
            self._write_end(db, end)

    def _write_end(self, db: sqlite3.Connection, end: Ended) -> None:
        row = (end.outcome, " ".join(end.winners), end.days, end.calls, end.fallbacks, end.sha256, end.reason[:500])
        db.execute(
            "UPDATE game SET status='done', owner='', outcome=?, winners=?, days=?, calls=?, fallbacks=?, sha256=?, "
            "reason=? WHERE id=?",
            (*row, end.game),
        )
        if end.outcome == "finished" or (end.outcome == "unfinished" and end.days >= self.plan.table.max_days):
            db.execute("UPDATE answer SET text=x'' WHERE game=?", (end.game,))  # the others may be tried again

    def sound(self) -> str:
        """What SQLite finds wrong with the file; empty if it is whole."""
        with self._using() as db:
            said = str(db.execute("PRAGMA integrity_check").fetchone()[0])
        return "" if said == "ok" else said

    def close(self) -> None:
        """Close it and let go of the folder."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._claim is not None:
            self._claim.close()


def _planned(row: tuple[str, int, int, str, str]) -> Planned:
    return Planned(row[0], row[1], row[2], row[3], tuple(row[4].split()))


def _answers(db: sqlite3.Connection, game: str) -> Iterator[Answered]:
    for row in db.execute("SELECT * FROM answer WHERE game=? ORDER BY seat, n", (game,)):
        yield Answered(*row)


def _fenced(db: sqlite3.Connection, game: str, fence: int) -> None:
    row = db.execute("SELECT status, fence FROM game WHERE id=?", (game,)).fetchone()
    if row != ("leased", fence):
        raise Lost(f"game {game} is no longer leased to this player")


def _claim(folder: Path) -> IO[bytes]:
    """Hold the folder until the file is closed or the process dies."""
    path = folder / "run.lock"
    try:
        file = path.open("ab")
    except OSError as error:
        raise CampaignError(f"{path}: {error.strerror or error}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Busy(f"{folder}: this campaign is being run by another process") from None
    return file
