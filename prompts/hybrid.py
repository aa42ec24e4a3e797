"""What a model is sent that words a built-in player's speech: the last of what everybody heard, and what to say.

From the seat's view and its plan alone; the plan is the built-in player's own speech, whose claims the words must keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.text import clean
from engine.views import View
from prompts.model import PERSONA_LIMIT, Message, public_lines, quoter
from prompts.texts import fill, raw, template
from prompts.words import role_word

LINES = 12  # lines of the public record that are shown
SPEECH = 300  # characters of a speech
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"speech": {"type": "string"}},
    "required": ["speech"],
    "additionalProperties": False,
}


def messages(view: View, gist: str, earlier: Sequence[str], persona: str, lang: str) -> list[Message]:
    """gist: the speech as the built-in player would make it. earlier: what the seat said before, latest last. persona:
    how it talks. Raises TextError for an unknown language."""
    quote = quoter(lang)
    record = "\n".join(public_lines(view, lang)[-LINES:])
    values = {
        "s": view.seat,
        "role": role_word(view.role, lang) if view.role else raw(lang, "model.unknown"),
        "persona": clean(persona[:PERSONA_LIMIT]) or raw(lang, "names.none"),
        "record": record,
        "earlier": " ".join(quote(clean(one)) for one in earlier) or raw(lang, "names.none"),
        "gist": quote(clean(gist)),
        "most": SPEECH,
        "language": raw(lang, "names.language"),
    }
    rules, rest = template(lang, "hybrid").split("\n---\n")
    return [Message("system", fill(rules, values, "hybrid")), Message("user", fill(rest, values, "hybrid"))]


__all__ = ["SCHEMA", "SPEECH", "messages"]
