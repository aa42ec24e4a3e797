"""`tianhei doctor` and `tianhei bench`: what can be typed there. Each imports what it needs when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import BaseUrlOption, HomeOption, JsonOption, LangOption, ModelOption
from cli.words import say

DOCTOR_HELP = say(
    "Find out what the model's server can do, and how it will be asked.", "检查模型服务能做什么、将怎样调用它。"
)
BENCH_HELP = say("Measure the engine, the players, or model games.", "测量引擎、玩家或模型对局。")


def doctor(
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    home: HomeOption = None,
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """The model's server."""
    from cli.config import load
    from cli.doctor import run_doctor

    settings = load({"model": model, "base_url": base_url, "home": home, "lang": lang})
    raise typer.Exit(run_doctor(settings, json_out=json_out))


def bench(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[engine|players|models]",
            help=say(
                "The engine's speed, the built-in players' strength, or model games beside the least they need.",
                "引擎的速度，内置玩家的强弱，或模型对局与其最低所需之比。",
            ),
        ),
    ] = "engine",
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            "-t",
            min=0.1,
            max=3600,
            metavar="S",
            help=say("CPU time to play for.", "用于对局的 CPU 秒数。"),
        ),
    ] = 5.0,
    number: Annotated[
        int | None,
        typer.Option("--number", "-n", min=1, metavar="N", help=say("So many games instead.", "改为固定局数。")),
    ] = None,
    profile: Annotated[
        bool, typer.Option("--profile", help=say("Show where the time goes.", "显示时间花在哪里。"))
    ] = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    endpoint: Annotated[
        str | None,
        typer.Option("--endpoint", metavar="URL", help=say("The same as --base-url.", "同 --base-url。"), hidden=True),
    ] = None,
    parallel: Annotated[
        int | None,
        typer.Option(
            "--parallel", "-j", min=1, metavar="N", help=say("And so many games at once.", "再并行这么多局。")
        ),
    ] = None,
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """The project's own numbers."""
    if what == "models" or model is not None or endpoint is not None:
        from cli.config import load
        from cli.modelbench import run_model_bench

        settings = load({"model": model, "base_url": endpoint or base_url, "lang": lang})
        raise typer.Exit(run_model_bench(settings, games=number, parallel=parallel, json_out=json_out))
    if what != "engine":
        from cli.bench import run_players_bench

        raise typer.Exit(run_players_bench(what, games=number, json_out=json_out))
    from cli.many import run_bench

    raise typer.Exit(run_bench(seconds=seconds, games=number, profile=profile, json_out=json_out))
