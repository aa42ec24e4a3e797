"""What a model is sent that serves the judge: the clerk, the rules desk, the narrator, and rulings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.asks import Ask
from engine.text import clean
from engine.views import View
from prompts.model import public_lines, quoter
from prompts.texts import fill, raw, template
from prompts.words import ask_title

TYPED_LIMIT = 400  # characters of what a person typed
LINES = 40  # latest lines of the public record for a ruling


def clerk_prompt(ask: Ask, view: View, options: Sequence[str], typed: str, lang: str) -> list[dict[str, str]]:
    """The clerk's question about one typed answer. options: the legal answers in words."""
    listed = "; ".join(f"{number}: {words}" for number, words in enumerate(options, 1))
    return _user(lang, "clerk", title=ask_title(ask, view, lang), options=listed, **_quoted(lang, typed=typed))


def desk_prompt(passages: Sequence[str], question: str, lang: str) -> list[dict[str, str]]:
    """The rules desk's question."""
    listed = "\n".join(f"{number}. {passage}" for number, passage in enumerate(passages, 1))
    words = {"passages": listed, "language": raw(lang, "names.language")}
    return _user(lang, "desk", **words, **_quoted(lang, question=question))


def narrator_prompt(line: str, lang: str) -> list[dict[str, str]]:
    """The narrator's line to be put in other words."""
    return _user(lang, "narrator", line=line, language=raw(lang, "names.language"))


def ruling_prompt(ask: Ask, view: View, options: Sequence[str], lang: str) -> list[dict[str, str]]:
    """A question that the rules leave to the judge; view: the public's."""
    listed = "; ".join(f"{number}: {words}" for number, words in enumerate(options, 1))
    lines = "\n".join(public_lines(view, lang)[-LINES:])
    quoted = _quoted(lang, about=ask.about)
    about = f"{quoted['open']}{quoted['about']}{quoted['close']}" if ask.about else ""
    words = {"title": ask_title(ask, view, lang), "lines": lines, "options": listed}
    return _user(lang, "ruling", **{**quoted, "about": about}, **words)


def number_schema(field: str, most: int, text: str = "") -> dict[str, Any]:
    """JSON Schema of a reply with a number from 0 to `most`, and a text field if one is named."""
    fields: dict[str, Any] = {field: {"type": "integer", "minimum": 0, "maximum": most}}
    if text:
        fields[text] = {"type": "string", "maxLength": 600}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _quoted(lang: str, **words: str) -> dict[str, str]:
    """Words of people, on one bounded line, that cannot close their quotation marks; and the marks."""
    opening, closing = quoter(lang)("")[0], quoter(lang)("")[-1]
    inside = {name: quoter(lang)(clean(value[:TYPED_LIMIT]))[1:-1] for name, value in words.items()}
    return {**inside, "open": opening, "close": closing}


def _user(lang: str, name: str, **values: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": fill(template(lang, name), values, f"the {lang} template {name}")}]
