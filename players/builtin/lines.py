"""Words for claims: lines out of phrases/*.toml, each with the claim it stands for.

A line is a template with slots ({t}) and wordings ([a|b]). A seat never uses a template twice in a game: which ones it
has used is read back from what it said, so a player made anew goes on without repeating itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random

from players.base import Claim

WORDING = re.compile(r"\[([^\[\]]*)\]")
SLOT = re.compile(r"\{(\w)\}")
SPACED = frozenset({"en"})
SEVERAL = frozenset({"villager", "werewolf", "sister", "brother", "mason"})
"""Cards of which there is more than one."""


@dataclass(frozen=True, slots=True)
class Book:
    """The lines of one language. roles: how a card is called in talk, where its own name does not do."""

    lang: str
    roles: Mapping[str, str]
    lines: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to say: a line's key, the claim in it if any, and what else fills its slots. claims: further claims of
    the same line."""

    key: str
    claim: Claim | None = None
    target: int = 0
    other: int = 0
    number: int = 0
    claims: tuple[Claim, ...] = ()

    @property
    def said(self) -> tuple[Claim, ...]:
        """All that the line claims."""
        return ((self.claim,) if self.claim else ()) + self.claims


@cache
def book(lang: str) -> Book:
    """The lines of a language; English where there are none."""
    folder = files("players.builtin.phrases")
    known = lang if (folder / f"{lang}.toml").is_file() else "en"
    plain = tomllib.loads((folder / f"{known}.toml").read_text("utf-8"))
    return Book(known, plain["roles"], {key: tuple(lines) for key, lines in plain["lines"].items()})


@cache
def card_name(card: str, lang: str) -> str:
    """A card in words."""
    from engine.rules.ruleset import roles

    words = book(lang)
    known = roles().get(card)
    return words.roles.get(card) or (known.names.get(words.lang, card) if known else card)


def render(
    points: Iterable[Point],
    lang: str,
    said: Sequence[str],
    seed: str,
    heard: Sequence[str] = (),
    barred: re.Pattern[str] | None = None,
) -> tuple[str, tuple[Claim, ...]]:
    """The points as one speech, and the claims in it. said: what this seat said before; a point for which no unused
    line is left goes unsaid, with its claim. heard: what others just said; their lines are avoided where that can be.
    barred: words that must not be said.
    """
    spoken: list[str] = []
    claims: list[Claim] = []
    for nth, point in enumerate(points):
        text = line(point, lang, [*said, *spoken], f"{seed}:{nth}", heard, barred)
        if text:
            spoken.append(text)
            claims += point.said
    return (" " if book(lang).lang in SPACED else "").join(spoken), tuple(claims)


def line(
    point: Point,
    lang: str,
    said: Sequence[str],
    seed: str,
    heard: Sequence[str] = (),
    barred: re.Pattern[str] | None = None,
) -> str:
    """One point in words; empty if every line for it was used, or holds barred words."""
    rng = Random(f"{seed}:{point.key}")
    fresh = [one for one in book(lang).lines[point.key] if not any(used(one).search(text) for text in said)]
    own = [one for one in fresh if not any(used(one).search(text) for text in heard)] if len(fresh) > 1 else fresh
    if barred is not None:
        worded = [finished(words, point, lang) for one in fresh for words in wordings(one)]
        worded = [words for words in worded if not barred.search(words)]
        return rng.choice(worded) if worded else ""
    return fill(rng.choice(own or fresh), point, lang, rng) if fresh else ""


def fill(template: str, point: Point, lang: str, rng: Random) -> str:
    """A template with its wordings chosen and its slots filled."""
    worded = WORDING.sub(lambda match: rng.choice(match.group(1).split("|")), template)
    return finished(worded, point, lang)


def finished(worded: str, point: Point, lang: str) -> str:
    """A wording with its slots filled."""
    card = point.claim.value if point.claim and point.claim.value else ""
    slots = {"t": str(point.target), "o": str(point.other), "n": str(point.number), "r": card_name(card, lang)}
    slots["R"] = f"{'a' if card in SEVERAL else 'the'} {slots['r']}"
    filled = SLOT.sub(lambda match: slots.get(match.group(1), ""), worded)
    return filled[0].upper() + filled[1:]


def wordings(template: str) -> list[str]:
    """Every wording of a template, slots open."""
    parts = WORDING.split(template)
    choices = [part.split("|") if nth % 2 else [part] for nth, part in enumerate(parts)]
    return ["".join(one) for one in product(*choices)]


@cache
def used(template: str) -> re.Pattern[str]:
    """Finds the template's use in a speech, as a sentence of its own."""
    pattern = r"(?:^|(?<=[。？！])|(?<=[.?!] ))"
    for nth, part in enumerate(WORDING.split(template)):
        if nth % 2:
            pattern += "(?:" + "|".join(map(_open, part.split("|"))) + ")"
        else:
            pattern += _open(part)
    return re.compile(pattern, re.IGNORECASE)


@cache
def _cards() -> str:
    """A regular expression for any card's name."""
    from engine.rules.ruleset import roles

    names = {name for card in roles().values() for name in card.names.values()}
    for lang in ("zh", "en", "ja"):
        names.update(book(lang).roles.values())
    return "(?:" + "|".join(map(re.escape, sorted(names))) + ")"


def _open(part: str) -> str:
    """A regular expression for literal text with slots."""
    bits = enumerate(SLOT.split(part))
    slots = {"r": _cards(), "R": "(?:the|a) " + _cards()}
    return "".join(slots.get(bit, r"\d+") if nth % 2 else re.escape(bit) for nth, bit in bits)


__all__ = ["Book", "Point", "book", "card_name", "fill", "finished", "line", "render", "used", "wordings"]
