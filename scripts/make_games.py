"""Makes docs/games/*.md, ten whole games of the built-in players: `python scripts/make_games.py [FOLDER]`.

Each page is written from the record of a seeded game, read back from its file, so a change of a page is a change of the
players, the rules or the judge's words.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engine.events import Phase, Said  # noqa: E402
from engine.setup import Setup, deal  # noqa: E402
from judge.direct import play_direct  # noqa: E402
from judge.record import Record, RecordWriter, read_record, replay  # noqa: E402
from players.factory import make_players  # noqa: E402
from prompts.narrate import overheard  # noqa: E402
from prompts.words import role_word  # noqa: E402

GAMES: tuple[tuple[str, int, str, int], ...] = (
    ("tournament", 9, "zh", 11),
    ("tournament", 12, "en", 12),
    ("classic", 11, "zh", 13),
    ("classic", 13, "en", 14),
    ("extended", 12, "zh", 15),
    ("homebrew", 14, "en", 16),
    ("homebrew", 16, "zh", 17),
    ("millers-hollow", 12, "en", 18),
    ("millers-hollow", 16, "zh", 19),
    ("japanese", 13, "ja", 20),
)
"""Ruleset, seats, language, seed."""
FULL = frozenset({"classic", "homebrew", "millers-hollow"})
UNSHOWN = frozenset({"step", "role.dealt", "deck", "intent"})
HEADS = {
    "zh": ("# {ruleset}，{size} 人，种子 {seed}", "座位", "牌", "由 `python scripts/make_games.py` 从对局记录生成。"),
    "en": ("# {ruleset}, {size} seats, seed {seed}", "seat", "card", "Made from the game's record by "
           "`python scripts/make_games.py`."),
    "ja": ("# {ruleset}、{size} 人、シード {seed}", "席", "役職", "`python scripts/make_games.py` が記録から作成。"),
}  # fmt: skip


def played(setup: Setup, folder: Path) -> Record:
    """The record of a game of built-in players at the top level, read back from its file."""
    path = folder / "game.jsonl"
    path.unlink(missing_ok=True)
    writer = RecordWriter.open(path, durable=False)
    try:
        play_direct(setup, make_players(setup, dict.fromkeys(range(1, setup.size + 1), "builtin::hard")), writer)
    finally:
        writer.close()
    return read_record(path)


def page(record: Record) -> str:
    """A game as a page: the cards, then all that happened; what only some were told stands in italics."""
    setup = record.header.setup
    title, seat, card, made = HEADS[setup.lang]
    lines = [title.format(ruleset=setup.ruleset, size=setup.size, seed=setup.seed), "", made, ""]
    lines += [f"| {seat} | {card} |", "|---|---|"]
    lines += [f"| {number} | {role_word(dealt, setup.lang)} |" for number, dealt in enumerate(setup.seats, 1)]
    game = replay(record)
    for event, audience in zip(game.events, game.audiences, strict=True):
        if event.kind in UNSHOWN or (isinstance(event, Said) and not event.text):
            continue
        told = overheard(event, audience, setup.lang)
        if not told:
            continue
        told = " ".join(told.split())
        if isinstance(event, Phase):
            lines += ["", f"## {told}", ""]
        else:
            lines.append(f"- {told}" if audience == -1 else f"- *{told}*")
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for number, (ruleset, size, lang, seed) in enumerate(GAMES, 1):
            setup = deal(ruleset, size, deck="full" if ruleset in FULL else None, seed=seed, lang=lang)
            name = f"{number:02d}-{ruleset}-{size}-{lang}.md"
            (folder / name).write_text(page(played(setup, Path(work))), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "games")
