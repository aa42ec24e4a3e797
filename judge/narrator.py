"""Narration of public events: by template, or in a model's words where these say the same.

What a model says is checked against the template's line, which is made from the event: the same seats, no card, camp or
cause of its own. If anything differs, the template is used.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Sequence

from engine.events import Ballots, Deck, Event, Over, Revealed, Said, Step
from engine.rules.ruleset import roles
from engine.text import clean
from judge.asking import Asker, Heard, ask_for
from players.base import Call
from prompts.judge import narrator_prompt, number_schema
from prompts.narrate import narrate
from prompts.texts import catalogue
from prompts.words import role_word

LONGEST = 240  # characters of a line
UNTOUCHED = (Said, Over, Revealed, Step, Ballots, Deck)
"""Events that are always told by template: people's own words, the truth at the end, the calls of the night (whose
timing must tell nothing), and tables of numbers. So are event cards, whose words are rules, and lines without a
fact."""
PATIENCE = 20.0  # seconds that the table waits for a line
GIVES_UP = 3  # questions without any reply in a row, after which the templates speak
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

    def __init__(self, client: Asker | None = None, patience: float = PATIENCE) -> None:
        self.client, self.patience = client, patience
        self.told = self.refused = 0
        """Lines in the model's words, and lines of it that were not used."""
        self._lines: dict[int, str] = {}
        self._silent = 0

    async def prepare(self, events: Sequence[Event], lang: str) -> tuple[Call, ...]:
        """Find words for public events that are about to be told, all at once. Returns what the model was asked."""
        if self.client is None:
            return ()
        made = await asyncio.gather(*(self._worded(event, lang) for event in events))
        return tuple(call for calls in made for call in calls)

    def line(self, event: Event) -> str | None:
        """The model's line for an event that was prepared; None where the template speaks."""
        return self._lines.get(id(event))  # the game's log holds its events as long as there is a table

    async def tell(self, event: Event, lang: str) -> str | None:
        """The line for a public event; None where there is nothing to say."""
        await self._worded(event, lang)
        return self.line(event) or narrate(event, lang)

    async def _worded(self, event: Event, lang: str) -> tuple[Call, ...]:
        line = None if isinstance(event, UNTOUCHED) or hasattr(event, "card") else narrate(event, lang)
        if line is None or self.client is None or self._silent >= GIVES_UP or not checkable(line, lang):
            return ()
        schema = number_schema("line", 0)
        schema["properties"]["line"] = {"type": "string", "maxLength": LONGEST}
        try:
            async with asyncio.timeout(self.patience):
                heard = await ask_for(self.client, narrator_prompt(line, lang), schema)
        except TimeoutError:
            heard = Heard({}, "late")
        self._silent = 0 if heard.fields else self._silent + 1
        said = heard.fields.get("line")
        if isinstance(said, str) and faithful(said, line, lang):
            self.told += 1
            self._lines[id(event)] = clean(said)
        else:
            self.refused += 1
        return heard.calls


def checkable(line: str, lang: str) -> bool:
    """Whether a line states something by which other words can be told to say the same: a seat, a fate, a card."""
    plain = clean(unicodedata.normalize("NFKC", line))
    facts = (*_FATE.get(lang, _FATE["en"] + _FATE["zh"]), *_secrets(lang))
    return bool(_NUMBER.search(plain)) or any(_holds(plain, word, lang) for word in facts)


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
