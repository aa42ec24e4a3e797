"""Words for claims: lines out of phrases/*.toml, each with the claim it stands for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from players.base import Claim


@dataclass(frozen=True, slots=True)
class Book:
    """The lines of one language."""

    roles: Mapping[str, str]
    lines: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to say: a line's key, the claim in it if any, and what else fills its slots."""

    key: str
    claim: Claim | None = None
    target: int = 0
    other: int = 0
    number: int = 0


@cache
def book(lang: str) -> Book:
    """The lines of a language; English where there are none."""
    folder = files("players.builtin.phrases")
    name = f"{lang}.toml" if (folder / f"{lang}.toml").is_file() else "en.toml"
    plain = tomllib.loads((folder / name).read_text("utf-8"))
    return Book(plain["roles"], {key: tuple(lines) for key, lines in plain["lines"].items()})


def render(points: list[Point], lang: str, turn: int, seed: str) -> str:
    """The points as one speech. turn: how many speeches this seat made before, so that no line comes twice soon."""
    said: list[str] = []
    for nth, point in enumerate(points):
        same = sum(earlier.key == point.key for earlier in points[:nth])
        said.append(line(point, lang, turn + same, seed))
    return ("" if lang == "zh" else " ").join(said)


def line(point: Point, lang: str, turn: int, seed: str) -> str:
    """One point in words."""
    lines = book(lang).lines[point.key]
    text = lines[(_offset(f"{seed}:{point.key}") + turn) % len(lines)]
    role = point.claim.value if point.claim and point.claim.value else ""
    filled = text.format(t=point.target, o=point.other, n=point.number, r=book(lang).roles.get(role, role))
    return filled[0].upper() + filled[1:]


@cache
def _offset(seed: str) -> int:
    return Random(seed).randrange(1 << 20)
