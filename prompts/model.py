"""What a model seat is sent, from its view and its ask alone, and the JSON Schema of its reply.

Laid out for prefix caches: the rules of the table (the same for all its seats), then the public record (the same for
all seats, and only ever growing), then what this seat alone knows, then the ask. What players said stands in quotation
marks on one line, with a standing note that quoted words are data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from engine.asks import Ask
from engine.events import Deck, Event, Phase, RoleDealt, Said, Step
from engine.rules.ruleset import frozen, load_ruleset
from engine.text import clean
from engine.views import View
from prompts import rulebook
from prompts.narrate import narrate
from prompts.reply import ask_fields, format_words
from prompts.texts import fill, raw, sentence, template, text
from prompts.words import (
    ask_hint,
    ask_name,
    ask_title,
    deck_word,
    phase_word,
    role_word,
    ruleset_word,
    seats_word,
)

PERSONA_LIMIT = 400  # characters
NOTE_LIMIT = 300  # characters of each earlier note
NOTES = 1  # latest notes that are shown again

PHASES = frozenset({"night", "election", "day"})
"""Phases that a prompt names, in few words; what the judge says at the others tells a model nothing."""
UNTOLD = (Step, Deck)
"""Public events that every game has in the same order, or that stand in the rules: a model need not read them."""
SHOWN_BY_ASKS = frozenset({
    "sheriff", "sheriff.heir", "election.day", "election.when", "election.withdraw", "talk.rounds", "vote.self",
    "vote.abstain", "wolves.pass", "wolves.ballots", "wolves.talk-rounds", "hunter.pass", "hunter.when", "cupid.pass",
    "cupid.self", "guard.self", "guard.pass", "poison.beats-guard", "dead.contact", "deputy.hand",
})  # fmt: skip
"""Options that the prompt's rules leave out: the order of play or the ask itself shows them."""
MOOT: dict[str, dict[str, Any]] = {
    "last-words.poison": {"last-words.night": "no"},
    "last-words.shot": {"last-words.night": "no", "last-words.vote": "no"},
    "last-words.explode": {"wolves.explode": False},
}
"""Options that say nothing where others have these values."""
TOLD_LIMIT = 20_000  # events whose words are kept
Shorten = Callable[[Said, int], str]
"""What is kept of a speech of this day."""
_TOLD: dict[tuple[int, str], tuple[Event, str | None]] = {}
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
    shorten: Shorten | None = None,
    schema: bool = False,
) -> list[Message]:
    """Rules (system), public record (user), private part and ask (user).

    offers: reactions this seat may take instead. persona: how the seat talks, may be empty. notes: the seat's own
    earlier reasoning, oldest first. shorten: what is kept of the speeches before today's, where the model takes no
    longer prompts; everything else in the record stays. schema: the server is sent the reply's schema too, so that its
    fields need not be listed. Raises TextError for an unknown language.
    """
    own = private_part(view, persona, notes, lang)
    return [
        Message("system", table_rules(view, lang, schema=schema)),
        Message("user", public_part(view, lang, shorten)),
        Message("user", own + "\n" + ask_part(view, ask, offers, lang, schema=schema)),
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


def table_rules(view: View, lang: str, *, schema: bool = False) -> str:
    """The rules of this table: the same text for each of its seats, all through the game."""
    deck = tuple(view.deck.items())
    return _table_rules(view.ruleset, frozen(view.options), deck, view.size, lang, schema)


@lru_cache(maxsize=256)
def _table_rules(
    ruleset: str,
    options: tuple[tuple[str, Any], ...],
    deck: tuple[tuple[str, int], ...],
    size: int,
    lang: str,
    schema: bool,
) -> str:
    rules = load_ruleset(ruleset)
    values = rulebook.option_values(rules, dict(options))
    cards = rulebook.in_order(dict(deck))
    joint = raw(lang, "names.joint")
    without = SHOWN_BY_ASKS | {moot for moot, others in MOOT.items() if others.items() <= values.items()}
    groups = (*rulebook.TALK, *rulebook.SHERIFF, *rulebook.DEATHS, *rulebook.VARIANTS)
    first = rulebook.night_order(rules, "setup", cards, lang, dict(options))
    return _template(
        lang,
        "system",
        ruleset=ruleset_word(ruleset, lang),
        n=size,
        deck=deck_word(dict(deck), lang),
        roles="\n".join(_role_line(card, values, lang) for card in cards),
        order=text(lang, "model.setup", order=first) if first else "",
        night=rulebook.night_order(rules, "night", cards, lang, dict(options)),
        day=rulebook.day_order(values, lang),
        rules="\n".join(
            (joint.join(rulebook.sentences(values, groups, lang, without)), *rulebook.houses(values, lang))
        ),
        win=joint.join(rulebook.winning(values, cards, lang, brief_only=True)),
        language=raw(lang, "names.language"),
        format=format_words(dict(deck), lang, listed=not schema),
        open=_MARKS[lang][0],
        close=_MARKS[lang][1],
    )


def _role_line(card: str, values: Mapping[str, Any], lang: str) -> str:
    detail = rulebook.role_details(card, values, lang, SHOWN_BY_ASKS)
    tip = rulebook.own_advice(card, lang)
    more = [detail, text(lang, "model.tip", text=first_sentence(tip)) if tip else ""]
    rest = "".join(raw(lang, "names.joint") + words for words in more if words)
    return text(lang, "model.role-line", r=role_word(card, lang), brief=rulebook.brief(card, lang), detail=rest)


def public_part(view: View, lang: str, shorten: Shorten | None = None) -> str:
    """The public record as numbered lines; more events only add lines at its end."""
    return _template(lang, "record", lines="\n".join(public_lines(view, lang, shorten)))


def public_lines(view: View, lang: str, shorten: Shorten | None = None) -> list[str]:
    """One numbered line for each public event that has something to tell."""
    private = {id(event) for event in view.private}
    lines: list[str] = []
    for event, at in zip(view.events, view.at, strict=True):
        if id(event) in private or isinstance(event, UNTOLD):
            continue
        if shorten is not None and isinstance(event, Said) and at[1] < view.day:
            event = msgspec.structs.replace(event, text=shorten(event, at[1]))
        line = _told(event, lang)
        if line is not None:
            lines.append(text(lang, "model.record-line", n=len(lines) + 1, text=line))
    return lines


def _told(event: Event, lang: str) -> str | None:
    """The event in words. Seats of a table share their events, so each is put into words once and not at every ask."""
    if isinstance(event, Phase):
        return sentence(lang, phase_word(event.name, event.number, lang) + ".") if event.name in PHASES else None
    found = _TOLD.get((id(event), lang))
    if found is not None and found[0] is event:
        return found[1]
    if len(_TOLD) >= TOLD_LIMIT:
        _TOLD.clear()
    line = narrate(event, lang, quoter(lang))
    _TOLD[id(event), lang] = (event, line)  # holds the event, so that its id is no other's
    return line


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
    """What only this seat knows: its card, what it was told, a line for each night or day, and what it thought. All
    this is sent again with every ask and no provider's cache has it, so nothing stands in it twice."""
    private = {id(event) for event in view.private}
    told: dict[tuple[str, int], list[str]] = {}
    for event, at in zip(view.events, view.at, strict=True):
        if id(event) not in private or (isinstance(event, RoleDealt) and event.seat == view.seat):
            continue  # the first line says which card was dealt
        if (line := _told(event, lang)) is not None:
            told.setdefault(at, []).append(line)
    joint = raw(lang, "names.joint")
    own = [
        text(lang, "model.private-line", when=phase_word(*at, lang), text=joint.join(lines))
        for at, lines in told.items()
    ]
    thoughts = [clean(note[:NOTE_LIMIT]) for note in notes if note.strip()][-NOTES:]
    character = clean(persona[:PERSONA_LIMIT])
    lines = [
        text(lang, "model.persona", text=character) if character else "",
        *own,
        *(text(lang, "model.note", text=note) for note in thoughts),
    ]
    return _template(
        lang,
        "private",
        s=view.seat,
        r=role_word(view.role, lang) if view.role else raw(lang, "model.unknown"),
        lines="".join("\n" + line for line in lines if line),
    )


def first_sentence(words: str) -> str:
    """Up to the first full stop."""
    found = re.match(r".*?(?:[。！]|[.!](?= |$))", words)
    return found[0] if found else words


def ask_part(view: View, ask: Ask, offers: Sequence[Ask], lang: str, *, schema: bool = False) -> str:
    """Where the game stands, what is asked, and the reply's fields with the legal answers.

    schema: the server is sent them as a schema, so only the legal answers stand here.
    """
    offered = [
        text(lang, "model.offer", name=ask_name(offer.kind, lang), hint=ask_hint(offer.kind, lang), kind=offer.kind)
        for offer in offers
    ]
    listed = ask.form not in ("seat", "seats")
    return _template(
        lang,
        "ask",
        out=text(lang, "model.out", list=seats_word(view.out, lang)) if listed and view.out else "",
        sheriff=text(lang, "model.sheriff", s=view.sheriff) if view.sheriff else "",
        title=ask_title(ask, view, lang),
        offers="".join(offered),
        fields=fields_part(view, ask, offers, lang, schema=schema),
    ).rstrip()


def fields_part(view: View, ask: Ask, offers: Sequence[Ask], lang: str, *, schema: bool = False) -> str:
    """The reply's fields with the legal answers. schema: only the legal answers."""
    fields = ask_fields(view, ask, offers, lang, choices_only=schema)
    return ". ".join(fields) if schema else text(lang, "model.reply", fields="{" + ", ".join(fields) + "}")


def _template(lang: str, name: str, **values: object) -> str:
    return fill(template(lang, name), values, f"the {lang} template {name}")
