"""What every export shares: its card, its canary, its split by block."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from arena.annotate.tables import NINE, TABLES_VERSION, Row, Tables, nine
from judge.record import Record

LICENSE = "CC-BY-4.0"
SPLITS = (("train", 0.8), ("validation", 0.9), ("test", 1.0))
NAMESPACE = uuid.UUID("3c1f4d8e-6a55-4f0e-9d61-7f3f2b1d8a90")


class ExportError(RuntimeError):
    """An export that cannot be made: what is missing, and the command that installs it."""


class Export(msgspec.Struct, frozen=True):
    """Games to be exported. records: beside the tables, the same games as they were played."""

    name: str
    tables: tuple[Tables, ...]
    records: tuple[Record, ...]
    canary: str


Writer = Callable[[Export, Path], Sequence[Path]]


def canary(name: str) -> str:
    """A GUID that marks a release, so that its text can be found in training data: the same name, the same GUID."""
    return f"TIANHEI-CANARY-{uuid.uuid5(NAMESPACE, name)}"


def split_of(block: str) -> str:
    """train, validation or test, by the hash of the block: one deal, in either language, is never divided."""
    share = int.from_bytes(sha256(block.encode()).digest()[:4], "big") / 2**32
    return next(name for name, end in SPLITS if share < end)


def rows_of(tables: Iterable[Tables]) -> dict[str, list[Row]]:
    """All rows by table."""
    found: dict[str, list[Row]] = {name: [] for name in NINE}
    for one in tables:
        for name, rows in nine(one).items():
            found[name] += rows
    return found


def write_json_lines(path: Path, rows: Iterable[Any]) -> Path:
    """One JSON value a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for row in rows:
            file.write(msgspec.json.encode(row) + b"\n")
    return path


def write_json(path: Path, value: object) -> Path:
    """One JSON value."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    return path


def need(module: str, extra: str) -> ExportError:
    """The package of an extra is missing."""
    return ExportError(f"this format needs {module}: run  .venv/bin/python -m pip install '.[{extra}]'")


def card(export: Export, formats: str) -> str:
    """The data card, as the README of a data set: YAML for the hub, then words."""
    langs = sorted({game.game.lang for game in export.tables})
    rulesets = Counter(f"{game.game.ruleset}, {game.game.seats} seats" for game in export.tables)
    kinds = Counter(row.kind for game in export.tables for row in game.seats)
    splits = Counter(split_of(game.game.block_id) for game in export.tables)
    labels = Counter(str(row.label) for game in export.tables for row in game.claims if row.label != "NONE")
    lines = ["---", f"license: {LICENSE.lower()}", "language:", *(f"- {lang}" for lang in langs)]
    lines += ["tags:", "- werewolf", "- social-deduction", "- deception"]
    if formats == "parquet":
        lines.append("configs:")
        for name in NINE:
            lines += [f"- config_name: {name}", "  data_files:"]
            lines += [f"  - split: {split}\n    path: data/{split}/{name}.parquet" for split in sorted(splits)]
    lines += ["---", "", f"# {export.name}", "", f"Canary: `{export.canary}`. Do not train on this data set.", ""]
    lines += [
        f"{len(export.tables)} Werewolf games played and annotated by Tianhei, tables version {TABLES_VERSION}.",
        "",
    ]
    lines += _listed("Rulesets", rulesets) + _listed("Seats by kind of player", kinds)
    lines += _listed("Games by split (a deal is never divided)", splits) + _listed("Judged claims by label", labels)
    lines += [
        "## Provenance",
        "",
        "No human players. Truth comes from the rules engine; labels compare a claim with that truth and with what its",
        "speaker could know for certain (docs/annotation-guideline.md). Model-visible text never holds another seat's",
        "card; the tables do, so keep `seat.role` out of prompts.",
        "",
        f"Licence of the data: {LICENSE}.",
        "",
    ]
    return "\n".join(lines)


def _listed(title: str, counts: Counter[str]) -> list[str]:
    return [f"## {title}", "", *(f"- {name or 'unknown'}: {count}" for name, count in sorted(counts.items())), ""]
