"""Narration of public events: by template, or in a model's words where these say the same.

What a model says is checked against the template's line, which is made from the event: the same seats, no card, camp or
cause of its own. If anything differs, the template is used.
"""

from __future__ import annotations

import re
import unicodedata

from engine.events import Event, Over, Revealed, Said
from engine.rules.ruleset import roles
from engine.text import clean
from judge.asking import Asker, reply_of
from prompts.judge import narrator_prompt, number_schema
from prompts.narrate import narrate
from prompts.texts import catalogue
from prompts.words import role_word

LONGEST = 240  # characters of a line
UNTOUCHED = (Said, Over, Revealed)
"""Events that are always told by template: people's own words, and the truth at the end."""
_NUMBER = re.compile(r"\d+")
_WORDS = {
    "zh": ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十"),
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
}
_FATE = {
    "zh": ("死", "出局", "倒牌", "平安夜", "放逐", "毒", "刀", "枪", "开枪", "救", "袭击", "警长", "自爆", "殉情"),
    "en": ("dead", "died", "dies", "death", "killed", "out", "peaceful", "poison", "bitten", "shot", "shoot", "saved",
           "exile", "sheriff", "attack", "grief", "explode"),
}  # fmt: skip
"""Words of fate: one that the template lacks must not be added, and where the template has some, some must stay."""


class Narrator:
    """Tells public events, with or without a model."""

    def __init__(self, client: Asker | None = None) -> None:
        self.client = client
        self.told = self.refused = 0
        """Lines in the model's words, and lines of it that were not used."""

    async def tell(self, event: Event, lang: str) -> str | None:
        """The line for a public event; None where there is nothing to say."""
        line = narrate(event, lang)
        if line is None or self.client is None or isinstance(event, UNTOUCHED):
            return line
        schema = number_schema("line", 0)
        schema["properties"]["line"] = {"type": "string", "maxLength": LONGEST}
        said = (await reply_of(self.client, narrator_prompt(line, lang), schema)).get("line")
        if isinstance(said, str) and faithful(said, line, lang):
            self.told += 1
            return clean(said)
        self.refused += 1
        return line


def faithful(said: str, line: str, lang: str) -> bool:
    """Whether a model's line states no more and no less than the template's."""
    words = clean(unicodedata.normalize("NFKC", said[: 2 * LONGEST]))
    if not words or len(words) > LONGEST or any(mark in words for mark in '「」“”"『』'):
        return False
    plain = clean(unicodedata.normalize("NFKC", line))
    if sorted(_NUMBER.findall(words)) != sorted(_NUMBER.findall(plain)):
        return False
    fate = _FATE.get(lang, _FATE["en"] + _FATE["zh"])
    if any(_holds(words, word, lang) and not _holds(plain, word, lang) for word in (*fate, *_secrets(lang))):
        return False
    if any(_holds(words, n, lang) and not _holds(plain, n, lang) for n in _spelled(words, lang)):
        return False
    named = [word for word in _secrets(lang) if _holds(plain, word, lang)]
    kept = all(_holds(words, word, lang) for word in named)
    had = [word for word in fate if _holds(plain, word, lang)]
    return kept and (not had or any(_holds(words, word, lang) for word in had))


def _secrets(lang: str) -> tuple[str, ...]:
    """The names of cards and camps."""
    cards = [role_word(role, lang).lower() for role in roles()]
    camps = [words.lower() for key, words in catalogue(lang).items() if key.startswith("names.camp.")]
    causes = [words.lower() for key, words in catalogue(lang).items() if key.startswith("names.cause.")]
    return tuple({*cards, *camps, *causes})


def _spelled(words: str, lang: str) -> tuple[str, ...]:
    """Numbers in words that stand for a seat."""
    if lang == "en":
        return tuple(word for word in _WORDS["en"] if re.search(rf"seats? {word}\b|\b{word} is\b", words.lower()))
    return tuple(f"{one}号" for one in _WORDS["zh"] if f"{one}号" in words)


def _holds(words: str, word: str, lang: str) -> bool:
    if lang == "en":
        return re.search(rf"\b{re.escape(word)}\b", words.lower()) is not None
    return word in words.lower()
