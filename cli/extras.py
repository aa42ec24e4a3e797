"""What a person may fix of a table beside cards and rules: facts about the seats, and the order of the event cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cli.errors import Problem

WORDS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class Extras:
    """attributes: declared facts by seat. events: event cards in the order in which they come."""

    attributes: dict[int, dict[str, Any]] = field(default_factory=dict)
    events: tuple[str, ...] = ()


NO_EXTRAS = Extras()


def read_extras(attributes: Iterable[str] | None, events: str | None) -> Extras:
    """From SEAT:KEY=VALUE and a list of cards, with or without `event.` before them. Raises Problem."""
    found: dict[int, dict[str, Any]] = {}
    for given in attributes or ():
        seat, _, fact = given.partition(":")
        key, sign, value = fact.partition("=")
        if not (seat.isascii() and seat.isdigit() and len(seat) < 4 and key and sign):
            raise Problem(
                f"--attribute takes SEAT:KEY=VALUE, for example 3:glasses=yes, not {given!r}",
                f"--attribute 的写法是 座位:项目=值，例如 3:glasses=yes，不是 {given!r}",
            )
        number = value.isascii() and value.isdigit() and len(value) < 4
        found.setdefault(int(seat), {})[key] = int(value) if number else WORDS.get(value, value)
    cards = [card.strip() for card in (events or "").split(",") if card.strip()]
    return Extras(found, tuple(card if card.startswith("event.") else f"event.{card}" for card in cards))
