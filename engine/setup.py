"""Setup: everything that is fixed before the first question, and the deal that makes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from engine.rules.ruleset import SetupError, load_ruleset


class Setup(msgspec.Struct, frozen=True):
    """A game before its first decision.

    seats: the card dealt to each seat, seat 1 first. extra: cards left over (a thief's two). options: overrides by
    option id. draws: forced results of the first random draws, (name, value) in order.
    """

    ruleset: str
    seats: tuple[str, ...]
    seed: int = 1
    lang: str = "zh"
    options: dict[str, Any] = {}
    extra: tuple[str, ...] = ()
    draws: tuple[tuple[str, Any], ...] = ()

    @property
    def size(self) -> int:
        """The number of seats."""
        return len(self.seats)

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards of the deck, sorted."""
        return tuple(sorted(self.seats + self.extra))

    @property
    def deck(self) -> dict[str, int]:
        """The published deck: counts of the dealt and the left-over cards, in a fixed order."""
        return dict(sorted(Counter(self.seats + self.extra).items()))


def deal(
    ruleset: str,
    seats: int,
    *,
    deck: str | Mapping[str, int] | None = None,
    seed: int = 1,
    lang: str = "zh",
    options: Mapping[str, Any] | None = None,
    wish: tuple[int, str] | None = None,
) -> Setup:
    """A seeded deal.

    deck: a deck table's name, or counts by role. wish: (seat, role) that must be dealt so. Raises SetupError.
    """
    rules = load_ruleset(ruleset)
    rules.options(options or {})
    counts = rules.deck(seats, deck) if deck is None or isinstance(deck, str) else dict(deck)
    cards = sorted(Counter(counts).elements())
    Random(f"{seed}:deal").shuffle(cards)
    dealt, extra = cards[:seats], cards[seats:]
    if wish is not None:
        seat, role = wish
        if role not in counts:
            raise SetupError(f"the deck holds no {role}; it holds {', '.join(sorted(counts))}")
        if dealt[seat - 1] != role:
            at = cards.index(role)
            if at < seats:
                dealt[at], dealt[seat - 1] = dealt[seat - 1], role
            else:
                extra[at - seats], dealt[seat - 1] = dealt[seat - 1], role
    rules.check_cards(dealt, extra)
    return Setup(ruleset, tuple(dealt), seed, lang, dict(options or {}), tuple(extra))
