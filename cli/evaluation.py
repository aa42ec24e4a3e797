"""The commands of evaluation as they can be typed; each imports what it needs when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.campaign import OtherCode, RetryFailed
from cli.helptext import Command
from cli.options import BaseUrlOption, JsonOption, LangOption
from cli.words import say

OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="DIR", help=say("Folder to write to.", "写入的文件夹。"))
]
SourceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="GAMES",
        help=say("A record, a folder of records, or an evaluation's folder.", "记录文件、记录文件夹，或评测文件夹。"),
    ),
]


def add(app: typer.Typer) -> None:
    """Declare the commands."""
    app.command(
        cls=Command,
        help=say(
            "Judge every claim in games: lie, mistake, sincere. Truth is the engine's.",
            "判定对局中的每条声明：说谎、误判、真诚。真相以引擎为准。",
        ),
    )(annotate)
    app.command(
        cls=Command,
        help=say("Write games in a format for other programs.", "把对局导出为其他程序的格式。"),
        epilog=say(
            "Formats: parquet, jsonl, convokit, chat, inspect, aiwolf, html. For example: tianhei export games -f chat "
            "-o data",
            "格式：parquet、jsonl、convokit、chat、inspect、aiwolf、html。例如：tianhei export games -f chat -o data",
        ),
    )(export)
    app.command(
        cls=Command,
        help=say(
            "Compare players on the same deals, as a TOML file says, and write a report. Run it again to go on.",
            "按 TOML 配置在同样的牌局上比较玩家并写出报告。再次运行会接着进行。",
        ),
        epilog=say("See docs/evaluation.md.", "见 docs/evaluation.zh.md。"),
    )(evaluate)
    app.command(
        cls=Command,
        help=say(
            "How many games a claim needs, or what an evaluation can show.",
            "一个结论需要多少局，或一份配置能看出什么。",
        ),
        epilog=say(
            "For example: tianhei plan --difference 0.1 --rho 0.2", "例如：tianhei plan --difference 0.1 --rho 0.2"
        ),
    )(plan)
    app.command(
        cls=Command,
        help=say("Report on games that are there already.", "对已有的对局生成报告。"),
    )(report)
    app.command(
        cls=Command,
        help=say(
            "Make sample games of the built-in players, at all rulesets, in Chinese and English.",
            "生成内置玩家的示例对局：覆盖各套规则，中英文皆有。",
        ),
    )(samples)


def annotate(
    source: SourceArgument,
    out: OutOption = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="FILE",
            help=say(
                "Labels by people or models (JSONL); tell the agreement.", "人或模型的标注（JSONL）；报告一致性。"
            ),
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="MODEL",
            help=say("Let this model label the speeches of --against as well.", "让该模型也标注 --against 中的发言。"),
        ),
    ] = None,
    base_url: BaseUrlOption = None,
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Labels."""
    from cli.evaluate import run_annotate

    settings = None
    if judge is not None:
        from cli.config import load
        from cli.errors import Problem

        if against is None:
            raise Problem("--judge needs --against", "--judge 需要 --against")
        settings = load({"model": judge, "base_url": base_url, "lang": lang})
    raise typer.Exit(run_annotate(source, out, json_out=json_out, against=against, judge=settings))


def export(
    source: SourceArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help=say("Folder to write to.", "写入的文件夹。"))],
    form: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help=say("The format.", "格式。"))] = "jsonl",
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help=say("What the data set is called.", "数据集的名字。"))
    ] = None,
    lang: LangOption = None,
) -> None:
    """Formats."""
    from cli.evaluate import run_export

    raise typer.Exit(run_export(source, form, out, name))


def evaluate(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help=say("A TOML file.", "TOML 文件。"))],
    out: OutOption = None,
    retry_failed: RetryFailed = False,
    other_code: OtherCode = False,
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """A campaign."""
    from cli.evaluate import run_evaluate

    raise typer.Exit(run_evaluate(config, out, json_out=json_out, again=retry_failed, other_code=other_code))


def plan(
    config: Annotated[
        Path | None, typer.Argument(metavar="[CONFIG]", help=say("An evaluation's TOML file.", "评测的 TOML 文件。"))
    ] = None,
    margin: Annotated[
        float | None, typer.Option("--margin", metavar="M", help=say("Half-width of a share.", "比例的误差范围。"))
    ] = None,
    difference: Annotated[
        float | None, typer.Option("--difference", metavar="D", help=say("Difference to be shown.", "要检出的差异。"))
    ] = None,
    rho: Annotated[
        float, typer.Option("--rho", metavar="R", help=say("Correlation within a deal.", "同一牌局内的相关系数。"))
    ] = 0.0,
    power: Annotated[float, typer.Option("--power", metavar="P", help=say("Power.", "检验功效。"))] = 0.8,
    lang: LangOption = None,
) -> None:
    """Power."""
    from cli.evaluate import run_plan

    raise typer.Exit(run_plan(config, margin, difference, rho, power))


def report(
    source: SourceArgument, out: OutOption = None, json_out: JsonOption = False, lang: LangOption = None
) -> None:
    """A report."""
    from cli.evaluate import run_report

    raise typer.Exit(run_report(source, out, json_out=json_out))


def samples(
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, max=100_000, metavar="N", help=say("How many games.", "多少局。"))
    ] = 200,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help=say("Folder to write to.", "写入的文件夹。"))
    ] = Path("samples"),
    small: Annotated[
        bool, typer.Option("--small", help=say("Only each ruleset's smallest table.", "只用每套规则最小的牌桌。"))
    ] = False,
    lang: LangOption = None,
) -> None:
    """Sample games."""
    from cli.evaluate import run_samples

    raise typer.Exit(run_samples(number, out, small=small))
