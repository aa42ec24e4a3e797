"""`tianhei aiwolf`: a server for agents of the AIWolf NLP protocol, which plays games with them one after another."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import FAILED, USAGE, Problem
from cli.helptext import Command
from cli.options import (
    DeckOption,
    HomeOption,
    LangOption,
    OverrideOption,
    PlayersOption,
    RulesetOption,
    SeatsOption,
    SeedOption,
)
from cli.words import say

if TYPE_CHECKING:
    from cli.config import Settings
    from cli.seats import Seater
    from engine.setup import Setup
    from judge.lines import Result
    from judge.store import Store
    from net.aiwolf import SocketChannel

TOKEN = "TIANHEI_AIWOLF_TOKEN"


@dataclass(frozen=True, slots=True)
class Serving:
    """How agents are served. agents: seats of a game that they take; None: all. action, response: seconds for an
    answer, and for the probe after a late one. out: folder for the records."""

    agents: int | None
    games: int
    address: str
    port: int
    action: float
    response: float
    out: Path | None


def aiwolf(
    games: Annotated[
        int, typer.Option("--number", "-n", min=1, max=100_000, metavar="N", help=say("How many games.", "多少局。"))
    ] = 1,
    agents: Annotated[
        int | None,
        typer.Option(
            "--agents",
            "-a",
            min=1,
            max=18,
            help=say(
                "Agents in a game; the rest are --players. [all seats]", "每局的智能体数，其余由 --players 坐。[全部]"
            ),
        ),
    ] = None,
    address: Annotated[
        str,
        typer.Option("--address", help=say("Address to listen on; 0.0.0.0 for all.", "监听地址；0.0.0.0 为全部。")),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help=say("Port; 0 takes a free one.", "端口；0 为任选。"))
    ] = 8080,
    action: Annotated[
        float, typer.Option("--action", min=0.01, max=86_400, help=say("Seconds for an answer.", "回答时限（秒）。"))
    ] = 60.0,
    response: Annotated[
        float,
        typer.Option(
            "--response",
            min=0.01,
            max=86_400,
            help=say("Seconds for the probe after a late one.", "迟到后探询的时限（秒）。"),
        ),
    ] = 120.0,
    ruleset: RulesetOption = "japanese",
    seats: SeatsOption = 5,
    deck: DeckOption = None,
    seed: SeedOption = None,
    option: OverrideOption = None,
    players: PlayersOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help=say("Folder for the records.", "记录的文件夹。")),
    ] = None,
    home: HomeOption = None,
    lang: LangOption = None,
) -> None:
    """Games with AIWolf agents."""
    from cli.config import load

    table = {"ruleset": ruleset, "seats": seats, "deck": deck, "players": players or "builtin"}
    serving = Serving(agents, games, address, port, action, response, out)
    raise typer.Exit(
        run_aiwolf(load({**table, "home": home, "lang": lang}), serving, 1 if seed is None else seed, option or ())
    )


def run_aiwolf(settings: Settings, serving: Serving, seed: int, overrides: Iterable[str]) -> int:
    """Serve so many games, of this seed and those after it. Returns the exit code; raises Problem, SetupError."""
    from cli.seats import Seater
    from judge.store import Store
    from players.aiwolf.packets import check_board

    setups = [_dealt(settings, at, overrides) for at in range(seed, seed + serving.games)]
    size = setups[0].size
    if not 1 <= (count := serving.agents or size) <= size:
        raise Problem(f"--agents takes 1 to {size}, not {count}", f"--agents 须为 1 到 {size}，不能是 {count}")
    taken = [_seats(setup, count) for setup in setups]
    for setup, seats in zip(setups, taken, strict=True):
        check_board(setup, seats)
    seater, store = Seater(settings), Store(settings.home)
    try:
        return asyncio.run(_serve(setups, taken, serving, seater, store))
    finally:
        store.close()


def _dealt(settings: Settings, seed: int, overrides: Iterable[str]) -> Setup:
    """The table of a seed: the protocol's own board where it has one and no deck is named."""
    from cli.table import make_setup
    from players.aiwolf.packets import DECKS

    board = DECKS.get(settings.seats) if settings.ruleset == "japanese" and settings.deck is None else None
    if board is not None:
        named = ",".join(f"{card}={count}" for card, count in board.items())
        settings = settings.model_copy(update={"deck": named})
    return make_setup(settings, seed=seed, overrides=overrides)


