"""The catalogue: every sentence by language and key, with strict placeholders.

A key is the file's name and the path in it, joined with dots (`lines.dark`, `asks.day.vote.title`). Chinese and English
hold the same keys; Japanese falls back to English where it has none. Values put into a sentence are never read for
placeholders again, so what a player says cannot format anything.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGS = ("zh", "en", "ja")
FALLBACK = {"ja": "en"}
_PLACE = re.compile(r"\{(\w+)\}")


class TextError(LookupError):
    """A sentence that cannot be said: what is missing, and in which language."""


@cache
def catalogue(lang: str) -> Mapping[str, str]:
    """All sentences of one language, without its fallback. Raises TextError for an unknown language."""
    if lang not in LANGS:
        raise TextError(f"there is no language {lang!r}; the languages are {', '.join(LANGS)}")
    found: dict[str, str] = {}
    for entry in sorted((files("prompts") / "catalogue" / lang).iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            found.update(_flat(tomllib.loads(entry.read_text("utf-8")), entry.name.removesuffix(".toml")))
    return found


def _flat(table: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{path}.{key}")
        else:
            yield f"{path}.{key}", str(value)


def has(lang: str, key: str) -> bool:
    """Whether the language, or its fallback, holds the key."""
    return key in catalogue(lang) or (lang in FALLBACK and has(FALLBACK[lang], key))


def raw(lang: str, key: str) -> str:
    """The sentence with its placeholders. Raises TextError."""
    here = catalogue(lang)
    if key in here:
        return here[key]
    if lang in FALLBACK:
        return raw(FALLBACK[lang], key)
    raise TextError(f"the {lang} catalogue has no {key!r}")


def text(lang: str, key: str, /, **values: object) -> str:
    """The sentence with its values. Raises TextError for a missing key or value."""
    return sentence(lang, fill(raw(lang, key), values, f"{lang} {key}"))


def fill(pattern: str, values: Mapping[str, object], where: str) -> str:
    """Put values in for `{name}`. Raises TextError, naming where, if one is missing."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            raise TextError(f"{where} needs a value for {{{name}}}; given: {', '.join(values) or 'none'}")
        return str(values[name])

    return _PLACE.sub(value, pattern)


def places(pattern: str) -> frozenset[str]:
    """The names of the placeholders in a sentence."""
    return frozenset(_PLACE.findall(pattern))


def sentence(lang: str, words: str) -> str:
    """In English a sentence that ends like one begins with a capital."""
    if lang == "en" and words[:1].islower() and words[-1:] in ".?!":
        return words[0].upper() + words[1:]
    return words


def listed(lang: str, words: Iterable[str]) -> str:
    """Words as a list: 3号、5号; 3, 5 and 7; "nobody" or 无人 if there are none."""
    several = list(words)
    if not several:
        return raw(lang, "names.none")
    if len(several) == 1:
        return several[0]
    return raw(lang, "names.list-separator").join(several[:-1]) + raw(lang, "names.list-last") + several[-1]


@cache
def template(lang: str, name: str) -> str:
    """A prompt template (`templates/<lang>/<name>.txt`), in the fallback language if need be. Raises TextError."""
    entry = files("prompts") / "templates" / lang / f"{name}.txt"
    if entry.is_file():
        return entry.read_text("utf-8").strip("\n")
    if lang in FALLBACK:
        return template(FALLBACK[lang], name)
    raise TextError(f"there is no template {name!r} in {lang}")
