"""The language of the command line: found before anything is parsed, so that help and mistakes speak it too."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Lang = Literal["zh", "en", "ja"]
LANGS: tuple[Lang, ...] = get_args(Lang)


@dataclass(slots=True)
class _Now:
    """One process has one person in front of it, so the language spoken is the process's."""

    lang: Lang | None = None
    flag: Lang | None = None


_now = _Now()


def find_lang(argv: Sequence[str], env: Mapping[str, str]) -> Lang:
    """The language asked for: --lang, then TIANHEI_LANG, then the locale; English where none says Chinese."""
    return flag_lang(argv) or known(env.get("TIANHEI_LANG", "")) or locale_lang(env)


def locale_lang(env: Mapping[str, str]) -> Lang:
    """The locale's language, or English."""
    said = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return known(said[:2].lower()) or "en"


def flag_lang(argv: Sequence[str]) -> Lang | None:
    """The value of --lang or -l, if it is a language."""
    for at, word in enumerate(argv):
        if word in ("--lang", "-l") and at + 1 < len(argv):
            return known(argv[at + 1])
        if word.startswith("--lang="):
            return known(word.removeprefix("--lang="))
        if word == "--":
            break
    return None


def begin(argv: Sequence[str], env: Mapping[str, str]) -> None:
    """Speak the language of this command line."""
    _now.lang, _now.flag = find_lang(argv, env), flag_lang(argv)


def use(lang: Lang) -> None:
    """Speak this language from now on."""
    _now.lang = lang


def current() -> Lang:
    """The language spoken now."""
    if _now.lang is None:
        begin(sys.argv[1:], os.environ)
    return _now.lang or "en"


def asked() -> Lang | None:
    """The --lang of this command line, wherever it stands."""
    return _now.flag


def say(en: str, zh: str) -> str:
    """The text in the language spoken now; who asked for Japanese reads English here."""
    return zh if current() == "zh" else en


def known(word: str) -> Lang | None:
    """The language of this code, if there is one."""
    return next((lang for lang in LANGS if lang == word), None)
