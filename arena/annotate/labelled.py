"""Labels that people or models gave to claims, compared with each other and with the engine's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

import msgspec

from arena.annotate.agreement import cohen_kappa, headline, krippendorff_alpha

ENGINE = "engine"
LIMIT = 64 * 1024 * 1024  # bytes


class LabelError(ValueError):
    """A file of labels that cannot be read: where, and why."""


class Given(msgspec.Struct, frozen=True):
    """A line of a labelled set. target_id: of a claim, as `tianhei annotate --json` shows it."""

    target_id: str
    label: str
    annotator: str


def read_labels(path: Path) -> list[Given]:
    """The labels in a JSONL file. Raises LabelError, OSError."""
    if path.stat().st_size > LIMIT:
        raise LabelError(f"{path}: more than {LIMIT} bytes")
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Given))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LabelError(f"{path}, line {number}: {error}") from None
    return found


def agreement_table(given: Iterable[Given], engine: Mapping[str, str]) -> list[str]:
    """kappa of every pair of annotators, the engine among them, and alpha of the people and models alone."""
    by: dict[str, dict[str, str]] = {}
    for one in given:
        by.setdefault(one.annotator, {})[one.target_id] = one.label
    items = [
        [labels[target] for labels in by.values() if target in labels] for target in {t for b in by.values() for t in b}
    ]
    alpha = krippendorff_alpha(items)
    lines = []
    for first, second in combinations([ENGINE, *sorted(by)], 2):
        left, right = (engine if name == ENGINE else by[name] for name in (first, second))
        both = sorted(left.keys() & right.keys())
        kappa = cohen_kappa([left[t] for t in both], [right[t] for t in both]) if both else None
        lines.append(f"kappa  {first} / {second}  {'–' if kappa is None else f'{kappa:.3f}'}  n={len(both)}")
    lines.append(f"alpha  {'–' if alpha is None else f'{alpha:.3f}'}  n={len(items)}  {headline(alpha)}")
    return lines
