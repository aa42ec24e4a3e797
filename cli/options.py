"""Options that several commands share, each declared once. Help is in the language found before parsing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.words import Lang, say

Seated = Literal["builtin", "random", "model"]

_TABLE, _MODEL = say("The table", "牌局"), say("Models", "模型")

LangOption = Annotated[
    Lang | None,
    typer.Option(
        "--lang",
        "-l",
        help=say("Language of the table and of this command.", "牌局和本命令所用的语言。"),
    ),
]
RulesetOption = Annotated[
    str | None,
    typer.Option(
        "--ruleset",
        "-r",
        metavar="ID",
        help=say("Ruleset; `tianhei rules` lists them. [tournament]", "规则；`tianhei rules` 列出全部。[tournament]"),
        rich_help_panel=_TABLE,
    ),
]
SeatsOption = Annotated[
    int | None,
    typer.Option("--seats", "-s", metavar="N", help=say("Number of seats. [9]", "座位数。[9]"), rich_help_panel=_TABLE),
]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        "-d",
        metavar="NAME|ROLE=N,…",
        help=say(
            "A deck of the ruleset, or your own: werewolf=2,seer=1,villager=5.",
            "规则自带的牌组名，或自己配：werewolf=2,seer=1,villager=5。",
        ),
        rich_help_panel=_TABLE,
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        "-S",
        metavar="N",
        help=say(
            "Seed of the deal and of chance; the same seed deals the same cards.",
            "发牌与随机的种子；种子相同则发牌相同。",
        ),
        rich_help_panel=_TABLE,
    ),
]
OverrideOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-O",
        metavar="ID=VALUE",
        help=say(
            "Change one rule, may be repeated: -O witch.self-save=yes. `tianhei rules RULESET` lists them.",
            "改一条规则，可重复：-O witch.self-save=yes。`tianhei rules 规则名` 列出全部。",
        ),
        rich_help_panel=_TABLE,
    ),
]
PlayersOption = Annotated[
    Seated | None,
    typer.Option(
        "--players",
        "-p",
        help=say(
            "Who takes the other seats. [model if one is named, else builtin]",
            "其余座位由谁坐。[指定了模型则为 model，否则 builtin]",
        ),
        rich_help_panel=_TABLE,
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="NAME",
        help=say("Model of the AI seats (also TIANHEI_MODEL).", "AI 座位所用的模型（也可用 TIANHEI_MODEL）。"),
        rich_help_panel=_MODEL,
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        "-u",
        metavar="URL",
        help=say(
            "OpenAI-compatible server (also OPENAI_BASE_URL). The key comes from OPENAI_API_KEY only.",
            "OpenAI 兼容的服务地址（也可用 OPENAI_BASE_URL）。密钥只从 OPENAI_API_KEY 读取。",
        ),
        rich_help_panel=_MODEL,
    ),
]
HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help=say("Folder of saved games (also TIANHEI_HOME).", "存档文件夹（也可用 TIANHEI_HOME）。"),
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=say("Print JSON for programs.", "输出 JSON，供程序读取。"))]
