"""`tianhei annotate`, `export`, `evaluate`, `plan`, `report` and `samples`: what they do and what they print."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from cli.errors import BROKEN, FAILED, Problem
from cli.progress import Progress
from cli.words import say

if TYPE_CHECKING:
    from arena.annotate.labelled import Given
    from arena.annotate.tables import Tables, UtteranceRow
    from arena.design.config import Config
    from cli.config import Settings


def run_annotate(
    source: Path, out: Path | None, *, json_out: bool, against: Path | None = None, judge: Settings | None = None
) -> int:
    """Annotate records; print the labels, or every row as JSON, and write tables with `out`.

    against: a labelled set, whose agreement is told instead of the counts. judge: the settings of a model that labels
    the speeches of that set as well.
    """
    import msgspec

    from arena.annotate.tables import nine
    from arena.design.read import read_games
    from arena.report.words import Words

    words, counts, games = Words(say("en", "zh")), Counter[tuple[str, str]](), 0
    engine: dict[str, str] = {}
    speeches: list[UtteranceRow] = []
    for record, tables in read_games(source):
        games += 1
        rows = [{"table": name, **msgspec.to_builtins(row)} for name, many in nine(tables).items() for row in many]
        if json_out:
            for row in rows:
                print(msgspec.json.encode(row).decode())
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            target = out / f"{Path(record.name).stem}.annotated.jsonl"
            target.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
        engine.update((row.claim_id, row.label) for row in tables.claims)
        speeches += tables.utterances
        counts.update((row.team, row.label) for row in tables.claims if row.label != "NONE")
        counts.update((row.team, "OMISSION") for row in tables.utterances if row.hides)
    if against is not None:
        from arena.annotate.judged import act_labels
        from arena.annotate.labelled import ENGINE, LabelError, agreement_table, read_labels

        engine.update(
            (one.target_id, one.label) for row in speeches for one in act_labels(row.utt_id, row.acts, ENGINE)
        )
        try:
            given = read_labels(against)
            if judge is not None:
                wanted = {one.target_id.partition("#")[0] for one in given}
                given += _judged(judge, [row for row in speeches if row.utt_id in wanted])
            print("\n".join(agreement_table(given, engine)))
        except LabelError as error:
            raise Problem(str(error), f"标注文件有误：{error}", BROKEN) from None
    elif not json_out:
        from arena.report.terminal import grid

        labels = sorted({label for _, label in counts})
        head = [say("claims", "声明"), words("village"), words("wolves")]
        names = {"OMISSION": say("turn that hides a fact", "隐瞒已知事实的发言")}
        lines = [
            [names.get(label) or words(label), *(str(counts[team, label]) for team in ("village", "wolves"))]
            for label in labels
        ]
        print("\n".join([say(f"{games} games", f"{games} 局"), *grid(head, lines)]))
    return 0


def _judged(settings: Settings, speeches: list[UtteranceRow]) -> list[Given]:
    """What a model says of the acts of these speeches. Raises Problem, EndpointError."""
    import asyncio

    from arena.annotate.judged import judge_acts
    from cli.seats import Seater
    from players.model import ModelClient

    seater = Seater(settings)

    async def ask() -> list[Given]:
        client = ModelClient(seater.endpoint(), memory=seater.memory())
        try:
            await client.check()
            return await judge_acts(client, speeches)
        finally:
            await client.close()

    return asyncio.run(ask())


def run_export(source: Path, form: str, out: Path, name: str | None) -> int:
    """Write the games in a format. Raises Problem."""
    from arena.design.read import read_games
    from arena.export.base import Export, ExportError, canary
    from arena.export.formats import FORMATS

    if form not in FORMATS:
        raise Problem(
            f"there is no format {form!r}; there are {', '.join(FORMATS)}",
            f"没有格式 {form!r}；可用的有 {', '.join(FORMATS)}",
        )
    called = name or source.resolve().stem
    mark = canary(called)
    games = list(read_games(source, mark))
    try:
        made = FORMATS[form](
            Export(called, tuple(tables for _, tables in games), tuple(record for record, _ in games), mark), out
        )
    except ExportError as error:
        raise Problem(str(error), f"缺少可选依赖：{error}") from None
    print(say(f"{len(games)} games, {len(made)} files in {out}", f"{len(games)} 局，{len(made)} 个文件，在 {out}"))
    return 0


def read_config(path: Path) -> Config:
    """The configuration. Raises Problem."""
    from arena.design.config import ConfigError, load_config

    try:
        return load_config(path)
    except ConfigError as error:
        raise Problem(str(error), f"评测配置有误：{error}", BROKEN) from None


def run_evaluate(path: Path, out: Path | None, *, json_out: bool, again: bool = False, other_code: bool = False) -> int:
    """Play what is left of an evaluation, then report. Returns 0 only if every game came to a result."""
    from arena.campaign.ledger import Ended
    from arena.campaign.plan import CampaignError
    from arena.design.run import Evaluation
    from cli.campaigns import stopped, told

    config = read_config(path)
    folder = out if out is not None else Path("evaluations") / config.name
    try:
        evaluation = Evaluation(config, folder)
    except CampaignError as error:
        raise Problem(
            f"{error}; choose another folder", f"{folder} 里是另一个评测（计划不同）；请换一个文件夹"
        ) from None
    with told():
        with Progress(max(1, evaluation.left())) as progress:

            def done(end: Ended) -> None:
                progress.step(f"{end.game}: {end.outcome}")

            report = evaluation.run(done, again=again, other_code=other_code)
        games = list(evaluation.tables())
    if games:
        _write_reports(games, config.name, config.reference, folder, json_out=json_out)
    for line in stopped(report):
        print(line, file=sys.stderr)
    return 0 if report.totals.finished == report.totals.games else FAILED


def run_report(source: Path, out: Path | None, *, json_out: bool) -> int:
    """Report on games that are there already."""
    from arena.design.read import config_of, read_games

    config = config_of(source)
    games = [tables for _, tables in read_games(source)]
    name = config.name if config else source.resolve().stem
    folder = out or (source if source.is_dir() else source.parent)
    _write_reports(games, name, config.reference if config else None, folder, json_out=json_out)
    return 0


def _write_reports(games: list[Tables], name: str, reference: str | None, folder: Path, *, json_out: bool) -> None:
    """report.zh.html, report.en.html and the tables on the screen."""
    from arena.report.page import page
    from arena.report.summary import summarise
    from arena.report.terminal import as_json, tables

    summary = summarise(games, name, reference)
    folder.mkdir(parents=True, exist_ok=True)
    shown = [game for game in games if game.game.status == "finished"][:2]
    for lang in ("zh", "en"):
        (folder / f"report.{lang}.html").write_text(page(summary, shown, lang), encoding="utf-8")
    mine = say("en", "zh")
    if json_out:
        print(as_json(summary))
        return
    print(tables(summary, mine))
    print(say(f"\nreport: {folder / f'report.{mine}.html'}", f"\n报告：{folder / f'report.{mine}.html'}"))


def run_plan(config: Path | None, margin: float | None, difference: float | None, rho: float, power: float) -> int:
    """How many games a claim needs, or what a configuration can show."""
    from arena.design.power import detectable, games_for_margin, margin_of, pairs_for_difference

    try:
        if margin is not None:
            number = games_for_margin(margin)
            print(say(f"±{margin:g} at 95 %: {number} games", f"±{margin:g}（95%）：{number} 局"))
        if difference is not None:
            pairs = pairs_for_difference(difference, rho=rho, power=power)
            print(
                say(
                    f"a difference of {difference:g} with power {power:g} and rho {rho:g}: {pairs} pairs of games",
                    f"差异 {difference:g}、功效 {power:g}、rho {rho:g}：{pairs} 对局",
                )
            )
    except ValueError as error:
        raise Problem(str(error), f"数值超出范围：{error}") from None
    if config is not None:
        wanted = read_config(config)
        number = sum(1 for _ in wanted.plan().games())
        each = number // max(1, len(wanted.agents))
        print(
            say(
                f"{number} games on {wanted.deals} deals; an agent's win rate is known to ±{margin_of(each):.3f}, "
                f"and {wanted.deals} independent deals show a difference of {detectable(wanted.deals, rho=rho):.2f}",
                f"{wanted.deals} 组牌共 {number} 局；每个玩家的胜率误差约 ±{margin_of(each):.3f}，"
                f"{wanted.deals} 组独立牌局可检出 {detectable(wanted.deals, rho=rho):.2f} 的差异",
            )
        )
    elif margin is None and difference is None:
        print("\n".join(f"±{m:<5g} {games_for_margin(m):>6}" for m in (0.1, 0.05, 0.03, 0.02, 0.01)))
    return 0


def run_samples(number: int, out: Path, *, small: bool) -> int:
    """Make sample games of the built-in players."""
    from arena.design.samples import make_samples

    with Progress(number) as progress:
        for path in make_samples(out, number, small):
            progress.step(path.name)
    print(say(f"{number} games in {out}", f"{number} 局，在 {out}"))
    return 0
