"""The `tianhei` command: what can be typed. Each command imports what it needs when it runs, and only then."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from cli import aiwolf, evaluation, menus, words
from cli.campaign import campaign
from cli.errors import FAULT, STOPPED, explain
from cli.helptext import Command, Group
from cli.host import add_to
from cli.options import (
    HomeOption,
    JsonOption,
    JudgeOption,
    LangOption,
    PlayersOption,
)
from cli.shared import Dealt, Limits, Modes, Place, Server, grouped, settled
from cli.words import say
from cli.workbench import BENCH_HELP, DOCTOR_HELP, bench, doctor

app = typer.Typer(
    name="tianhei",
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,  # rich would cost more start-up time than everything else of --help together
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 110},
)

_EPILOG = say(
    "Start with `tianhei play`: no key is needed. Settings may also stand in tianhei/config.toml in your config folder "
    "(TIANHEI_CONFIG names another file). Exit codes: 0 done, 1 a game or case failed, 2 a typing mistake, "
    "3 a broken file, 4 the model's server, 5 the disk, 70 our fault, 130 stopped.",
    "先试试 `tianhei play`：不需要密钥。设置也可写在配置文件夹的 tianhei/config.toml 里（TIANHEI_CONFIG 可另指文件）。"
    "退出码：0 成功，1 有对局或案例失败，2 命令有误，3 文件损坏，4 模型服务，"
    "5 磁盘，70 程序自身的错，130 被中止。",
)


@app.callback(
    invoke_without_command=True,
    help=say("天黑 Tianhei: a judge and AI players for Werewolf.", "天黑：狼人杀的法官与 AI 玩家。"),
    epilog=_EPILOG,
)
def tianhei(
    ctx: typer.Context,
    lang: LangOption = None,
    version: Annotated[
        bool, typer.Option("--version", "-V", help=say("Print the version and stop.", "显示版本后退出。"))
    ] = False,
) -> None:
    """Options that stand before the command."""
    if version:
        from importlib.metadata import version as version_of

        print(f"tianhei {version_of('tianhei')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            print(ctx.get_help())
            return
        menus.open_home(lang, None, None, None)


@app.command(
    cls=Command,
    help=say(
        "Play a game, you against the others. --me none watches.",
        "玩一局：你和其余玩家。--me none 为旁观。",
    ),
    epilog=say(
        "For example: tianhei play --seats 9 --me 3 --role seer",
        "例如：tianhei play --seats 9 --me 3 --role seer",
    ),
)
@grouped
def play(
    *,
    me: Annotated[
        str | None,
        typer.Option("--me", metavar="SEAT|random|none", help=say("Your seat. [random]", "你的座位。[random]")),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option("--role", metavar="ROLE", help=say("Ask for a role, such as seer.", "指定角色，如 seer。")),
    ] = None,
    dealt: Dealt,
    modes: Modes,
    players: PlayersOption = None,
    judge: JudgeOption = "builtin",
    server: Server,
    limits: Limits,
    place: Place,
) -> None:
    """One game on the screen."""
    from cli.extras import read_extras
    from cli.play import new_game

    settings = settled(dealt, server, limits, place, players=players)
    raise typer.Exit(
        new_game(
            settings,
            me=me,
            role=role,
            seed=dealt.seed,
            overrides=modes.overrides(dealt.option),
            extras=read_extras(modes.attribute, modes.event_order),
            judge=judge,
        )
    )


@app.command(
    cls=Command,
    help=say("Go on with a stopped game; the newest one if none is named.", "继续未完的对局；不写则为最近一局。"),
)
@grouped
def resume(
    *,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help=say("Its name in `tianhei games`.", "`tianhei games` 里的名字。")),
    ] = None,
    server: Server,
    place: Place,
) -> None:
    """A stopped game on the screen."""
    from cli.play import old_game

    settings = settled(server, place)
    raise typer.Exit(old_game(settings, game))


@app.command(
    cls=Command,
    help=say(
        "Play many games without a screen and write their records. Exit code 0 only if every game ended by its rules.",
        "不开界面地进行多局并写下记录。只有每局都按规则结束，退出码才是 0。",
    ),
    epilog=say(
        "For example: tianhei simulate -n 20 --seats 9 --seed 1 -o games. Run it again and finished games are skipped.",
        "例如：tianhei simulate -n 20 --seats 9 --seed 1 -o games。再次运行会跳过已完成的对局。",
    ),
)
@grouped
def simulate(
    *,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, max=1_000_000, metavar="N", help=say("How many games.", "多少局。"))
    ] = 10,
    dealt: Dealt,
    modes: Modes,
    players: PlayersOption = None,
    server: Server,
    parallel: Annotated[
        int | None,
        typer.Option(
            "--parallel", "-j", metavar="N", help=say("Model games at once. [4]", "同时进行的模型对局数。[4]")
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help=say("Folder for the records.", "记录的文件夹。")),
    ] = None,
    limits: Limits,
    json_out: JsonOption = False,
    place: Place,
) -> None:
    """Many games, no screen."""
    from cli.extras import read_extras
    from cli.many import run_many

    settings = settled(dealt, server, limits, place, players=players, parallel=parallel)
    raise typer.Exit(
        run_many(
            settings,
            number=number,
            seed=dealt.seed,
            overrides=modes.overrides(dealt.option),
            extras=read_extras(modes.attribute, modes.event_order),
            out=out,
            json_out=json_out,
        )
    )


@app.command(cls=Command, help=say("List saved games and records.", "列出存档与记录。"))
def games(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help=say("A folder of records instead.", "改为列出某个记录文件夹。")),
    ] = None,
    home: HomeOption = None,
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """What is on the shelf."""
    from cli.config import load
    from cli.shelf import list_games

    raise typer.Exit(list_games(load({"home": home, "lang": lang}), folder, json_out=json_out))


@app.command(
    cls=Command,
    help=say(
        "Print a game as the judge told it. Without --as or --judge only what everyone knew.",
        "按法官的讲述打印一局。不加 --as 或 --judge 则只有公开信息。",
    ),
)
@grouped
def replay(
    *,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=say("A name in `tianhei games`, or a record file.", "`tianhei games` 里的名字，或记录文件。"),
        ),
    ],
    seat: Annotated[
        int | None,
        typer.Option("--as", "-a", min=1, metavar="SEAT", help=say("What this seat knew.", "该座位所知的。")),
    ] = None,
    judge: Annotated[
        bool, typer.Option("--judge", "-J", help=say("Everything, the secrets too.", "全部，包括秘密。"))
    ] = False,
    place: Place,
) -> None:
    """A game as text."""
    from cli.shelf import print_game

    raise typer.Exit(print_game(settled(place), game, seat=0 if judge else seat))


@app.command(
    cls=Command,
    help=say(
        "Run rule cases (YAML files or folders of them). Exit code 0 only if all hold.",
        "运行规则案例（YAML 文件或其文件夹）。全部成立时退出码才是 0。",
    ),
)
def check(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help=say("Case files or folders.", "案例文件或文件夹。"))
    ],
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Rule cases."""
    from cli.check import run_check

    raise typer.Exit(run_check(paths, json_out))


