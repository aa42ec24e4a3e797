"""The project's own numbers: how quickly the engine plays, replays and shows games.

All times are CPU time of one process (`time.process_time`), so a busy machine does not change them much. The load is
random legal play on the 9-seat tournament board and on the full 18-seat deck of Miller's Hollow: empty talk, every
answer checked against its mask, the event log on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from time import process_time

import msgspec

from engine.game import Decision, Game
from engine.setup import Setup, deal
from engine.views import View


class Board(msgspec.Struct, frozen=True):
    """A table to be timed: a ruleset, its deck table and the seats."""

    ruleset: str
    seats: int
    deck: str | None = None


SMALL, LARGE = Board("tournament", 9), Board("millers-hollow", 18, "full")
BOARDS = (SMALL, LARGE)
WARM_UP = 20  # games
BATCHES = 5
KEPT = 40  # games of each batch, for the replay and the views


class EngineBench(msgspec.Struct, frozen=True):
    """What `bench_engine` measured; every rate is the median of the batches.

    games_per_second, decisions_per_second: per CPU-second, the deal included. us_per_game: microseconds.
    spread: slowest and fastest batch in games per CPU-second. replays_per_second: whole games replayed from their
    decisions. us_per_view: folding a whole game into one seat's view, microseconds.
    """

    ruleset: str
    seats: int
    games: int
    batches: int
    games_per_second: float
    spread: tuple[float, float]
    us_per_game: float
    decisions_per_game: float
    decisions_per_second: float
    events_per_game: float
    replays_per_second: float
    us_per_view: float


class Played(msgspec.Struct, frozen=True):
    """A finished random game, as a replay needs it."""

    setup: Setup
    decisions: tuple[Decision, ...]


class Batch(msgspec.Struct, frozen=True):
    """Games played in a row: how many, the answers and events they took, CPU seconds, and the first of them."""

    games: int
    answers: int
    events: int
    spent: float
    kept: tuple[Played, ...]


def random_game(setup: Setup, rng: Random) -> tuple[Game, int]:
    """A whole game of random legal answers without reactions, and how many answers it took."""
    game, answers = Game(setup), 0
    while asks := game.asks:
        game.answer({ask.seat: ask.random(rng) for ask in asks})
        answers += len(asks)
    return game, answers


def bench_engine(
    board: Board = SMALL,
    *,
    games: int | None = None,
    seconds: float | None = None,
    batches: int = BATCHES,
    seed: int = 1,
) -> EngineBench:
    """Measure the engine on a board.

    games: in all batches together. seconds: CPU time for the playing in all batches together, instead of `games`
    (5 without either). Raises ValueError for a budget that is not positive.
    """
    if (games is not None and games < 1) or (seconds is not None and seconds <= 0) or batches < 1:
        raise ValueError("a benchmark needs at least one game, some time and one batch")
    seeds = iter(range(seed, 1 << 62))
    _batch(board, seeds, games=min(WARM_UP, games or WARM_UP))
    share = None if games is None else max(1, games // batches)
    time_share = (5.0 if seconds is None else seconds) / batches
    runs = [_batch(board, seeds, games=share, seconds=time_share) for _ in range(batches)]
    total = sum(run.games for run in runs)
    rates = [run.games / run.spent for run in runs]
    rate, answers = median(rates), sum(run.answers for run in runs) / total
    sample = [game for run in runs for game in run.kept]
    return EngineBench(
        ruleset=board.ruleset,
        seats=board.seats,
        games=total,
        batches=batches,
        games_per_second=rate,
        spread=(min(rates), max(rates)),
        us_per_game=1e6 / rate,
        decisions_per_game=answers,
        decisions_per_second=rate * answers,
        events_per_game=sum(run.events for run in runs) / total,
        replays_per_second=_replays(sample),
        us_per_view=_views(sample),
    )


def profile_engine(games: int = 200, top: int = 15, seed: int = 1) -> str:
    """The functions that take the most time of their own, as a table of text."""
    import cProfile
    import io
    import pstats

    seeds = iter(range(seed, 1 << 62))
    _batch(SMALL, seeds, games=WARM_UP)
    profiler, text = cProfile.Profile(), io.StringIO()
    profiler.runcall(_batch, SMALL, seeds, games=games)
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(top)
    return "\n".join(line for line in text.getvalue().splitlines() if line.strip())


def _batch(board: Board, seeds: Iterator[int], *, games: int | None = None, seconds: float = 1.0) -> Batch:
    """Play so many games, or for so long. Only a few are kept, or the memory of many would slow the later ones."""
    done, answers, events = 0, 0, 0
    kept: list[Played] = []
    rng = Random()
    began = process_time()
    while done < games if games is not None else process_time() - began < seconds:
        setup = deal(board.ruleset, board.seats, deck=board.deck, seed=next(seeds))
        rng.seed(setup.seed)
        game, asked = random_game(setup, rng)
        done, answers, events = done + 1, answers + asked, events + len(game.events)
        if len(kept) < KEPT:
            kept.append(Played(setup, tuple(game.decisions)))
    return Batch(done, answers, events, max(process_time() - began, 1e-9), tuple(kept))


def _replays(sample: Sequence[Played]) -> float:
    """Games replayed per CPU-second."""
    began = process_time()
    for one in sample:
        Game.replay(one.setup, one.decisions)
    return len(sample) / max(process_time() - began, 1e-9)


def _views(sample: Sequence[Played]) -> float:
    """Microseconds to fold a whole game into one seat's view."""
    games = [Game.replay(one.setup, one.decisions) for one in sample]
    began = process_time()
    for game in games:
        for seat in range(1, game.setup.size + 1):
            View(seat, game.setup).read(game.events, game.audiences)
    return 1e6 * (process_time() - began) / sum(game.setup.size for game in games)
