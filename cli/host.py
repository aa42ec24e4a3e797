"""`tianhei host`, `tianhei join` and `tianhei mcp`: what can be typed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.helptext import Command
from cli.options import (
    LangOption,
    PlayersOption,
)
from cli.shared import Dealt, Place, Server, grouped, settled
from cli.words import say

Absent = Literal["builtin", "wait", "default"]


def host(
    *,
    friends: Annotated[
        int, typer.Option("--friends", "-f", min=0, max=18, help=say("How many join from afar.", "几位朋友远程加入。"))
    ] = 1,
    me: Annotated[bool, typer.Option("--me", help=say("Take a seat yourself.", "自己也坐一个座位。"))] = False,
    address: Annotated[
        str,
        typer.Option("--address", help=say("Address to listen on; 0.0.0.0 for all.", "监听地址；0.0.0.0 为全部。")),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help=say("Port; 0 takes a free one.", "端口；0 为任选。"))
    ] = 8765,
    certificate: Annotated[
        Path | None, typer.Option("--cert", metavar="PEM", help=say("TLS certificate chain.", "TLS 证书链。"))
    ] = None,
    private_key: Annotated[
        Path | None, typer.Option("--key", metavar="PEM", help=say("Its private key.", "证书的私钥。"))
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", "-t", min=0, max=86_400, help=say("Time for an answer; 0: no limit.", "答题时限；0 为不限。")
        ),
    ] = 120.0,
    grace: Annotated[
        float,
        typer.Option("--grace", min=0, max=86_400, help=say("Seconds a dropped line may take.", "断线可等的秒数。")),
    ] = 30.0,
    absent: Annotated[
        Absent,
        typer.Option(
            "--absent",
            help=say(
                "Who left: a built-in player plays on, all wait, or the least is done.",
                "离开者：由内置玩家代打、全体等待，或按默认处理。",
            ),
        ),
    ] = "builtin",
    wait: Annotated[
        float | None,
        typer.Option("--wait", min=0, help=say("Begin after so many seconds at the latest.", "最迟多少秒后开局。")),
    ] = None,
    pace: Annotated[
        float,
        typer.Option(
            "--pace",
            min=0,
            max=60,
            help=say(
                "Seconds between two things that everybody hears.",
                "相邻两件公开之事的间隔秒数。",
            ),
        ),
    ] = 0.3,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="GAME", help=say("Go on with a stopped table.", "继续一桌未完的对局。")),
    ] = None,
    dealt: Dealt,
    players: PlayersOption = None,
    server: Server,
    place: Place,
) -> None:
    """A table for friends."""
    from cli.hosting import Hosting, run_host

    settings = settled(dealt, server, place, players=players)
    hosting = Hosting(friends, me, address, port, certificate, private_key, seconds or None, grace, absent, wait, pace)
    if resume is not None:
        from cli.hosting import run_again

        raise typer.Exit(run_again(settings, hosting, resume))
    raise typer.Exit(run_host(settings, hosting, seed=dealt.seed, overrides=dealt.option or ()))


UrlArgument = Annotated[
    str,
    typer.Argument(metavar="URL", help=say("ws:// or wss://, host and port.", "ws:// 或 wss:// 加主机与端口。")),
]
TrustOption = Annotated[
    Path | None,
    typer.Option("--cert", metavar="PEM", help=say("Trust this certificate too.", "另外信任这个证书。")),
]


def join(url: UrlArgument, trust: TrustOption = None, lang: LangOption = None) -> None:
    """A seat at a friend's table."""
    from cli.config import load
    from cli.hosting import run_join

    raise typer.Exit(run_join(url, load({"lang": lang}).lang, trust))


def mcp(url: UrlArgument, trust: TrustOption = None, lang: LangOption = None) -> None:
    """A seat for an agent program."""
    from cli.config import load
    from cli.hosting import run_mcp

    raise typer.Exit(run_mcp(url, load({"lang": lang}).lang, trust))


def add_to(app: typer.Typer) -> None:
    """Put these commands into the command line."""
    app.command(
        cls=Command,
        help=say("Open a table that friends join from their own terminals.", "开一桌，朋友们用各自的终端加入。"),
        epilog=say(
            "For example: tianhei host --friends 3 --me. Everybody gets a code of their own. Beyond your own network "
            "use --cert and --key, or a proxy with TLS.",
            "例如：tianhei host --friends 3 --me。每人一个邀请码。在自家网络之外请用 --cert 与 --key，"
            "或用带 TLS 的代理。",
        ),
    )(grouped(host))
    app.command(
        cls=Command,
        help=say(
            "Join a friend's table. The code is asked for, or read from TIANHEI_CODE.",
            "加入朋友的牌桌。邀请码会询问，或取自 TIANHEI_CODE。",
        ),
        epilog=say("For example: tianhei join ws://192.168.1.5:8765", "例如：tianhei join ws://192.168.1.5:8765"),
    )(join)
    app.command(
        cls=Command,
        help=say(
            "Give an agent program a seat at a table: a Model Context Protocol server over standard input and output. "
            "The code is read from TIANHEI_CODE.",
            "让智能体程序坐到一桌：经标准输入输出的 Model Context Protocol 服务。邀请码取自 TIANHEI_CODE。",
        ),
        epilog=say("For example: tianhei mcp ws://127.0.0.1:8765", "例如：tianhei mcp ws://127.0.0.1:8765"),
    )(mcp)
