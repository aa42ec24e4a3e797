"""`tianhei bench players`: how strong the built-in players are, in a table with 95 % intervals."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from arena.players_bench import TABLES, Margin, Score, margins, table
from cli.columns import columns
from cli.errors import Problem
from cli.progress import Progress
from cli.words import say

GAMES = 100  # a table, where no number is given
SERIES = len(TABLES)


def run_players_bench(what: str, *, games: int | None, json_out: bool) -> int:
    """Print the table; every ruleset with all seats at the top level, then each level against the lower ones.

    games: for each series. Raises Problem for an unknown subject.
    """
    if what != "players":
        raise Problem(
            f"there is nothing to measure called {what!r}; there are engine, players and models",
            f"没有名为 {what!r} 的测量；可选 engine、players 和 models",
        )
    number = games or GAMES
    with Progress(SERIES) as progress:
        scores = list(_told(progress, table(number)))
    found = list(margins(number))
    if json_out:
        plain = {"scores": [msgspec.structs.replace(score, won=()) for score in scores], "margins": found}
        print(msgspec.json.encode(plain).decode())
        return 0
    print(say("All seats at the top level:", "全部座位均为最高水平："))
    print("\n".join(columns([_head(), *map(_row, scores)], right=frozenset(range(1, 8)))))
    print()
    print(
        say(
            "Levels, tournament with 9 seats, the other side at the top level: wins gained on the same deals",
            "水平之间，竞技 9 人，另一方为最高水平：同样发牌下多赢的比例",
        )
    )
    print("\n".join(columns([_margin(one) for one in found], right=frozenset({3}))))
    return 0


def _told(progress: Progress, scores: Iterator[Score]) -> Iterator[Score]:
    for score in scores:
        progress.step(f"{score.ruleset} {score.seats}")
        yield score


def _head() -> tuple[str, ...]:
    return (
        say("ruleset", "规则"),
        say("seats", "人数"),
        say("games", "局数"),
        say("village wins", "村民胜率"),
        say("95 % interval", "95% 区间"),
        say("wolves win", "狼人胜率"),
        say("day-1 vote lift", "首日投票增益"),
        say("CPU ms a game", "每局 CPU 毫秒"),
    )


def _row(score: Score) -> tuple[str, ...]:
    low, high = score.interval
    return (
        score.ruleset,
        str(score.seats),
        str(score.games),
        f"{100 * score.village / score.games:.0f} %",
        f"{100 * low:.0f} - {100 * high:.0f} %",
        f"{100 * score.wolves / score.games:.0f} %",
        f"{score.lift:+.2f} ± {score.lift_within:.2f}",
        f"{score.ms:.0f}",
    )


def _margin(one: Margin) -> tuple[str, ...]:
    side = say("village", "村民方") if one.side == "village" else say("wolves", "狼人方")
    gain = f"{100 * one.gain:+.0f} %"
    return (
        side,
        one.higher,
        say(f"over {one.lower}", f"对 {one.lower}"),
        gain,
        f"{100 * one.low:+.0f} ... {100 * one.high:+.0f} %",
    )
