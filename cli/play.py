"""`tianhei play` and `tianhei resume`: one game on the screen, or as lines of text for who only watches."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cli.config import Settings, load
from cli.errors import FAILED, Problem
from cli.extras import NO_EXTRAS, Extras
from cli.seats import Seater
from cli.shelf import open_store, saved_name
from cli.table import make_setup, my_seat
from cli.words import asked, current, known, say, use

if TYPE_CHECKING:
    from judge.store import Store
    from judge.table import Table
    from tui.session import PaceHook, Update

Begin = Callable[["Update", "PaceHook | None"], "Table"]


def new_game(
    settings: Settings,
    *,
    me: str | None,
    role: str | None,
    seed: int | None,
    overrides: Iterable[str],
    extras: Extras = NO_EXTRAS,
    judge: str = "builtin",
) -> int:
    """Deal and play. me: the place asked for, None for the usual one. Returns the exit code; raises Problem."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    if judge == "human":
        judge_alone(me not in (None, "none"))
        me = "none"
    seat = my_seat(me or "random", settings.seats, seed)
    if role is not None and seat is None:
        raise Problem(
            "--role is for a seat of yours; it does not go with --me none",
            "--role 要有自己的座位；不能与 --me none 同用",
        )
    wish = (seat, role) if seat is not None and role is not None else None
    setup = make_setup(settings, seed=seed, overrides=overrides, wish=wish, extras=extras)
    seater = Seater(settings, 0 if judge == "human" else seat, judge=judge)
    if seater.human is not None:
        need_terminal()
    budget = seater.budget()
    if seater.needs_server:
        seater.check_server()

    from judge.store import Store, new_id
    from judge.table import Table

    store = Store(settings.home)
    name = new_id(setup)

    def begin(update: Update, pace: PaceHook | None) -> Table:
        return Table.new(
            setup, seater(setup), store,
            on_update=update, pace=pace, game_id=name, budget=budget, voice=seater.voice(judge),
        )  # fmt: skip

    return _run(begin, seater, name, store)


def judge_alone(plays: bool) -> None:
    """Raises Problem where somebody at the judge's terminal plays as well."""
    if plays:
        raise Problem(
            "who judges sees every card, so nobody at this terminal can play as well; leave out --me, or the judge",
            "法官看得到所有身份牌，所以同一台终端上的人不能再当玩家；请去掉 --me，或不要自己当法官",
        )


def resuming(settings: Settings, name: str, *, server: bool) -> str:
    """The command that goes on with a game, with the flags that it needs where it was begun with them.

    server: whether models play or judge there."""
    usual = load({"lang": settings.lang})
    command = ["tianhei", "resume", name]
    if settings.home != usual.home:
        command += ["--home", str(settings.home)]
    address = settings.base_url or ""
    if server and address != (usual.base_url or "") and "@" not in address:  # no password on screen
        command += ["--base-url", address]
    return shlex.join(command)


def old_game(settings: Settings, name: str | None) -> int:
    """Go on with a stopped game. Returns the exit code; raises Problem."""
    store = open_store(settings.home)
    if store is None:
        raise _nothing_to_resume(settings)
    if name is None:
        stopped = [game for game in store.games() if game.status == "running"]
        if not stopped:
            raise _nothing_to_resume(settings)
        name = max(stopped, key=lambda game: game.header.created).id
    name = saved_name(store, name, settings.home)
    header = store.record(name).header
    if next(game.status for game in store.games() if game.id == name) != "running":
        raise Problem(
            f"game {name} is over; read it with `tianhei replay {name}`",
            f"对局 {name} 已结束；用 `tianhei replay {name}` 查看",
        )
    specs = {sitter.spec for sitter in header.players if sitter.kind == "remote"}
    if "remote" in specs:
        raise Problem(
            f"game {name} has friends at the table; go on with `tianhei host --resume {name}`",
            f"对局 {name} 有朋友同桌；请用 `tianhei host --resume {name}` 继续",
        )
    if specs:
        raise Problem(
            f"game {name} was played with agents that are gone; it cannot go on",
            f"对局 {name} 的外部智能体已离开，无法继续",
        )
    if asked() is None and (spoken := known(header.setup.lang)) is not None:
        use(spoken)  # a table goes on in its own language
    seat = next((sitter.seat for sitter in header.players if sitter.kind == "human"), None)
    if seat is not None:
        need_terminal()
    models = [sitter.name for sitter in header.players if sitter.kind == "model"]
    judge = next((sitter.spec for sitter in header.players if sitter.seat == 0), "builtin")
    if models and settings.model is None:
        settings = settings.model_copy(update={"model": models[0]})
    seater = Seater(settings, seat, judge=judge)
    budget = seater.budget()
    if models:
        seater.check_server()

    from judge.table import Table

    def begin(update: Update, pace: PaceHook | None) -> Table:
        return Table.resume(
            store, name, seater.seated, on_update=update, pace=pace, budget=budget, voice=seater.voice(judge)
        )

    return _run(begin, seater, name, store)


def at_home(settings: Settings) -> int:
    """The home screen. Returns the exit code; raises Problem."""
    import os

    if not os.environ.get("TEXTUAL_DRIVER"):  # a browser needs none
        need_terminal()
    from cli.house import CommandHouse
    from tui.home import run_home

    return run_home(CommandHouse(settings, os.environ))


def need_terminal() -> None:
    """Raises Problem where there is no screen to play on."""
    import os

    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise Problem(
            "playing needs a terminal; to watch as text use --me none, for many games `tianhei simulate`",
            "玩游戏需要终端；只看文字请用 --me none，批量对局请用 `tianhei simulate`",
        )


def _nothing_to_resume(settings: Settings) -> Problem:
    return Problem(
        f"no stopped game in {settings.home}; start one with `tianhei play`",
        f"{settings.home} 里没有未完的对局；用 `tianhei play` 开一局",
    )


def _run(begin: Begin, seater: Seater, name: str, store: Store) -> int:
    try:
        if seater.human is None:
            return asyncio.run(_watch(begin, name, seater))
        from tui.app import run_play

        home = seater.settings.home
        return run_play(
            begin,
            seat=seater.human,
            people=(0,) if seater.human == 0 else (),
            lang=current(),
            resume=resuming(seater.settings, name, server=seater.needs_server),
            share=home / "shared",
            notes=home / "notes" / f"{name}.json",
        )
    finally:
        store.close()


async def _watch(begin: Begin, name: str, seater: Seater) -> int:
    """Print what everyone hears, as it happens."""
    from prompts.narrate import narrate

    lang, told = current(), 0

    def tell(*_: object) -> None:
        nonlocal told
        fresh = table.game.public.events[told:]
        told += len(fresh)
        for event in fresh:
            own = table.told(event) if lang == table.game.setup.lang else None
            if line := own or narrate(event, lang):
                print(line, flush=True)

    print(say(f"game {name}", f"对局 {name}"), file=sys.stderr)
    table = begin(tell, None)
    try:
        tell()
        await table.run()
        tell()
    finally:
        await table.close()
        await seater.close()
    return 0 if table.result is not None and table.result.status == "finished" else FAILED
