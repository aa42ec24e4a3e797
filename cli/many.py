"""`tianhei simulate` and `tianhei bench`: many games, no screen."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.bench import BOARDS, EngineBench, bench_engine, profile_engine
from cli.config import Settings
from cli.errors import FAILED, Problem
from cli.extras import NO_EXTRAS, Extras
from cli.progress import Progress
from cli.seats import Seater
from cli.shelf import camp_name
from cli.table import make_setup
from cli.words import say
from engine.text import clean

if TYPE_CHECKING:
    from arena.simulate import Line
    from engine.setup import Setup
    from judge.budget import Budget


def run_many(
    settings: Settings,
    *,
    number: int,
    seed: int | None,
    overrides: Iterable[str],
    out: Path | None,
    json_out: bool,
    extras: Extras = NO_EXTRAS,
) -> int:
    """Play the games of `number` seeds on from the first. Returns 0 only if every one ended by its rules."""
    import asyncio

    from arena.simulate import OtherGame, simulate

    first = 1 if seed is None else seed
    overrides = list(overrides)
    make_setup(settings, seed=first, overrides=overrides, extras=extras)  # a mistake is told before anything begins
    setups = (make_setup(settings, seed=first + at, overrides=overrides, extras=extras) for at in range(number))
    folder = settings.records if out is None else out
    seater = Seater(settings, many=True)
    budget = seater.budget()
    lines: list[Line] = []
    with Progress(number) as progress:

        def done(line: Line) -> None:
            lines.append(line)
            if json_out:
                progress.clear()
                print(msgspec.json.encode(line).decode(), flush=True)
            progress.step(say(f"{line.game}: {line.status}", f"{line.game}：{line.status}"))

        try:
            if settings.needs_server:
                seater.check_server()
                asyncio.run(_with_models(setups, seater, folder, settings.parallel, budget, done))
            else:
                for line in simulate(setups, seater, folder):
                    done(line)
        except KeyboardInterrupt:
            progress.clear()
            print("\n".join(_summary(lines, number, folder)), file=sys.stderr)
            raise
        except OtherGame as error:
            raise Problem(
                f"{error}; choose another folder with -o, or another --seed",
                f"{error.path} 是另一种设置的对局；请用 -o 换文件夹，或换 --seed",
            ) from None
    if not json_out:
        print("\n".join(_summary(lines, number, folder)))
    return 0 if all(line.status == "finished" for line in lines) else FAILED


async def _with_models(
    setups: Iterable[Setup],
    seater: Seater,
    folder: Path,
    parallel: int,
    budget: Budget | None,
    done: Callable[[Line], None],
) -> None:
    from arena.simulate import simulate_models

    try:
        await simulate_models(setups, seater, folder, parallel=parallel, budget=budget, done=done)
    finally:
        await seater.close()


def _summary(lines: list[Line], number: int, folder: Path) -> list[str]:
    """What the games came to, in a few lines."""
    ended = [line for line in lines if line.status == "finished"]
    won = Counter(line.winners for line in ended)
    text = [
        say(
            f"{len(ended)} of {number} games ended by their rules; records in {folder}",
            f"{number} 局中有 {len(ended)} 局按规则结束；记录在 {folder}",
        )
    ]
    for camps, count in won.most_common():
        who = say(" and ", "与").join(map(camp_name, camps)) or say("a draw", "平局")
        text.append(
            say(
                f"  {who}: {count} ({100 * count / len(ended):.0f} %)",
                f"  {who}：{count} 局（{100 * count / len(ended):.0f}%）",
            )
        )
    if ended:
        days = sum(line.days for line in ended) / len(ended)
        calls, fallbacks = sum(line.calls for line in lines), sum(line.fallbacks for line in lines)
        text.append(
            say(
                f"  {days:.1f} days a game, {calls} model calls, {fallbacks} fallbacks",
                f"  平均 {days:.1f} 天，模型调用 {calls} 次，替代回答 {fallbacks} 次",
            )
        )
    text += _of_models(lines)
    for line in lines:
        if line.status != "finished":
            text.append(clean(f"  {line.game}: {line.status}. {line.reason}"))
    return text


def _of_models(lines: list[Line]) -> list[str]:
    """What the models did: tokens, cost, what went wrong, what was substituted."""
    if not any(line.calls for line in lines):
        return []
    sent, got = sum(line.tokens_in for line in lines), sum(line.tokens_out for line in lines)
    text = [say(f"  {sent:,} tokens sent, {got:,} received", f"  发送 {sent:,} 个 token，接收 {got:,} 个")]
    costs = [line.cost for line in lines if line.cost is not None]
    if costs:
        total, mean = sum(costs), sum(costs) / len(costs)
        text.append(say(f"  cost {total:.4f}, {mean:.4f} a game", f"  花费 {total:.4f}，每局 {mean:.4f}"))
    for name, name_zh, counts in (
        ("calls with", "调用出现", sum((Counter(line.faults) for line in lines), Counter())),
        ("substituted for", "替代原因", sum((Counter(line.substituted) for line in lines), Counter())),
        ("speeches flagged", "发言标记", sum((Counter(line.flags) for line in lines), Counter())),
    ):
        if counts:
            listed = ", ".join(f"{what} {count}" for what, count in counts.most_common())
            text.append(say(f"  {name}: {listed}", f"  {name_zh}：{listed}"))
    return text


def run_bench(*, seconds: float, games: int | None, profile: bool, json_out: bool) -> int:
    """Print the engine's numbers. Returns the exit code."""
    for at, board in enumerate(BOARDS):
        numbers = bench_engine(board, games=games, seconds=None if games else seconds)
        if json_out:
            print(msgspec.json.encode(numbers).decode(), flush=True)
            continue
        for line in [""] * bool(at) + _bench_lines(numbers):
            print(line, flush=True)
    if profile and not json_out:
        print()
        print(profile_engine())
    return 0


def _bench_lines(numbers: EngineBench) -> list[str]:
    from cli.columns import columns

    low, high = numbers.spread
    rows = [
        (say("games per CPU-second", "每 CPU 秒局数"), f"{numbers.games_per_second:,.0f}"),
        (say("  slowest and fastest batch", "  最慢与最快的一批"), f"{low:,.0f} - {high:,.0f}"),
        (say("microseconds a game", "每局微秒"), f"{numbers.us_per_game:,.0f}"),
        (say("decisions per CPU-second", "每 CPU 秒决定数"), f"{numbers.decisions_per_second:,.0f}"),
        (say("decisions a game", "每局决定数"), f"{numbers.decisions_per_game:,.1f}"),
        (say("events a game", "每局事件数"), f"{numbers.events_per_game:,.1f}"),
        (say("replays per CPU-second", "每 CPU 秒重放局数"), f"{numbers.replays_per_second:,.0f}"),
        (
            say("microseconds to fold one seat's view of a game", "折叠一局中一个座位视角的微秒"),
            f"{numbers.us_per_view:,.0f}",
        ),
    ]
    title = say(
        f"random legal play, {numbers.ruleset}, {numbers.seats} seats, empty talk, {numbers.games} games, "
        f"median of {numbers.batches} batches, one process",
        f"随机合法对局，{numbers.ruleset}，{numbers.seats} 人，发言为空，{numbers.games} 局，"
        f"{numbers.batches} 批的中位数，单进程",
    )
    return [title, *columns(rows, right=frozenset({1}))]
