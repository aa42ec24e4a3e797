"""`tianhei bench models`: what model games take beside the least that they need, and beside the goals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cli.columns import columns
from cli.config import Settings
from cli.errors import FAILED
from cli.words import say

if TYPE_CHECKING:
    from arena.modelbench import ModelBench


ONE_BY_ONE = 6  # games that are played one by one, where others are played side by side too


def run_model_bench(settings: Settings, *, games: int | None, parallel: int | None, json_out: bool) -> int:
    """Measure and print. games: one by one; with `parallel`, side by side, and the first few one by one before them.
    Returns the exit code."""
    from arena.modelbench import bench_models
    from cli.progress import Progress
    from cli.seats import Seater

    seater = Seater(settings.model_copy(update={"players": "model"}), many=True)
    lang = settings.lang if settings.lang in ("zh", "en") else "en"
    many = (games or 3 * parallel) if parallel else 0
    single = min(games or ONE_BY_ONE, ONE_BY_ONE) if parallel else games or ONE_BY_ONE
    with Progress(1 + single + many) as progress:
        numbers = bench_models(
            seater.endpoint(), games=single, many=many, parallel=parallel or 1, lang=lang, told=progress.step
        )
    print(msgspec.json.encode(numbers).decode() if json_out else "\n".join(bench_lines(numbers)))
    return 0 if not numbers.failed else FAILED


def bench_lines(n: ModelBench) -> list[str]:
    """The numbers in words: measured, least, ratio, goal."""

    def per(what: str, measured: float, least: float, goal: float) -> tuple[str, str, str, str, str]:
        return what, f"{measured:,.2f}", f"{least:,.2f}", f"{measured / least:.2f} x", f"{goal:.2f} x"

    rows = [
        ("", say("measured", "实测"), say("least", "最低"), say("ratio", "比值"), say("goal", "目标")),
        per(say("calls a speech", "每次发言的调用"), n.calls, n.least_calls, 1.05),
        per(say("chain of calls a speech", "每次发言的调用链"), n.chain, n.least_chain, 1.05),
        (say("wall over chain x latency", "耗时比链长乘延迟"), "", "", f"{n.wall:.2f} x", "1.03 x"),
        per(say("prompt tokens a speech", "每次发言的提示 token"), n.prompt, n.least_prompt, 1.3),
        per(say("of them not cached", "其中未命中缓存"), n.uncached, n.least_uncached, 1.5),
        (say("cacheable share", "可缓存比例"), f"{100 * n.cacheable:.0f} %", "", "", "88 %"),
        (say("  with the schema first", "  schema 在前时"), f"{100 * n.cacheable_schema_first:.0f} %", "", "", "88 %"),
        per(say("CPU ms a call", "每次调用的 CPU 毫秒"), n.cpu, n.bare, 1.6),
    ]
    if n.rate:
        at_once = say(f"games a minute, {n.parallel} at once", f"每分钟局数，{n.parallel} 局并行")
        rows.append((at_once, f"{n.rate:.0f}", f"{n.rate_limit:.0f}", f"{n.rate / n.rate_limit:.2f} x", "200"))
        rows.append((say("CPU s a game", "每局 CPU 秒"), f"{n.rate_cpu:.3f}", "", "", ""))
        rows.append((say("MB for each further game", "每多一局的 MB"), f"{n.memory:.2f}", "", "", "1"))
        rows.append((say("MB of the process, at most", "进程最多占用 MB"), f"{n.peak:.0f}", "", "", ""))
    title = say(
        f"{n.games} games, {n.failed} failed, {n.substituted} substituted; a call takes {1000 * n.latency:.0f} ms",
        f"{n.games} 局，失败 {n.failed}，替代回答 {n.substituted}；一次调用 {1000 * n.latency:.0f} 毫秒",
    )
    return [title, *columns(rows, right=frozenset({1, 2, 3, 4}))]
