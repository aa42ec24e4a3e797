"""Setup: everything that is fixed before the first question, and the deal that makes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from random import Random
from typing import Any

import msgspec

from engine.options import OptionSet
from engine.rules.ruleset import SetupError, load_ruleset, roles

MOST_SEATS = 18


class Setup(msgspec.Struct, frozen=True):
    """A game before its first decision.

    seats: the card dealt to each seat, seat 1 first. extra: cards left over (a thief's two). options: overrides by
    option id. draws: forced results of the first random draws, (name, value) in order. clans: `a` or `b` per seat.
    second_cards: Double You's second card per seat. houses: the Village's building (or `vagabond`) per seat.
    attributes: declared facts by seat. new_moon: event cards in the order in which they come.
    """

    ruleset: str
    seats: tuple[str, ...]
    seed: int = 1
    lang: str = "zh"
    options: dict[str, Any] = {}
    extra: tuple[str, ...] = ()
    draws: tuple[tuple[str, Any], ...] = ()
    clans: tuple[str, ...] = ()
    second_cards: tuple[str, ...] = ()
    houses: tuple[str, ...] = ()
    attributes: dict[int, dict[str, Any]] = {}
    new_moon: tuple[str, ...] = ()

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
    chosen = rules.options(options or {})
    counts = rules.deck(seats, deck) if deck is None or isinstance(deck, str) else dict(deck)
    check_deck(counts, seats)
    dealt, extra = shuffled(counts, seats, seed, chosen)
    if wish is not None:
        seat, role = wish
        if not 1 <= seat <= seats:
            raise SetupError(f"there is no seat {seat}; the seats are 1 to {seats}")
        if role not in counts:
            raise SetupError(f"the deck holds no {role}; it holds {', '.join(sorted(counts))}")
        if dealt[seat - 1] != role:
            pile = dealt if role in dealt else extra
            pile[pile.index(role)], dealt[seat - 1] = dealt[seat - 1], role
    rules.check_cards(dealt, extra)
    return Setup(ruleset, tuple(dealt), seed, lang, dict(options or {}), tuple(extra))


def shuffled(counts: Mapping[str, int], seats: int, seed: int, options: OptionSet) -> tuple[list[str], list[str]]:
    """The dealt cards and those left over, among which some cards may not be."""
    rng = Random(f"{seed}:deal")
    cards = sorted(Counter(counts).elements())
    rng.shuffle(cards)
    if len(cards) == seats:
        return cards, []
    kinds = roles()
    extra = [card for card in cards if not kinds[card].must_be_dealt(options)][: len(cards) - seats]
    dealt = list((Counter(cards) - Counter(extra)).elements())
    rng.shuffle(dealt)
    return dealt, extra


def check_deck(counts: Mapping[str, int], seats: int) -> None:
    """Refuse a deck that cannot be dealt. Raises SetupError."""
    cards = roles()
    for role, count in counts.items():
        if role not in cards:
            close = get_close_matches(role, cards, 1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(sorted(cards))}"
            raise SetupError(f"there is no role {role!r}{hint}")
        if cards[role].exactly and count not in (0, cards[role].exactly):
            raise SetupError(f"a deck with {role} holds exactly {cards[role].exactly} of it, not {count}")
        if count and seats < cards[role].fewest_seats:
            raise SetupError(f"{role} needs a table of at least {cards[role].fewest_seats} seats, this one has {seats}")
    if not 3 <= seats <= MOST_SEATS:
        raise SetupError(f"a table has 3 to {MOST_SEATS} seats, not {seats}")
    left = sum(cards[role].brings for role, count in counts.items() if count)
    if sum(counts.values()) != seats + left:
        why = f" ({left} more than the seats)" if left else ""
        raise SetupError(f"{seats} seats take {seats + left} cards{why}; this deck holds {sum(counts.values())}")
    if not any(cards[role].wolf_card for role, count in counts.items() if count):
        raise SetupError("the deck holds no wolf card")
