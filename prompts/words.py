"""Names in people's words: seats, cards, camps, causes, phases, asks and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.asks import Answer, Ask, Question
from engine.events import Event, Phase
from engine.rules.ruleset import load_ruleset, roles
from engine.text import TEXT_LIMIT, clean
from engine.views import View
from prompts.texts import has, listed, raw, text

ANNOUNCED = {
    "election.stand": "election.stand",
    "election.speak": "election.speak",
    "election.withdraw": "election.quit",
    "election.vote": "election.vote",
    "sheriff.side": "side",
    "day.speak": "talk.next",
    "day.plea": "plea.next",
    "day.vote": "vote",
    "dead.last-words": "words",
    "sheriff.heir": "heir",
    "sheriff.break-tie": "break",
    "charmed.gesture": "question",
    "teacher.forbid": "teacher.ask",
    "magistrate.house": "magistrate.ask",
    "vagabond.accept": "lodging.ask",
    "castle.beg": "beg.ask",
    "lord.reprieve": "mercy.ask",
}
"""Kinds of asks that the judge poses aloud, and the line for it; all others are posed in silence."""


def seat_word(seat: int, lang: str) -> str:
    """3号, seat 3; seat 0 is the judge."""
    return text(lang, "names.seat", s=seat) if seat else raw(lang, "names.judge")


def seats_word(seats: Iterable[int], lang: str) -> str:
    """3号、5号; seats 3 and 5; one seat as `seat_word`; "nobody" for none."""
    several = list(seats)
    if not several:
        return raw(lang, "names.nobody")
    if len(several) == 1:
        return seat_word(several[0], lang)
    return text(lang, "names.seats", list=listed(lang, [text(lang, "names.seat-item", s=seat) for seat in several]))


def role_word(role: str, lang: str) -> str:
    """A card's name, from its class or the catalogue; an unknown id as it stands."""
    card = roles().get(role)
    if card is not None and lang in card.names:
        return card.names[lang]
    return _named("role", role, lang)


def camp_word(camp: str, lang: str) -> str:
    """A camp's name."""
    return _named("camp", camp, lang)


def cause_word(cause: str, lang: str) -> str:
    """A cause of elimination."""
    return _named("cause", cause, lang)


def phase_word(name: str, number: int, lang: str) -> str:
    """第2夜, night 2."""
    return text(lang, f"names.phase.{name}", n=number) if has(lang, f"names.phase.{name}") else name


def ruleset_word(ruleset: str, lang: str) -> str:
    """A ruleset's name, as its file gives it. Raises SetupError for one that does not exist."""
    names = load_ruleset(ruleset).names
    return names.get(lang) or names.get("en") or ruleset


def step_word(step: str, lang: str) -> str:
    """Who wakes in a night step."""
    return raw(lang, f"names.step.{step}") if has(lang, f"names.step.{step}") else role_word(step, lang)


def result_word(result: str, lang: str) -> str:
    """A check's result: a named result, or a card."""
    return raw(lang, f"names.result.{result}") if has(lang, f"names.result.{result}") else role_word(result, lang)


def deck_word(deck: Mapping[str, int], lang: str) -> str:
    """A deck: how many of each card."""
    return listed(lang, [text(lang, "rulebook.count", n=n, r=role_word(role, lang)) for role, n in deck.items()])


def house_word(house: str, lang: str) -> str:
    """A house's name, with its number where there are several of a kind; an unknown id as it stands."""
    kind, _, number = house.partition("-")
    if not has(lang, f"houses.{kind}.name"):
        return house
    name = raw(lang, f"houses.{kind}.name")
    return text(lang, "houses.numbered", name=name, n=number) if number else name


def houses_word(houses: Iterable[str], lang: str) -> str:
    """Who lives where, seat 1 first."""
    return listed(lang, [text(lang, "lines.role-row", s=n, r=house_word(one, lang)) for n, one in enumerate(houses, 1)])