def _seats(setup: Setup, count: int) -> list[int]:
    """Where the agents sit; drawn, or a place would tell who plays there."""
    return sorted(Random(f"{setup.seed}:aiwolf").sample(range(1, setup.size + 1), count))


async def _serve(setups: list[Setup], taken: list[list[int]], serving: Serving, seater: Seater, store: Store) -> int:
    from net.aiwolf import PATH, AiwolfDoor

    door = AiwolfDoor(_token(), most=2 * len(taken[0]))
    try:
        port = await door.start(serving.address, serving.port)
    except OSError as error:
        raise Problem(
            f"cannot listen on {serving.address} port {serving.port} ({error.strerror}); choose another --port",
            f"无法监听 {serving.address} 的端口 {serving.port}（{error.strerror}）；请换一个 --port",
        ) from None
    url = f"ws://{serving.address}:{port}{PATH}"
    print(say(f"agents connect to {url}", f"智能体请连接 {url}"), flush=True)
    ended = True
    try:
        for setup, seats in zip(setups, taken, strict=True):
            name = f"{setup.ruleset}-{setup.size}-{setup.seed}-{token_hex(3)}"
            channels = dict(zip(seats, await door.agents(len(seats)), strict=True))
            result = await _game(setup, channels, serving, seater, store, name)
            ended = ended and result is not None and result.status == "finished"
            _tell(name, result)
            if serving.out is not None:
                serving.out.mkdir(parents=True, exist_ok=True)
                store.export(name, serving.out / f"{name}.jsonl")
    finally:
        await door.stop()
        await seater.close()
    return 0 if ended else FAILED


async def _game(
    setup: Setup, channels: Mapping[int, SocketChannel], serving: Serving, seater: Seater, store: Store, name: str
) -> Result | None:
    from net.aiwolf import play, players_for

    agents = players_for(setup, channels, name, action=serving.action, response=serving.response)
    specs = {seat: seater.settings.seated for seat in range(1, setup.size + 1) if seat not in agents}
    return await play(setup, agents, seater.seated(setup, specs), store, name=name)


def _tell(name: str, result: Result | None) -> None:
    from cli.shelf import camp_name

    if result is None or result.status != "finished":
        print(f"{name}: {result.status if result else 'unfinished'}", flush=True)
        return
    who = say(" and ", "与").join(map(camp_name, result.winners)) or say("a draw", "平局")
    print(say(f"{name}: {who}, {result.days} days", f"{name}：{who}，{result.days} 天"), flush=True)


def _token() -> str:
    """What agents must show; never from the command line, which process lists show."""
    token = os.environ.get(TOKEN, "").strip()
    if not token.isascii():
        raise Problem(f"{TOKEN} must be ASCII", f"{TOKEN} 须为 ASCII", USAGE)
    return token


def add_to(app: typer.Typer) -> None:
    """Put the command into the command line."""
    app.command(
        cls=Command,
        help=say(
            "Serve games to agents of the AIWolf NLP protocol. A token that they must show is read from "
            "TIANHEI_AIWOLF_TOKEN.",
            "为 AIWolf NLP 协议的智能体开局。它们须出示的令牌取自 TIANHEI_AIWOLF_TOKEN。",
        ),
        epilog=say(
            "For example: tianhei aiwolf --seats 13 --agents 6 -n 5. Each game waits for that many new connections.",
            "例如：tianhei aiwolf --seats 13 --agents 6 -n 5。每局等到足够的新连接后开始。",
        ),
    )(aiwolf)
