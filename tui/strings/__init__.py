"""The app's own words, per language."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

LANGS = ("zh", "en")


class Strings:
    """One language's words by key."""

    def __init__(self, lang: str) -> None:
        """An unknown language falls back on English."""
        self.lang = lang if lang in LANGS else "en"
        self._table = catalogue(self.lang)

    def __call__(self, key: str, **values: object) -> str:
        """The words of a key. Raises KeyError for a key that no catalogue holds."""
        words = self._table[key]
        return words.format(**values) if values else words

    def get(self, key: str, default: str = "", **values: object) -> str:
        """The words of a key, or the default."""
        return self(key, **values) if key in self._table else default

    def other(self) -> Strings:
        """The next language."""
        return Strings(LANGS[(LANGS.index(self.lang) + 1) % len(LANGS)])


@cache
def catalogue(lang: str) -> dict[str, str]:
    """All words of a language."""
    table: dict[str, str] = tomllib.loads((files("tui.strings") / f"{lang}.toml").read_text("utf-8"))
    return table
