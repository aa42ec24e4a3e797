"""What a model seat is sent, from its view and its ask alone, and the JSON Schema of its reply.

Laid out for prefix caches: the rules of the table (the same for all its seats), then the public record (the same for
all seats, and only ever growing), then what this seat alone knows, then the ask. What players said stands in quotation
marks on one line, with a standing note that quoted words are data.

Fields of a reply (players/ reads them):

- reasoning: private text, kept in the record, never shown to other seats.
- beliefs: list of {seat, wolf}: the probability in 0..1 that the seat is a wolf.
- reaction (only where reactions are offered): the kind of the offered reaction to take instead, or "none".
- choice (all asks but talk): a seat, a name, true/false, a list, or null to pass, as `Ask.check` takes it; for a list
  an empty list is a pass.
- speech (talk): what is said; an empty string is silence. question_to (only where the ask allows a question): a seat
  that shall answer by gesture, or null.
- claims (public talk): statements made in the speech: act, subject, target, about, value, negated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.asks import Ask
from engine.bits import mask_of
from engine.events import Event, Said, Step
from engine.rules.ruleset import load_ruleset
from engine.text import TEXT_LIMIT, clean
from engine.views import View
from prompts import rulebook
from prompts.narrate import narrate
from prompts.texts import fill, listed, raw, template, text
from prompts.words import (
    ask_hint,
    ask_name,
    ask_title,
    camp_word,
    deck_word,
    option_words,
    phase_word,
    role_word,
    ruleset_word,
    seat_word,
    seats_word,
)

SPEECH_LIMIT = 500  # characters that a model is asked to keep to; the engine takes TEXT_LIMIT
REASONING_LIMIT = 800  # characters
PERSONA_LIMIT = 400  # characters
NOTE_LIMIT = 300  # characters of each earlier note
NOTES = 8  # latest notes that are shown again

ACTS = (
    "claim-role", "claim-result", "accuse", "vouch", "estimate", "vote-call", "plan", "ask", "agree", "disagree",
    "defend", "cite",
)  # fmt: skip
"""Kinds of claims."""
RESULTS = ("good", "bad", "saved", "poisoned", "guarded")
PUBLIC_TALK = frozenset({"day.speak", "day.plea", "day.interject", "election.speak", "dead.last-words"})
"""Asks in whose reply claims are wanted."""
UNTOLD = (Step,)
"""Public events that every game has in the same order, and that a model need not read."""
SHOWN_BY_ASKS = frozenset({
    "sheriff", "sheriff.heir", "election.day", "election.when", "election.withdraw", "talk.rounds", "vote.self",
    "vote.abstain", "wolves.pass", "wolves.ballots", "wolves.talk-rounds", "hunter.pass", "hunter.when", "cupid.pass",
    "cupid.self", "guard.self", "guard.pass", "poison.beats-guard", "dead.contact",
})  # fmt: skip
"""Options that the prompt's rules leave out: the order of play or the ask itself shows them."""
_MARKS = {"zh": ("「", "」", "『", "』"), "ja": ("「", "」", "『", "』"), "en": ("“", "”", "‘", "’")}


class Message(msgspec.Struct, frozen=True):
    """One chat message. role: system or user."""

    role: str
    content: str


def messages(
    view: View,
    ask: Ask,
    offers: Sequence[Ask],
    persona: str,
    lang: str,
    notes: Sequence[str] = (),
    *,
    speech_limit: int | None = None,
) -> list[Message]:
    """Rules (system), public record (user), private part and ask (user).

    offers: reactions this seat may take instead. persona: how the seat talks, may be empty. notes: the seat's own
    earlier reasoning, oldest first. speech_limit: characters kept of the speeches before today's, where the model takes
    no longer prompts; everything else in the record stays. Raises TextError for an unknown language.
    """
    return [
        Message("system", table_rules(view, lang)),
        Message("user", public_part(view, lang, speech_limit)),
        Message("user", private_part(view, persona, notes, lang) + "\n\n" + ask_part(view, ask, offers, lang)),
    ]


def merged(several: Iterable[Message]) -> list[Message]:
    """Neighbouring messages of one role as one, for servers whose chat template wants roles to alternate."""
    joined: list[Message] = []
    for message in several:
        if joined and joined[-1].role == message.role:
            joined[-1] = Message(message.role, joined[-1].content + "\n\n" + message.content)
        else:
            joined.append(message)
    return joined


# ---------------------------------------------------------------- the shared parts


