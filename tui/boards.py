"""Rulesets, decks, options, seats and saved games in words, for lists to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from engine.options import choices, known_options
from engine.rules.ruleset import Ruleset, load_ruleset, ruleset_ids
from engine.text import clean
from players.builtin.persona import LEVELS, PERSONAS
from prompts import rulebook, words
from tui.house import Connection, Saved
from tui.strings import Strings

EMPTY = "–"
Choice = tuple[str, str]
"""Words and value."""


def rulesets(strings: Strings) -> list[Choice]:
    """Every named ruleset."""
    return [(board(ruleset, strings), ruleset) for ruleset in ruleset_ids()]


def board(ruleset: str, strings: Strings) -> str:
    """A ruleset's name; of one that this version does not know, its id."""
    if ruleset not in ruleset_ids():
        return clean(ruleset)[:40]
    names = load_ruleset(ruleset).names
    return names.get(strings.lang) or names.get("en") or ruleset


def saved_words(game: Saved, strings: Strings) -> str:
    """A saved game in a line."""
    what = strings("records.row", board=board(game.ruleset, strings), seats=game.seats, days=game.days)
    return f"{what} · {clean(game.created)[:16].replace('T', ' ')}"


def decks(rules: Ruleset, seats: int, strings: Strings) -> list[Choice]:
    """The decks of a ruleset for so many seats, the usual one first, with their cards."""
    found: list[Choice] = []
    for name, table in rules.decks.items():
        if str(seats) in table:
            cards = words.deck_word(table[str(seats)], strings.lang)
            found.append((f"{strings('new.deck.first') if not found else name}: {cards}", name))
    return found


def deck_cards(rules: Ruleset, seats: int, deck: str, strings: Strings) -> list[Choice]:
    """The cards one may wish for."""
    counts = rules.decks.get(deck, {}).get(str(seats), {})
    return [(words.role_word(role, strings.lang), role) for role in counts]


def sitters(connection: Connection, strings: Strings) -> Iterator[Choice]:
    """Who may take a seat, as players.factory spells it."""
    for level in LEVELS:
        yield strings("new.who.builtin", level=strings(f"level.{level}")), f"builtin:{level}"
    if connection.model:
        yield strings("new.who.model", model=clean(connection.model)[:40]), "model"
    for level in LEVELS:
        for persona in PERSONAS:
            manner = strings.get(f"persona.{persona}", persona)
            said = strings("new.who.builtin.persona", level=strings(f"level.{level}"), persona=manner)
            yield said, f"builtin:{persona}:{level}"
    yield strings("new.who.random"), "random"


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One option of the rules at a table. values: what it takes, in order; empty where it is written."""

    id: str
    value: str
    values: tuple[str, ...]
    words: str
    changed: bool


def rule_options(ruleset: str, overrides: dict[str, str], strings: Strings) -> list[RuleOption]:
    """Every option of a ruleset with the value that it has. Raises SetupError."""
    rules = load_ruleset(ruleset)
    now = rulebook.option_values(rules, given(overrides))
    return [
        RuleOption(
            option,
            spelt(value),
            taken(option),
            rulebook.option_sentence(option, value, strings.lang),
            option in overrides,
        )
        for option, value in now.items()
    ]


def taken(option: str) -> tuple[str, ...]:
    """The values of an option that has a few named ones."""
    group, field = known_options()[option]
    kind = group.model_fields[field].annotation
    if kind is bool:
        return ("yes", "no")
    if get_origin(kind) is Literal and len(get_args(kind)) > 1:
        return tuple(map(str, get_args(kind)))
    return ()


def given(overrides: Mapping[str, str]) -> dict[str, Any]:
    """Options as they are spelt, as the rules take them: a list is written with commas."""
    return {option: value.split(",") if _is_list(option) else value for option, value in overrides.items()}


def _is_list(option: str) -> bool:
    group, field = known_options()[option]
    return get_origin(group.model_fields[field].annotation) is tuple


def taken_words(option: str, strings: Strings) -> str:
    """What may be written for an option that has no few named values."""
    group, field = known_options()[option]
    info = group.model_fields[field]
    if _is_list(option):
        default = info.get_default(call_default_factory=True)
        return strings("options.list", names=spelt(default) if default else EMPTY)
    if info.annotation in (int, float):
        bounds = {name: getattr(rule, name) for rule in info.metadata for name in ("ge", "le") if hasattr(rule, name)}
        key = "options.number" if info.annotation is int else "options.share"
        return strings(key, low=bounds.get("ge", 0), high=bounds.get("le", 99))
    return choices(option)


def spelt(value: Any) -> str:
    """A value as the command line spells it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) or EMPTY if isinstance(value, list | tuple) else str(value)
