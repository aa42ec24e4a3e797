"""Options that several commands share, each declared once. Help is in the language found before parsing."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.words import Lang, say

SEATED = r"(builtin(:[a-z]+){0,2}|random|model|hybrid(:[a-z]+){0,2}(@model(:.{1,200})?)?|python:[\w.-]{1,80})"
"""Who may take a seat that no person takes (players.factory), as a regular expression; and in words:"""
SEATED_WORDS = "builtin, random, model, hybrid, python:NAME"
Judging = Literal["builtin", "human", "model"]


class Variant(StrEnum):
    """A whole-game variant; after the colon its form."""

    IN_ANY_CASE = "in-any-case"
    FASCINATION = "fascination"
    HARVEST = "harvest"
    BLACK_DEATH = "black-death"
    SMALL = "double-you:small"
    GREAT = "double-you:great"


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
NewMoonOption = Annotated[
    bool,
    typer.Option(
        "--new-moon",
        help=say("With New Moon's event cards.", "加入新月事件卡。"),
        rich_help_panel=_TABLE,
    ),
]
VillageOption = Annotated[
    bool,
    typer.Option(
        "--village",
        help=say("With the Village's buildings.", "加入村落建筑。"),
        rich_help_panel=_TABLE,
    ),
]
AttributeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute",
        metavar="SEAT:KEY=VALUE",
        help=say(
            "A fact about who sits there, for the event cards; may be repeated: 3:gender=female, 3:age=31.",
            "座位上的人的特征，供事件卡使用；可重复：3:gender=female、3:age=31。",
        ),
        rich_help_panel=_TABLE,
    ),
]
EventOrderOption = Annotated[
    str | None,
    typer.Option(
        "--event-order",
        metavar="CARD,…",
        help=say(
            "The event cards, in the order in which they come: burial,miracle.", "事件卡及其出现顺序：burial,miracle。"
        ),
        rich_help_panel=_TABLE,
    ),
]
VariantOption = Annotated[
    list[Variant] | None,
    typer.Option(
        "--variant",
        "-v",
        help=say("A whole-game variant, may be repeated.", "整局的变体规则，可重复。"),
        rich_help_panel=_TABLE,
    ),
]
PlayersOption = Annotated[
    str | None,
    typer.Option(
        "--players",
        "-p",
        metavar="builtin|random|model|hybrid|python:NAME",
        help=say(
            "Who takes the other seats; builtin:hard and such too; hybrid: built-in play in a model's words. "
            "[model if one is named, else builtin]",
            "其余座位由谁坐，也可如 builtin:hard；hybrid 由内置玩家决策、模型措辞。"
            "[指定了模型则为 model，否则 builtin]",
        ),
        rich_help_panel=_TABLE,
    ),
]
JudgeOption = Annotated[
    Judging,
    typer.Option(
        "--judge",
        "-j",
        help=say(
            "Who is the judge: human is you, and then you play no seat; model narrates and rules where rules leave it.",
            "由谁当法官：human 是你自己（你就不再占座位）；model 由模型报幕，并裁定规则留给法官的事。",
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
            "OpenAI-compatible server (also OPENAI_BASE_URL). The key: OPENAI_API_KEY or config file, never a flag.",
            "OpenAI 兼容的服务地址（也可用 OPENAI_BASE_URL）。密钥来自 OPENAI_API_KEY 或配置文件，不能写在命令里。",
        ),
        rich_help_panel=_MODEL,
    ),
]
StrictOption = Annotated[
    bool | None,
    typer.Option(
        "--strict",
        help=say(
            "Stop at the first reply that cannot be used, instead of a marked substitute.",
            "遇到第一个不能用的回复就停下，不用替代回答。",
        ),
        rich_help_panel=_MODEL,
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        metavar="N",
        help=say("End a game that has taken so many tokens.", "一局用满这么多 token 即结束。"),
        rich_help_panel=_MODEL,
    ),
]
MaxCostOption = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        metavar="N",
        help=say(
            "End a game that has cost so much, by `prices` in the config file.",
            "一局花费达到此数即结束，单价见配置文件的 prices。",
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
