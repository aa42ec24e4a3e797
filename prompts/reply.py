"""The reply of a model seat: its fields in words, and its JSON Schema.

Fields of a reply (players/ reads them):

- reasoning: private text, kept in the record, never shown to other seats.
- beliefs: list of {seat, wolf}: the probability in 0..1 that the seat is a wolf.
- reaction (only where reactions are offered): the kind of the offered reaction to take instead, or "none".
- choice (all asks but talk): a seat, a name, 1 or 0 for yes or no, a list, or null to pass; for a list an empty list
  is a pass.
- speech (talk): what is said; an empty string is silence. question_to (only where the ask allows a question): a seat
  that shall answer by gesture, or null.
- claims (public talk): statements made in the speech: act, subject, target, about, value, negated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.asks import Ask
from engine.bits import mask_of
from engine.text import TEXT_LIMIT
from engine.views import View
from prompts import texts
from prompts.texts import raw, text
from prompts.words import camp_word, option_words, role_word

SPEECH_LIMIT = 500  # characters that a model is asked to keep to; the engine takes TEXT_LIMIT
REASONING_LIMIT = 800  # characters

ACTS = (
    "claim-role", "claim-result", "accuse", "vouch", "estimate", "vote-call", "plan", "ask", "agree", "disagree",
    "defend", "cite",
)  # fmt: skip
"""Kinds of claims."""
RESULTS = ("good", "bad", "saved", "poisoned", "guarded")
PUBLIC_TALK = frozenset({"day.speak", "day.plea", "day.interject", "election.speak", "dead.last-words"})
"""Asks in whose reply claims are wanted."""


def format_words(deck: Mapping[str, int], lang: str, *, listed: bool) -> str:
    """How all replies look: the same for every ask of a table, so it stands in the shared prefix.

    listed: with the words that a claim takes, for servers that are not sent a schema.
    """
    told = text(lang, "model.format", reasoning=REASONING_LIMIT, speech=SPEECH_LIMIT)
    if not listed:
        return told
    values = raw(lang, "model.or").join(_value_word(value, lang) for value in _values(deck))
    return told + text(lang, "model.format-lists", acts=" | ".join(ACTS), values=values)


def ask_fields(view: View, ask: Ask, offers: Sequence[Ask], lang: str, *, choices_only: bool = False) -> list[str]:
    """The reply's fields in the order of the schema, with the legal answers. choices_only: no others."""
    free = not choices_only
    fields = ['"reasoning"', '"beliefs"'] if free else []
    if offers:
        kinds = ["none", *(offer.kind for offer in offers)]
        fields.append(text(lang, "model.field.reaction", list=" | ".join(f'"{kind}"' for kind in kinds)))
    if ask.form != "text":
        return [*fields, _choice(ask, lang)]
    if free:
        fields.append('"speech"')
    if ask.seats:
        fields.append(text(lang, "model.field.question-to", list=", ".join(map(str, ask.targets))))
    return [*fields, '"claims"'] if free and ask.kind in PUBLIC_TALK else fields


def _values(deck: Mapping[str, int]) -> tuple[str, ...]:
    """What a claim may state: a card of the deck, a result, a camp."""
    return (*deck, *RESULTS, "village", "wolves")


def _value_word(value: str, lang: str) -> str:
    """The value, with its word where that is another one."""
    if value in ("village", "wolves"):
        word = camp_word(value, lang)
    else:
        word = raw(lang, f"model.value.{value}") if value in RESULTS else role_word(value, lang)
    return value if lang == "en" else f"{value}={word}"


