"""Flags on a model's speech, for the record and its readers. The speech itself is never changed."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.views import View

COPIED = 0.9  # share of a line's pieces that stand in an earlier one
SHINGLE = 8  # characters of a piece
LEAST = 24  # characters below which likeness means nothing
_SEAT = re.compile(r"(?<!\d)(\d{1,2})\s*号|(?:seat|player|No\.?|#)\s*(\d{1,2})(?!\d)", re.I)
_META = re.compile(
    r"\b(?:as an ai|language model|openai|chatgpt|system prompt|my prompt|json|assistant)\b|"
    r"人工智能|语言模型|大模型|提示词|系统提示|我是一个?AI",
    re.I,
)
_ADDRESS = re.compile(
    r"(?<!\d)(\d{1,2})号[，,]?(?:你|请你|请回答)|(?:seat|player)\s*(\d{1,2})\s*,\s*(?:you|please|tell)", re.I
)
_WOLF = re.compile(
    r"我(?:们)?(?:的)?(?:狼队友|狼人?同伴|是狼人?(?!的)|这边狼队)"
    r"|(?:^|[.!?。！？]\s*)I(?:'m| am) (?:a |the )?(?:were)?wol[fv]"
    r"|\b(?:my|our) (?:fellow (?:were)?wol|pack\b)",
    re.I,
)
_PEACE = re.compile(r"平安夜|peaceful night|nobody (?:died|was killed) last night", re.I)
_CJK = re.compile(r"[一-鿿]")


def flags_of(said: str, reasoning: str, view: View, lang: str) -> tuple[str, ...]:
    """What is odd about a speech, from its seat's view alone.

    false-event: it tells of a peaceful night, or of a seat that left, against what was announced. dead-addressed: it
    talks to a seat that is out. no-seat: it names a seat there is not. reasoning-leaked: it repeats private reasoning.
    role-leaked: a wolf calls itself one. meta: it speaks of models or prompts. language: it is not in the table's.
    copied: it repeats what was said.
    """
    found = [
        name
        for name, check in (
            ("false-event", _false_event(said, view)),
            ("dead-addressed", any(_seats(_ADDRESS, said) & set(view.out))),
            ("no-seat", any(not 1 <= seat <= view.size for seat in _seats(_SEAT, said))),
            ("reasoning-leaked", _leaks(said, reasoning)),
            ("role-leaked", view.camp == "wolves" and _WOLF.search(said) is not None),
            ("meta", _META.search(said) is not None),
            ("language", _foreign(said, lang)),
            ("copied", _copied(said, view)),
        )
        if check
    ]
    return tuple(found)


def _seats(pattern: re.Pattern[str], said: str) -> set[int]:
    return {int(next(group for group in match if group)) for match in pattern.findall(said)}


def _false_event(said: str, view: View) -> bool:
    """A night told otherwise than it was announced this morning."""
    from engine.events import Dawn

    dawns = [event for event in view.events if isinstance(event, Dawn)]
    return bool(dawns and dawns[-1].seats and _PEACE.search(said) and "不是" not in said and "not a" not in said)


def _leaks(said: str, reasoning: str) -> bool:
    """Whether a long piece of the speech stands in the reasoning word for word, and is half of the speech."""
    if len(reasoning) < LEAST or len(said) < LEAST:
        return False
    pieces = [said[at : at + LEAST] for at in range(0, len(said) - LEAST + 1, LEAST // 2)]
    return sum(piece in reasoning for piece in pieces) * 2 >= len(pieces)


def _foreign(said: str, lang: str) -> bool:
    letters = sum(char.isalpha() for char in said)
    if letters < LEAST:
        return False
    share = len(_CJK.findall(said)) / letters
    return share < 0.3 if lang == "zh" else lang == "en" and share > 0.3


def _copied(said: str, view: View) -> bool:
    """Nearly the same words as in an earlier speech, whoever's."""
    if len(said) < LEAST:
        return False
    own = _shingles(said)
    return any(len(own & _shingles(earlier.text)) > COPIED * len(own) for earlier in view.said[-40:] if earlier.text)


@lru_cache(maxsize=2048)
def _shingles(text: str) -> frozenset[str]:
    return frozenset(text[at : at + SHINGLE] for at in range(len(text) - SHINGLE + 1))