def _named(group: str, name: str, lang: str) -> str:
    return raw(lang, f"names.{group}.{name}") if has(lang, f"names.{group}.{name}") else name


# ---------------------------------------------------------------- asks


def ask_title(ask: Ask, view: View, lang: str) -> str:
    """What is asked, in one line; it may name what this seat has just been told, out of its view."""
    kind = ask.kind
    if kind == "witch.antidote" and ask.form == "flag":
        victims = _tonight(view, "witch.victims")
        if victims:
            return text(lang, "asks.witch.antidote.victims", list=seats_word(getattr(victims[-1], "seats", ()), lang))
    if kind == "werewolf.bite" and _tonight(view, "pack.ballot"):
        return raw(lang, "asks.werewolf.bite.again")
    if ask.about and has(lang, f"asks.{kind}.{ask.about}"):
        return raw(lang, f"asks.{kind}.{ask.about}")
    return raw(lang, f"asks.{kind}.title")


def ask_hint(kind: str, lang: str) -> str:
    """A sentence that says what an answer to this kind of ask does."""
    return raw(lang, f"asks.{kind}.hint")


def ask_name(kind: str, lang: str) -> str:
    """The title of a kind of ask, where there is no view to go with it."""
    return raw(lang, f"asks.{kind}.title") if has(lang, f"asks.{kind}.title") else kind


def call(ask: Ask, lang: str) -> str | None:
    """What the judge says aloud when posing an ask; None where the ask must not be heard."""
    line = ANNOUNCED.get(ask.kind)
    return None if line is None else text(lang, f"lines.{line}", s=ask.seat)


def option_words(ask: Ask, option: Answer, lang: str) -> str:
    """One legal answer, for a picker."""
    return answer_by_kind(ask.kind, option, lang)


def answer_words(ask: Ask, answer: Answer, lang: str) -> str:
    """An answer that was given."""
    return answer_by_kind(ask.kind, answer, lang)


def answer_by_kind(kind: str, answer: Answer, lang: str) -> str:
    """An answer in words, from the kind of its ask alone."""
    if answer is None:
        return _answer_name(kind, "pass", lang)
    if answer is True or answer is False:
        return _answer_name(kind, "yes" if answer else "no", lang)
    if isinstance(answer, int):
        return seat_word(answer, lang)
    if isinstance(answer, Question):
        return f"{_bounded(answer.text)} → {seat_word(answer.to, lang)}"
    if isinstance(answer, str):
        return _name_or_text(kind, answer, lang)
    seats = [item for item in answer if isinstance(item, int)]
    return seats_word(seats, lang) if seats else listed(lang, [_name_or_text(kind, str(i), lang) for i in answer])


def _answer_name(kind: str, name: str, lang: str) -> str:
    return raw(lang, f"asks.{kind}.{name}") if has(lang, f"asks.{kind}.{name}") else raw(lang, f"names.{name}")


def _name_or_text(kind: str, name: str, lang: str) -> str:
    if name not in ("title", "hint") and has(lang, f"asks.{kind}.{name}"):
        return raw(lang, f"asks.{kind}.{name}")
    if has(lang, f"events.{name.removeprefix('event.')}.name"):
        return card_word(name, lang)
    if has(lang, f"houses.{name.partition('-')[0]}.name"):
        return house_word(name, lang)
    return role_word(name, lang) if name in roles() else _bounded(name)


def card_word(card: str, lang: str) -> str:
    """An event card's name; an unknown id as it stands."""
    key = f"events.{card.removeprefix('event.')}.name"
    return raw(lang, key) if has(lang, key) else _bounded(card)


def _bounded(words: str) -> str:
    return clean(words[:TEXT_LIMIT])


def _tonight(view: View, kind: str) -> list[Event]:
    """This seat's events of a kind since the last phase began."""
    found: list[Event] = []
    for event in reversed(view.events):
        if isinstance(event, Phase):
            break
        if event.kind == kind:
            found.insert(0, event)
    return found
