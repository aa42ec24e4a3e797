"""Many games without a screen: each with its record, each found again and skipped by the next run.

A record appears under its name only when its game is over, so what a stop or a full disk leaves is whole.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.shelf import SUFFIX
from engine.setup import Setup
from judge.budget import Budget
from judge.direct import play_direct
from judge.lines import Sitter, Status
from judge.record import Record, RecordError, RecordWriter, read_record
from players.base import Player

if TYPE_CHECKING:
    from judge.store import GameInfo, Store

PART = ".part"  # behind the name of a record that is still being written
Seating = Callable[[Setup], Mapping[int, Player]]


class Line(msgspec.Struct, frozen=True):
    """One game in the output of a simulation.

    record: the file. calls: model calls. fallbacks: answers that were not the seats' own. skipped: it was there before.
    faults: what was wrong with calls, by kind (players.base.FAULTS and QUIRKS). substituted: fallbacks by reason.
    flags: on speeches (players.model.guard). cost: in the currency of the prices, if there are any.
    """

    game: str
    seed: int
    status: Status
    record: str
    winners: tuple[str, ...] = ()
    days: int = 0
    decisions: int = 0
    calls: int = 0
    fallbacks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    skipped: bool = False
    reason: str = ""
    faults: dict[str, int] = {}
    substituted: dict[str, int] = {}
    flags: dict[str, int] = {}
    cost: float | None = None


class OtherGame(ValueError):
    """A record of this name is of another table; nothing was overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is the record of a table with other settings")
        self.path = path


def game_name(setup: Setup) -> str:
    """The name of a simulated game: the same table and seed, the same name."""
    return f"{setup.ruleset}-{setup.size}-{setup.seed:06d}"


def simulate(setups: Iterable[Setup], seating: Seating, folder: Path) -> Iterator[Line]:
    """Play the games one after another, with players that answer at once; yields each as it ends.

    seating: the players of a table. folder: where records are written, and found. Raises RecordError, OtherGame.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    for setup in setups:
        players = seating(setup)
        path = folder / f"{game_name(setup)}{SUFFIX}"
        yield found(path, setup, players) or _play(path, setup, players)


def found(path: Path, setup: Setup, players: Mapping[int, Player]) -> Line | None:
    """The game's line, if its record is there and the game ended by its rules. Raises OtherGame, RecordError."""
    if not path.is_file():
        return None
    record = read_record(path)
    if record.header.setup != setup or _specs(record.header.players) != specs(players):
        raise OtherGame(path)
    if record.result is None or record.result.status != "finished":
        return None
    return line_of(record, path, skipped=True)


def specs(players: Mapping[int, Player]) -> list[tuple[int, str]]:
    """Who sits where."""
    return [(seat, player.spec) for seat, player in sorted(players.items()) if seat]


def _specs(sitters: Sequence[Sitter]) -> list[tuple[int, str]]:
    return [(sitter.seat, sitter.spec) for sitter in sitters]


def _play(path: Path, setup: Setup, players: Mapping[int, Player]) -> Line:
    """Play into a file beside the record's, which takes the record's name when the game is over."""
    part = path.with_name(f"{path.name}.{os.getpid()}{PART}")  # two simulations of one folder must not share a file
    part.unlink(missing_ok=True)
    writer = RecordWriter.open(part, durable=False)
    try:
        outcome = play_direct(setup, players, writer, game_id=path.stem)
    except (RecordError, KeyboardInterrupt):
        part.unlink(missing_ok=True)  # half a game helps nobody, and on a full disk it only takes room
        raise
    except Exception as error:  # a fault in the rules ends one game, not the campaign; its record says `failed`
        writer.close()
        part.replace(path)
        return Line(path.stem, setup.seed, "failed", str(path), reason=f"{type(error).__name__}: {error}")
    finally:
        writer.close()
    part.replace(path)
    return Line(
        path.stem,
        setup.seed,
        outcome.status,
        str(path),
        outcome.winners,
        outcome.days,
        outcome.decisions,
        outcome.calls,
        outcome.fallbacks,
        reason=outcome.reason,
        faults=dict(outcome.faults),
        substituted=dict(outcome.substituted),
    )


def _sweep(folder: Path) -> None:
    """Remove what simulations that were killed had half written."""
    for part in folder.glob(f"*{SUFFIX}.*{PART}"):
        owner = part.name.removesuffix(PART).rpartition(".")[2]
        try:
            os.kill(int(owner), 0)
        except (ValueError, OverflowError, ProcessLookupError):
            part.unlink(missing_ok=True)
        except OSError:  # another user's, and alive
            continue


def line_of(record: Record, path: Path, *, skipped: bool = False) -> Line:
    """The line of a game that is over, from its record."""
    result = record.result
    assert result is not None
    decisions = record.decisions
    every = [
        asked
        for line in decisions
        for asked in (*line.asked, *line.aside, *((line.reaction,) if line.reaction is not None else ()))
    ]
    calls = [call for asked in every for call in asked.calls]
    return Line(
        path.stem,
        record.header.setup.seed,
        result.status,
        str(path),
        result.winners,
        result.days,
        len(decisions),
        len(calls),
        sum(1 for asked in every if asked.fallback),
        sum(call.tokens_in for call in calls),
        sum(call.tokens_out for call in calls),
        skipped,
        result.reason,
        dict(Counter(call.fault for call in calls if call.fault)),
        dict(Counter(asked.fallback for asked in every if asked.fallback)),
        dict(Counter(flag for asked in every for flag in asked.flags)),
    )


# ---------------------------------------------------------------- with models


async def simulate_models(
    setups: Iterable[Setup],
    seating: Seating,
    folder: Path,
    *,
    parallel: int,
    done: Callable[[Line], None],
    budget: Budget | None = None,
) -> None:
    """As `simulate`, at tables that keep every reply: a stopped game goes on where it was and pays for nothing twice.

    parallel: games under way at once. done: called with each game's line. budget: what one game may take. Raises
    RecordError, OtherGame.
    """
    from judge.store import Store

    store = Store(folder, durable=False)
    waiting, begun = iter(setups), {game.id: game for game in store.games()}
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(parallel):
                group.create_task(_worker(waiting, seating, store, folder, done, budget, begun))
    except ExceptionGroup as several:
        raise several.exceptions[0] from several
    finally:
        store.close()


async def _worker(
    waiting: Iterator[Setup],
    seating: Seating,
    store: Store,
    folder: Path,
    done: Callable[[Line], None],
    budget: Budget | None,
    begun: Mapping[str, GameInfo],
) -> None:
    for setup in waiting:
        path = folder / f"{game_name(setup)}{SUFFIX}"
        line = found(path, setup, seating(setup))
        done(line if line is not None else await _play_table(path, setup, seating, store, budget, begun.get(path.stem)))


async def _play_table(
    path: Path, setup: Setup, seating: Seating, store: Store, budget: Budget | None, begun: GameInfo | None
) -> Line:
    """Begin or resume one table and play it to its end."""
    from judge.table import Table

    name, players = path.stem, seating(setup)
    if begun is None:
        table = Table.new(setup, players, store, human_seats=(), game_id=name, budget=budget)
    elif begun.header.setup != setup or _specs(begun.header.players) != specs(players):
        raise OtherGame(store.path)
    else:
        table = Table.resume(store, name, lambda setup, _: seating(setup), budget=budget)
    try:
        await table.run()
    finally:
        await table.close()
    store.export(name, path)
    line = line_of(store.record(name), path)
    cost = budget.cost_of(table.course.tokens) if budget is not None else None
    return line if cost is None else msgspec.structs.replace(line, cost=round(cost, 6))