def table_rules(view: View, lang: str) -> str:
    """The rules of this table: the same text for each of its seats, all through the game."""
    rules = load_ruleset(view.ruleset)
    values = rulebook.option_values(rules, view.options)
    cards = rulebook.in_order(view.deck)
    joint = raw(lang, "names.joint")
    groups = (*rulebook.TALK, *rulebook.SHERIFF, *rulebook.DEATHS)
    first = rulebook.night_order(rules, "setup", cards, lang)
    return _template(
        lang,
        "system",
        ruleset=ruleset_word(view.ruleset, lang),
        n=view.size,
        deck=deck_word(view.deck, lang),
        roles="\n".join(_role_line(card, values, lang) for card in cards),
        order=text(lang, "model.setup", order=first) if first else "",
        night=rulebook.night_order(rules, "night", cards, lang),
        day=rulebook.day_order(values, lang),
        rules=joint.join(rulebook.sentences(values, groups, lang, SHOWN_BY_ASKS)),
        win=joint.join(rulebook.winning(values, cards, lang, brief_only=True)),
        language=raw(lang, "names.language"),
        open=_MARKS[lang][0],
        close=_MARKS[lang][1],
    )


def _role_line(card: str, values: Mapping[str, Any], lang: str) -> str:
    detail = rulebook.role_details(card, values, lang, SHOWN_BY_ASKS)
    words = {"r": role_word(card, lang), "brief": rulebook.brief(card, lang)}
    return text(lang, "model.role-line", **words, detail=raw(lang, "names.joint") + detail if detail else "")


def public_part(view: View, lang: str, speech_limit: int | None = None) -> str:
    """The public record as numbered lines; more events only add lines at its end."""
    return _template(lang, "record", lines="\n".join(public_lines(view, lang, speech_limit)))


def public_lines(view: View, lang: str, speech_limit: int | None = None) -> list[str]:
    """One numbered line for each public event that has something to tell."""
    private = {id(event) for event in view.private}
    lines: list[str] = []
    for event, at in zip(view.events, view.at, strict=True):
        if id(event) in private or isinstance(event, UNTOLD):
            continue
        if speech_limit is not None and isinstance(event, Said) and len(event.text) > speech_limit and at[1] < view.day:
            event = msgspec.structs.replace(event, text=event.text[:speech_limit] + "…")
        line = narrate(event, lang, quoter(lang))
        if line is not None:
            lines.append(text(lang, "model.record-line", n=len(lines) + 1, text=line))
    return lines


def quoter(lang: str) -> Any:
    """A function that sets words off in quotation marks which they cannot close."""
    opening, closing, inner_opening, inner_closing = _MARKS[lang]

    def quote(words: str) -> str:
        inside = words.replace(opening, inner_opening).replace(closing, inner_closing)
        if lang == "en":
            inside = inside.replace('"', "'")
        return opening + inside + closing

    return quote


# ---------------------------------------------------------------- the seat's own parts


def private_part(view: View, persona: str, notes: Sequence[str], lang: str) -> str:
    """What only this seat knows: its card, what it was told, what it thought."""
    private = {id(event) for event in view.private}
    told = [(event, at) for event, at in zip(view.events, view.at, strict=True) if id(event) in private]
    own = [line for event, at in told if (line := _private_line(event, at, lang)) is not None]
    thoughts = [clean(note[:NOTE_LIMIT]) for note in notes if note.strip()][-NOTES:]
    nothing = raw(lang, "model.nothing")
    character = clean(persona[:PERSONA_LIMIT])
    return _template(
        lang,
        "private",
        s=view.seat,
        r=role_word(view.role, lang) if view.role else raw(lang, "model.unknown"),
        persona=text(lang, "model.persona", text=character) if character else "",
        play=rulebook.advice(view.role, lang) if view.role else nothing,
        lines="\n".join(own) or nothing,
        notes="\n".join(f"- {note}" for note in thoughts) or nothing,
    )


def _private_line(event: Event, at: tuple[str, int], lang: str) -> str | None:
    line = narrate(event, lang, quoter(lang))
    return None if line is None else text(lang, "model.private-line", when=phase_word(*at, lang), text=line)


def ask_part(view: View, ask: Ask, offers: Sequence[Ask], lang: str) -> str:
    """Where the game stands, what is asked, the legal answers and the format of the reply."""
    gone = [text(lang, "model.out", s=o.seat, when=phase_word(o.phase, o.day, lang)) for o in view.out.values()]
    offered = [
        text(lang, "model.offer", name=ask_name(offer.kind, lang), hint=ask_hint(offer.kind, lang), kind=offer.kind)
        for offer in offers
    ]
    return _template(
        lang,
        "ask",
        phase=phase_word(view.phase, view.day, lang),
        alive=seats_word(view.alive, lang),
        out=listed(lang, gone),
        sheriff=seat_word(view.sheriff, lang) if view.sheriff else raw(lang, "names.none"),
        title=ask_title(ask, view, lang),
        hint=ask_hint(ask.kind, lang),
        offers="".join(offered),
        fields="{\n" + ",\n".join(_fields(view, ask, offers, lang)) + "\n}",
    )