def _choice(ask: Ask, lang: str) -> str:
    """The legal answers of an ask that is no talk."""
    passing = {"pass": option_words(ask, None, lang)}
    if ask.form == "flag":
        words = {"yes": option_words(ask, True, lang), "no": option_words(ask, False, lang)}
        return text(lang, "model.field.flag", **words)
    named = [text(lang, "model.field.named", name=n, words=option_words(ask, n, lang)) for n in ask.choices]
    if ask.form in ("seats", "names"):
        many = str(ask.least) if ask.least == ask.most else f"{ask.least}-{ask.most}"
        pool = texts.listed(lang, map(str, ask.targets)) if ask.form == "seats" else texts.listed(lang, named)
        told = text(lang, f"model.field.{ask.form}", n=many, list=pool)
        return told + (text(lang, "model.field.null-list", **passing) if ask.can_pass else "")
    legal = [*map(str, ask.targets), *named]
    legal += [text(lang, "model.field.null", **passing)] if ask.can_pass else []
    return text(lang, "model.field.seat", list=raw(lang, "names.list-separator").join(legal))


def reply_schema(view: View, ask: Ask, offers: Sequence[Ask] = (), *, exact: bool = False) -> dict[str, Any]:
    """JSON Schema of the reply (see the module's text for the fields), strict: all required, nothing else allowed.

    A seat may be any of the table, and yes and no are 1 and 0, so that talk has one schema and nearly all other asks
    have another all through a game, and a provider's cache of schemas and prompts survives; the ask's own check holds.
    Only with other offers does it differ. exact: the ask's mask instead, for servers where a schema is a grammar and no
    part of the prompt.
    """
    size = view.size
    belief = _strict({"seat": _seat(size), "wolf": _number(0, 1)})
    fields: dict[str, Any] = {
        "reasoning": {"type": "string", "maxLength": REASONING_LIMIT},
        "beliefs": {"type": "array", "items": belief},
    }
    if offers:
        fields["reaction"] = {"type": "string", "enum": ["none", *(offer.kind for offer in offers)]}
    if ask.form != "text":
        fields["choice"] = _exact(ask) if exact else _choice_schema(ask, size)
        return _strict(fields)
    fields["speech"] = {"type": "string", "maxLength": min(2 * SPEECH_LIMIT, TEXT_LIMIT)}
    if ask.seats:
        fields["question_to"] = _seat(size, null=True)
    if ask.kind in PUBLIC_TALK:
        fields["claims"] = {"type": "array", "items": _claim(size, view.deck)}
    return _strict(fields)


def _seat(size: int, *, null: bool = False) -> dict[str, Any]:
    return {"type": ["integer", "null"] if null else "integer", "minimum": 1, "maximum": size}


def _choice_schema(ask: Ask, size: int) -> dict[str, Any]:
    """Any seat of the table, or the ask's names, which are the same in every ask of the kind."""
    if ask.form == "seats":
        return {"type": "array", "items": _seat(size)}
    if ask.form == "flag" or (ask.form == "seat" and not ask.choices):
        return {"type": ["integer", "null"], "minimum": 0, "maximum": size}  # one schema for all of them
    return _typed(ask.schema(mask_of([*range(1, size + 1)])))


def _exact(ask: Ask) -> dict[str, Any]:
    return _typed(ask.schema())


def _claim(size: int, deck: Mapping[str, int]) -> dict[str, Any]:
    return _strict({
        "act": {"type": "string", "enum": list(ACTS)},
        "subject": _seat(size),
        "target": _seat(size, null=True),
        "about": {"type": ["integer", "null"]},
        "value": _typed({"enum": [*_values(deck), None]}),
        "negated": {"type": "boolean"},
    })  # fmt: skip


def _strict(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _number(least: int, most: int) -> dict[str, Any]:
    return {"type": "number", "minimum": least, "maximum": most}


def _typed(schema: dict[str, Any]) -> dict[str, Any]:
    """An enum with the type that strict servers want; list bounds, which some refuse, are left to the ask's check."""
    if schema.get("type") == "array":
        return {"type": "array", "items": _typed(schema["items"])}
    if "enum" not in schema:
        return schema
    names = {int: "integer", str: "string", type(None): "null"}
    types = list(dict.fromkeys(names[type(value)] for value in schema["enum"]))
    return {"type": types[0] if len(types) == 1 else types, "enum": schema["enum"]}
