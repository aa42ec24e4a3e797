"""Ready-made sample games: built-in players at every ruleset's tables, in Chinese and English by turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from arena.design.run import write_game
from engine.rules.ruleset import SetupError, load_ruleset, ruleset_ids
from engine.setup import Setup, deal
from players.factory import make_players

LEVELS = ("hard", "normal", "easy")
FIRST = 500  # first seed of the samples


def boards(small: bool) -> list[tuple[str, str, int]]:
    """(ruleset, deck, seats) of every table that can be dealt. small: only each ruleset's smallest."""
    found = []
    for ruleset in ruleset_ids():
        tables = [(ruleset, deck, int(seats)) for deck, sizes in load_ruleset(ruleset).decks.items() for seats in sizes]
        good = sorted((table for table in tables if _dealt(*table)), key=lambda table: (table[2], table[1]))
        found += good[:1] if small else good
    return found


def _dealt(ruleset: str, deck: str, seats: int) -> bool:
    try:
        deal(ruleset, seats, deck=deck, seed=FIRST)
    except SetupError:
        return False
    return True


def setups(number: int, small: bool = False) -> Iterator[Setup]:
    """So many deals: the tables in turn, and each table's languages in turn."""
    tables = boards(small)
    for at, (ruleset, deck, seats) in enumerate(islice(cycle(tables), number)):
        turn = at // len(tables)
        lang = ("zh", "en")[(at + turn) % 2]
        yield deal(ruleset, seats, deck=deck, seed=FIRST + at, lang=lang)


def make_samples(folder: Path, number: int, small: bool = False) -> Iterator[Path]:
    """Play what is not yet there; yields every record's path. Raises RecordError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for setup in setups(number, small):
        path = folder / f"{setup.ruleset}-{setup.size}-{setup.lang}-{setup.seed}.jsonl"
        if not path.exists():
            specs = {seat: f"builtin:{LEVELS[(setup.seed + seat) % 3]}" for seat in range(1, setup.size + 1)}
            write_game(path, setup, make_players(setup, specs), path.stem, 20)
        yield path
