"""What somebody types instead of choosing: "毒3号", "save him", "nobody". Only legal answers come out.

The clerk reads it; here is what a screen adds to that: a yes or no in the middle of other words.
"""

from __future__ import annotations

import re

from engine.asks import Answer, Ask
from judge.clerk import Understood, by_rules

NO = re.compile(r"\b(don'?t|do not|not|no|never|keep)\b|不|没|别|否|算了", re.IGNORECASE)
YES = re.compile(
    r"\b(yes|y|ok|sure|do|save|use|agree|stand|run|shoot|swap)\b|是|好|要|救|用|同意|上|参选|开枪|对|行",
    re.IGNORECASE,
)


class Unclear(ValueError):
    """It means no legal answer, or more than one; the message asks back in the language spoken."""


def understood(text: str, ask: Ask, lang: str) -> Answer:
    """The one legal answer that the text can mean. Raises Unclear."""
    read = by_rules(text, ask, lang)
    if isinstance(read, Understood):
        return read.answer
    if ask.form == "flag" and (NO.search(text) or YES.search(text)):
        return NO.search(text) is None
    raise Unclear(read.question)
