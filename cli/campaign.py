"""`tianhei campaign …`: what can be typed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.helptext import Command, Group
from cli.options import (
    BaseUrlOption,
    DeckOption,
    HomeOption,
    JsonOption,
    LangOption,
    MaxTokensOption,
    ModelOption,
    OverrideOption,
    PlayersOption,
    RulesetOption,
    SeatsOption,
    SeedOption,
)
from cli.words import say

campaign = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help=say(
        "Thousands of games by a plan: killed anywhere, it loses nothing and pays for nothing twice.",
        "按计划进行成千上万局：随时被杀也不丢失，绝不重复付费。",
    ),
    epilog=say(
        "For example: tianhei campaign run trial -n 1000 --players builtin; then: tianhei campaign status trial",
        "例如：tianhei campaign run trial -n 1000 --players builtin；然后：tianhei campaign status trial",
    ),
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help=say("The campaign's folder.", "该批对局的文件夹。"))]
Parallel = Annotated[
    int | None,
    typer.Option("--parallel", "-j", metavar="N", help=say("Model games at once. [4]", "同时进行的模型对局数。[4]")),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        "-w",
        min=1,
        max=256,
        metavar="N",
        help=say("Processes for games without models. [all cores]", "无模型对局所用的进程数。[全部核心]"),
    ),
]
Tokens = Annotated[
    int | None,
    typer.Option(
        "--total-tokens",
        min=1,
        metavar="N",
        help=say("Stop when the whole campaign has taken so many tokens.", "整批用满这么多 token 即停。"),
    ),
]
Cost = Annotated[
    float | None,
    typer.Option(
        "--total-cost",
        min=0,
        metavar="N",
        help=say("Stop when the whole campaign has cost so much.", "整批花费达到此数即停。"),
    ),
]
PerMinute = Annotated[
    float | None,
    typer.Option("--requests-per-minute", min=1, metavar="N", help=say("The server's limit.", "服务的请求限额。")),
]
TokensPerMinute = Annotated[
    float | None,
    typer.Option("--tokens-per-minute", min=1, metavar="N", help=say("The server's limit.", "服务的 token 限额。")),
]
GameCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost-per-game",
        "--max-cost",
        min=0,
        metavar="N",
        help=say(
            "End a game that has cost so much, by `prices` in the config file.",
            "一局花费达到此数即结束，单价见配置文件的 prices。",
        ),
    ),
]
ModelCost = Annotated[
    list[str] | None,
    typer.Option(
        "--model-cost",
        metavar="MODEL=N",
        help=say("Stop when this model has cost so much; may be repeated.", "该模型花费达到此数即停；可重复给出。"),
    ),
]
RetryFailed = Annotated[
    bool,
    typer.Option(
        "--retry-failed",
        help=say(
            "Play games again that failed or ran out of budget; what was answered in them is not paid for again.",
            "重新进行失败或预算用尽的对局；已得到的回答不再付费。",
        ),
    ),
]
OtherCode = Annotated[
    bool,
    typer.Option(
        "--other-code",
        help=say(
            "Go on although the code is not the one that the campaign was planned with.",
            "即使代码与制定计划时不同也继续。",
        ),
    ),
]

RayOption = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help=say("Play on this Ray cluster (auto: the one here).", "在此 Ray 集群上进行（auto：本机所在集群）。"),
    ),
]
ListenOption = Annotated[
    str,
    typer.Option(
        "--listen",
        metavar="HOST",
        help=say("Where Ray workers find the ledger. [127.0.0.1]", "Ray 的工作进程在哪里找到账本。[127.0.0.1]"),
    ),
]


@campaign.command(
    cls=Command,
    help=say(
        "Plan a campaign in a new folder and play it, or go on with the one that is there.",
        "在新文件夹里制定计划并进行，或继续已有的那一批。",
    ),
)
def run(
    folder: Folder,
    number: Annotated[
        int | None,
        typer.Option("--number", "-n", min=1, max=10_000_000, metavar="N", help=say("How many deals.", "多少副牌。")),
    ] = None,
    replicates: Annotated[
        int, typer.Option("--replicates", min=1, metavar="N", help=say("Games with each deal.", "每副牌进行几局。"))
    ] = 1,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard", metavar="K/N", help=say("Only the K-th of N parts, for `merge`.", "只做 N 份中的第 K 份。")
        ),
    ] = None,
    ruleset: RulesetOption = None,
    seats: SeatsOption = None,
    deck: DeckOption = None,
    seed: SeedOption = None,
    option: OverrideOption = None,
    players: PlayersOption = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    parallel: Parallel = None,
    workers: Workers = None,
    requests_per_minute: PerMinute = None,
    tokens_per_minute: TokensPerMinute = None,
    max_tokens: MaxTokensOption = None,
    max_cost: GameCost = None,
    total_tokens: Tokens = None,
    total_cost: Cost = None,
    model_cost: ModelCost = None,
    retry_failed: RetryFailed = False,
    other_code: OtherCode = False,
    ray: RayOption = None,
    listen: ListenOption = "127.0.0.1",
    json_out: JsonOption = False,
    home: HomeOption = None,
    lang: LangOption = None,
) -> None:
    """Plan and play, or go on."""
    from cli.campaigns import Far, Limits, Wish, model_cap, run_campaign
    from cli.config import load

    settings = load(
        {
            "ruleset": ruleset,
            "seats": seats,
            "deck": deck,
            "players": players,
            "model": model,
            "base_url": base_url,
            "parallel": parallel,
            "max_tokens": max_tokens,
            "max_cost": max_cost,
            "home": home,
            "lang": lang,
        }
    )
    table = {"ruleset": ruleset, "seats": seats, "deck": deck, "seed": seed, "option": option, "players": players}
    named = tuple(name for name, value in table.items() if value is not None)
    wish = Wish(number, replicates, shard, seed, tuple(option or ()), named)
    models = dict(model_cap(text) for text in model_cost or ())
    limits = Limits(requests_per_minute, tokens_per_minute, total_tokens, total_cost, models)
    code = run_campaign(
        folder, settings, wish, workers=workers, limits=limits, other_code=other_code, again=retry_failed,
        json_out=json_out, far=Far(ray, listen),
    )  # fmt: skip
    raise typer.Exit(code)


@campaign.command(cls=Command, help=say("How far a campaign is and what it cost.", "查看进度与花费。"))
def status(folder: Folder, json_out: JsonOption = False, lang: LangOption = None) -> None:
    """How far it is."""
    from cli.campaigns import show_status
    from cli.config import load

    load({"lang": lang})
    raise typer.Exit(show_status(folder, json_out=json_out))


@campaign.command(
    cls=Command,
    help=say(
        "Ask the running process to stop; what is under way is waited for and kept.",
        "请正在运行的进程停下；已发出的请求会等到结果并保存。",
    ),
)
def pause(folder: Folder, lang: LangOption = None) -> None:
    """Ask it to stop."""
    from cli.campaigns import pause_campaign
    from cli.config import load

    load({"lang": lang})
    raise typer.Exit(pause_campaign(folder))


@campaign.command(
    cls=Command, help=say("Go on with a campaign that was paused or killed.", "继续被暂停或中断的那一批。")
)
def resume(
    folder: Folder,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    parallel: Parallel = None,
    workers: Workers = None,
    requests_per_minute: PerMinute = None,
    tokens_per_minute: TokensPerMinute = None,
    max_tokens: MaxTokensOption = None,
    max_cost: GameCost = None,
    total_tokens: Tokens = None,
    total_cost: Cost = None,
    model_cost: ModelCost = None,
    retry_failed: RetryFailed = False,
    other_code: OtherCode = False,
    ray: RayOption = None,
    listen: ListenOption = "127.0.0.1",
    json_out: JsonOption = False,
    home: HomeOption = None,
    lang: LangOption = None,
) -> None:
    """Go on."""
    from cli.campaigns import Far, Limits, Wish, model_cap, run_campaign
    from cli.config import load

    flags = {"model": model, "base_url": base_url, "parallel": parallel, "home": home, "lang": lang}
    settings = load({**flags, "max_tokens": max_tokens, "max_cost": max_cost})
    models = dict(model_cap(text) for text in model_cost or ())
    limits = Limits(requests_per_minute, tokens_per_minute, total_tokens, total_cost, models)
    code = run_campaign(
        folder, settings, Wish(), workers=workers, limits=limits, other_code=other_code, again=retry_failed,
        json_out=json_out, far=Far(ray, listen),
    )  # fmt: skip
    raise typer.Exit(code)


@campaign.command(
    cls=Command,
    help=say("Bring the parts of a campaign together in one folder.", "把一批的各个部分合并到一个文件夹。"),
)
def merge(
    into: Annotated[Path, typer.Argument(metavar="INTO", help=say("The folder of the whole.", "合并后的文件夹。"))],
    parts: Annotated[list[Path], typer.Argument(metavar="DIR…", help=say("The parts' folders.", "各部分的文件夹。"))],
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Parts made one."""
    from cli.campaigns import merge_campaigns
    from cli.config import load

    load({"lang": lang})
    raise typer.Exit(merge_campaigns(into, parts, json_out=json_out))


@campaign.command(
    cls=Command,
    help=say(
        "Check plan, ledger and records against each other; every record is played through the engine again.",
        "核对计划、账本与记录；每份记录都由引擎重放。",
    ),
)
def verify(
    folder: Folder,
    quick: Annotated[bool, typer.Option("--quick", help=say("Do not replay the games.", "不重放对局。"))] = False,
    json_out: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Whether it is sound."""
    from cli.campaigns import verify_campaign
    from cli.config import load

    load({"lang": lang})
    raise typer.Exit(verify_campaign(folder, replay=not quick, json_out=json_out))