@app.command(
    cls=Command,
    help=say("Print a ruleset; without a name, list them all.", "打印一套规则；不写名字则列出全部。"),
    epilog=say("For example: tianhei rules tournament --role witch", "例如：tianhei rules tournament --role witch"),
)
def rules(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help=say("Its id.", "规则的名字。"))] = None,
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help=say("Only this card.", "只看这个角色。"))
    ] = None,
    lang: LangOption = None,
) -> None:
    """The rules as text."""
    from cli.config import load
    from cli.rules import print_rules

    raise typer.Exit(print_rules(load({"lang": lang}), ruleset, role))


menus.add(app)
add_to(app)
aiwolf.add_to(app)
app.command(cls=Command, name="doctor", help=DOCTOR_HELP)(doctor)
app.command(cls=Command, name="bench", help=BENCH_HELP)(bench)
evaluation.add(app)
app.add_typer(campaign, name="campaign")


def run(argv: Sequence[str]) -> int:
    """Run the command; whatever goes wrong becomes one line on standard error. Returns the exit code."""
    words.begin(argv, os.environ)
    try:
        code = app(args=list(argv), prog_name="tianhei", standalone_mode=False)
        sys.stdout.flush()
        if code == STOPPED:  # typer makes a silent exit of Ctrl-C
            raise KeyboardInterrupt
    except (Exception, KeyboardInterrupt) as error:
        verdict = explain(error)
        if os.environ.get("TIANHEI_DEBUG") and verdict.code == FAULT:
            import traceback

            traceback.print_exc()
        if verdict.line:
            print(f"tianhei: {verdict.line}", file=sys.stderr)
        return verdict.code
    return code if isinstance(code, int) else 0


def main() -> NoReturn:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")  # a C locale must not break on Chinese
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:  # a full disk or a closed pipe, told already; the flush at exit must not complain again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