def _fields(view: View, ask: Ask, offers: Sequence[Ask], lang: str) -> list[str]:
    """The lines of the reply format, in the order of the schema."""
    lines = [text(lang, "model.field.reasoning", n=REASONING_LIMIT), raw(lang, "model.field.beliefs")]
    if offers:
        kinds = ["none", *(offer.kind for offer in offers)]
        lines.append(text(lang, "model.field.reaction", list=" | ".join(f'"{kind}"' for kind in kinds)))
    if ask.form != "text":
        return [*lines, _choice(ask, lang)]
    lines.append(text(lang, "model.field.speech", n=SPEECH_LIMIT, **{"pass": option_words(ask, None, lang)}))
    if ask.seats:
        lines.append(text(lang, "model.field.question-to", list=" | ".join(map(str, ask.targets))))
    if ask.kind in PUBLIC_TALK:
        values = " | ".join(f"{value}={_value_word(value, lang)}" for value in _values(view.deck))
        lines.append(text(lang, "model.field.claims", list=" | ".join(ACTS), values=values))
    return lines


def _values(deck: Mapping[str, int]) -> tuple[str, ...]:
    """What a claim may state: a card of the deck, a result, a camp."""
    return (*deck, *RESULTS, "village", "wolves")


def _value_word(value: str, lang: str) -> str:
    if value in ("village", "wolves"):
        return camp_word(value, lang)
    return raw(lang, f"model.value.{value}") if value in RESULTS else role_word(value, lang)


def _choice(ask: Ask, lang: str) -> str:
    """The legal answers of an ask that is no talk."""
    passing = {"pass": option_words(ask, None, lang)}
    if ask.form == "flag":
        words = {"yes": option_words(ask, True, lang), "no": option_words(ask, False, lang)}
        return text(lang, "model.field.flag", **words)
    named = [text(lang, "model.field.named", name=n, words=option_words(ask, n, lang)) for n in ask.choices]
    if ask.form in ("seats", "names"):
        many = str(ask.least) if ask.least == ask.most else f"{ask.least}-{ask.most}"
        pool = listed(lang, map(str, ask.targets)) if ask.form == "seats" else listed(lang, named)
        told = text(lang, f"model.field.{ask.form}", n=many, list=pool)
        return told + (text(lang, "model.field.null-list", **passing) if ask.can_pass else "")
    legal = [*map(str, ask.targets), *named]
    legal += [text(lang, "model.field.null", **passing)] if ask.can_pass else []
    return text(lang, "model.field.seat", list=" | ".join(legal))


def _template(lang: str, name: str, **values: object) -> str:
    return fill(template(lang, name), values, f"the {lang} template {name}")


# ---------------------------------------------------------------- the reply's schema


def reply_schema(view: View, ask: Ask, offers: Sequence[Ask] = ()) -> dict[str, Any]:
    """JSON Schema of the reply (see the module's text for the fields), strict: all required, nothing else allowed.

    Seats are enums over the whole table, so that the schema of a kind of ask stays the same for a game and a provider's
    cache of schemas and prompts survives; the ask's own check still holds. Only with other offers does it differ.
    """
    everyone = list(range(1, view.size + 1))
    belief = _strict({"seat": {"type": "integer", "enum": everyone}, "wolf": _number(0, 1)})
    fields: dict[str, Any] = {
        "reasoning": {"type": "string", "maxLength": REASONING_LIMIT},
        "beliefs": {"type": "array", "items": belief},
    }
    if offers:
        fields["reaction"] = {"type": "string", "enum": ["none", *(offer.kind for offer in offers)]}
    if ask.form != "text":
        fields["choice"] = _typed(ask.schema(mask_of(everyone)))
        return _strict(fields)
    fields["speech"] = {"type": "string", "maxLength": min(2 * SPEECH_LIMIT, TEXT_LIMIT)}
    if ask.seats:
        fields["question_to"] = _typed({"enum": [*everyone, None]})
    if ask.kind in PUBLIC_TALK:
        fields["claims"] = {"type": "array", "items": _claim(everyone, view.deck)}
    return _strict(fields)


def _claim(everyone: list[int], deck: Mapping[str, int]) -> dict[str, Any]:
    return _strict({
        "act": {"type": "string", "enum": list(ACTS)},
        "subject": {"type": "integer", "enum": everyone},
        "target": _typed({"enum": [*everyone, None]}),
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
