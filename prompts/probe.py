"""What a seat is asked about its beliefs beside the game: the prompt of a fork that no player remembers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.views import View
from prompts.model import Message, private_part, public_part, table_rules
from prompts.texts import fill, template, text


def probe_messages(
    view: View, about: int | None, persona: str, lang: str, notes: Sequence[str] = (), *, schema: bool = False
) -> list[Message]:
    """The parts of any ask to this seat, and the question behind them. about: a seat that has just spoken, whose
    honesty is asked too. Raises TextError for an unknown language."""
    words = {
        "about": text(lang, "model.lie", s=about) if about else "",
        "field": ', "p_lie": 0.5' if about else "",
    }
    question = fill(template(lang, "probe"), words, f"the {lang} template probe")
    return [
        Message("system", table_rules(view, lang, schema=schema)),
        Message("user", public_part(view, lang)),
        Message("user", private_part(view, persona, notes, lang) + "\n" + question),
    ]


def probe_schema(size: int, *, lie: bool) -> dict[str, Any]:
    """JSON Schema of the reply. lie: with p_lie."""
    share = {"type": "number", "minimum": 0, "maximum": 1}
    seat = {"type": "integer", "minimum": 1, "maximum": size}
    fields: dict[str, Any] = {"beliefs": {"type": "array", "items": _strict({"seat": seat, "wolf": share})}}
    if lie:
        fields["p_lie"] = share
    fields["vote"] = {"type": ["integer", "null"], "minimum": 0, "maximum": size}
    return _strict(fields)


def _strict(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
