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
from cli.seats import Seater
from cli.shelf import open_store, saved_name
from cli.table import make_setup, my_seat
from cli.words import asked, current, known, say, use

if TYPE_CHECKING:
    from judge.store import Store
    from judge.table import Table
    from tui.session import PaceHook, Update

Begin = Callable[["Update", "PaceHook | None"], "Table"]


def new_game(settings: Settings, *, me: str, role: str | None, seed: int | None, overrides: Iterable[str]) -> int:
    """Deal and play. Returns the exit code; raises Problem."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    seat = my_seat(me, settings.seats, seed)
    if role is not None and seat is None:
        raise Problem(
            "--role is for a seat of yours; it does not go with --me none",
            "--role 要有自己的座位；不能与 --me none 同用",
        )
    wish = (seat, role) if seat is not None and role is not None else None
    setup = make_setup(settings, seed=seed, overrides=overrides, wish=wish)
    seater = Seater(settings, seat)
    if seat is not None:
        need_terminal()
    budget = seater.budget()
    if settings.seated == "model":
        seater.check_server()

    from judge.store import Store
    from judge.table import Table

    store = Store(settings.home)
    name = f"{setup.ruleset}-{setup.size}-{setup.seed}-{secrets.token_hex(3)}"

    def begin(update: Update, pace: PaceHook | None) -> Table:
        return Table.new(setup, seater(setup), store, on_update=update, pace=pace, game_id=name, budget=budget)

    return _run(begin, seater, name, store)


def resuming(settings: Settings, name: str) -> str:
    """The command that goes on with a game, with the flags that it needs where it was begun with them."""
    usual = load({"lang": settings.lang})
    command = ["tianhei", "resume", name]
    if settings.home != usual.home:
        command += ["--home", str(settings.home)]
    address = settings.base_url or ""
    if settings.seated == "model" and address != (usual.base_url or "") and "@" not in address:  # no password on screen
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
    if asked() is None and (spoken := known(header.setup.lang)) is not None:
        use(spoken)  # a table goes on in its own language
    seat = next((sitter.seat for sitter in header.players if sitter.kind == "human"), None)
    if seat is not None:
        need_terminal()
    models = [sitter.name for sitter in header.players if sitter.kind == "model"]
    if models and settings.model is None:
        settings = settings.model_copy(update={"model": models[0]})
    seater = Seater(settings, seat)
    budget = seater.budget()
    if models:
        seater.check_server()

    from judge.table import Table

    def begin(update: Update, pace: PaceHook | None) -> Table:
        return Table.resume(store, name, seater.seated, on_update=update, pace=pace, budget=budget)

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
            lang=current(),
            resume=resuming(seater.settings, name),
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
            if line := narrate(event, lang):
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
