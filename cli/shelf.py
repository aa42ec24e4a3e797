"""`tianhei games` and `tianhei replay`: what was played, as text."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arena.shelf import Entry, State, entries, find
from cli.columns import columns
from cli.config import Settings
from cli.errors import Problem
from cli.words import current, say
from engine.rules.ruleset import load_ruleset, roles, ruleset_ids
from engine.text import clean

STATES: dict[str, State] = {"finished": "finished", "failed": "failed"}
ENDED = frozenset(STATES)
"""Only then is the seed told: the deal of a game that goes on could be made again from it."""

if TYPE_CHECKING:
    from judge.record import Record
    from judge.store import Store


def list_games(settings: Settings, folder: Path | None, *, json_out: bool) -> int:
    """Print the saved games and records, or those of a folder, one line each. Returns the exit code."""
    if folder is not None and not folder.is_dir():
        raise Problem(f"there is no folder {folder}", f"没有这个文件夹：{folder}")
    listed = [*_saved(settings.home), *entries(settings.records)] if folder is None else list(entries(folder))
    if json_out:
        for entry in listed:
            print(json.dumps(_plain(entry), ensure_ascii=False))
        return 0
    if not listed:
        where = folder or settings.home
        print(
            say(f"no games in {where}; start one with `tianhei play`", f"{where} 里没有对局；用 `tianhei play` 开一局"),
            file=sys.stderr,
        )
        return 0
    head = [say("game", "对局"), say("board", "板子"), say("seats", "人数"), say("days", "天数")]
    head += [say("result", "结果"), say("begun", "开始")]
    for line in columns([head, *map(_row, listed)], right=frozenset({2, 3})):
        print(line)
    return 0


def print_game(settings: Settings, name: str, *, seat: int | None) -> int:
    """Print a game as the judge told it to a seat (0: with everything, None: to everyone). Raises Problem."""
    record = read_game(settings, name)
    setup = record.header.setup
    if seat is not None and seat > setup.size:
        raise Problem(
            f"this game has seats 1 to {setup.size}, not {seat}", f"这局只有 1 到 {setup.size} 号，没有 {seat} 号"
        )
    _keep_secrets(record, seat)
    for line in transcript(record, seat):
        print(line)
    return 0


def _keep_secrets(record: Record, seat: int | None) -> None:
    """A person who still plays may not look at the others' cards. Raises Problem."""
    mine = {sitter.seat for sitter in record.header.players if sitter.kind == "human"}
    if mine and record.result is None and seat is not None and seat not in mine:
        raise Problem(
            "you are still in this game: finish it with `tianhei resume`, then look at the others' cards",
            "你还在这局游戏里：先用 `tianhei resume` 打完，再看别人的牌",
        )


def read_game(settings: Settings, name: str) -> Record:
    """The record that a person means: a file, a record's name, or a saved game. Raises Problem, RecordError."""
    from judge.record import read_record

    roles()  # the events of a card can be read once the card is known
    path = find(settings.records, name)
    if path is not None:
        return read_record(path)
    store = open_store(settings.home)
    try:
        if store is not None:
            return store.record(saved_name(store, name, settings.home))
    finally:
        if store is not None:
            store.close()
    raise no_game(name, settings.home)


def saved_name(store: Store, name: str, home: Path) -> str:
    """The saved game of this name, or the only one that begins so. Raises Problem."""
    names = [*(game.id for game in store.games()), *store.broken()]
    begins = [known for known in names if known.startswith(name)]
    if name in names:
        return name
    if len(begins) == 1:
        return begins[0]
    raise no_game(name, home)


def no_game(name: str, home: Path) -> Problem:
    """There is no such game."""
    return Problem(
        f"there is no game {name!r} in {home}; `tianhei games` lists them",
        f"{home} 里没有对局 {name!r}；`tianhei games` 列出全部",
    )


def open_store(home: Path) -> Store | None:
    """The saved games, or None where nothing was ever saved. Raises StoreError."""
    if not (home / "tables.sqlite").exists():
        return None
    from judge.store import Store

    roles()  # the events of a card can be read once the card is known
    return Store(home)


def transcript(record: Record, seat: int | None) -> Iterator[str]:
    """What the judge told to that viewpoint, line by line. Raises RecordError if the record is not of this game."""
    from judge.record import verify
    from prompts.narrate import narrate, overheard

    game, lang = verify(record), current()
    if seat == 0:
        told = [overheard(event, to, lang) for event, to in zip(game.events, game.audiences, strict=True)]
    else:
        told = [narrate(event, lang) for event in game.view(seat).events]
    yield from filter(None, told)
    result = record.result
    if result is None or result.status != "finished":
        why = result.reason if result is not None else ""
        yield clean(say(f"(the record ends here, unfinished. {why})", f"（记录到此为止，对局未完。{why}）"))


def _saved(home: Path) -> list[Entry]:
    store = open_store(home)
    if store is None:
        return []
    try:
        listed = [
            Entry(
                game.id,
                store.path,
                STATES.get(game.status, "unfinished"),
                game.header.setup,
                game.winners,
                game.days,
                game.header.created,
            )
            for game in store.games()
        ]
        return listed + [Entry(name, store.path, "broken", why=why) for name, why in store.broken().items()]
    finally:
        store.close()


def _row(entry: Entry) -> list[str]:
    setup = entry.setup
    board = _board(setup.ruleset) if setup is not None else "?"
    seats = str(setup.size) if setup is not None else "?"
    return [clean(entry.name), board, seats, str(entry.days or "-"), _result(entry), clean(entry.created)[:16]]


def _board(ruleset: str) -> str:
    """A ruleset's name; of one that this version does not know, its id."""
    if ruleset not in ruleset_ids():
        return clean(ruleset)[:40]
    names = load_ruleset(ruleset).names
    return names.get(current()) or names.get("en") or ruleset


def _result(entry: Entry) -> str:
    if entry.state == "broken":
        return clean(say(f"broken: {entry.why}", f"损坏：{entry.why}"))
    if entry.state == "unfinished":
        return say("unfinished", "未完")
    if entry.state == "failed":
        return clean(say(f"failed: {entry.why}", f"出错：{entry.why}"))
    return say(", ", "、").join(camp_name(camp) for camp in entry.winners) or say("a draw", "平局")


def camp_name(camp: str) -> str:
    """A camp's name in the language spoken now."""
    from prompts.words import camp_word

    return camp_word(camp, current())


def _plain(entry: Entry) -> dict[str, object]:
    return {
        "game": entry.name,
        "state": entry.state,
        "ruleset": entry.setup.ruleset if entry.setup else None,
        "seats": entry.setup.size if entry.setup else None,
        "seed": entry.setup.seed if entry.setup and entry.state in ENDED else None,
        "winners": entry.winners,
        "days": entry.days,
        "created": entry.created,
        "why": entry.why,
    }
