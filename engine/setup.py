"""Setup: everything that is fixed before the first question, and the deal that makes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from random import Random
from typing import Any

import msgspec

from engine.options import OptionSet
from engine.rule import RULES, Role, Rule
from engine.rules.ruleset import Ruleset, SetupError, frozen, load_ruleset, roles

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
    def plain(self) -> bool:
        """Whether nothing but cards is dealt: no houses, second cards, attributes or order of event cards."""
        return not (self.houses or self.second_cards or self.attributes or self.new_moon)

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards of the deck, sorted."""
        return tuple(sorted(self.seats + self.extra + self.second_cards))

    @property
    def deck(self) -> dict[str, int]:
        """The published deck: counts of the dealt and the left-over cards, in a fixed order."""
        return dict(sorted(Counter(self.cards).items()))


class Piles(msgspec.Struct, frozen=True):
    """Cards to be dealt, as counts by role.

    deck: all that is dealt or left over. left: how many are left over. hands: how many of the deck each seat gets.
    second: another deck, of which each seat gets one card.
    """

    deck: dict[str, int]
    left: int = 0
    hands: int = 1
    second: dict[str, int] = {}

    @property
    def counts(self) -> dict[str, int]:
        """Both decks together."""
        return dict(Counter(self.deck) + Counter(self.second))


def deal(
    ruleset: str,
    seats: int,
    *,
    deck: str | Mapping[str, int] | None = None,
    seed: int = 1,
    lang: str = "zh",
    options: Mapping[str, Any] | None = None,
    wish: tuple[int, str] | None = None,
    attributes: Mapping[int, Mapping[str, Any]] | None = None,
    new_moon: tuple[str, ...] = (),
) -> Setup:
    """A seeded deal.

    deck: a deck table's name, or counts by role. wish: (seat, role) that must be dealt so. attributes, new_moon: as in
    Setup. Raises SetupError.
    """
    rules = load_ruleset(ruleset)
    chosen = rules.options(options or {})
    piles = made_up(rules, seats, deck, chosen)
    check_deck(piles, seats)
    dealt, extra = shuffled(piles.deck, seats * piles.hands, Random(f"{seed}:deal"), chosen)
    second: list[str] = []
    if piles.second:
        second, _ = shuffled(piles.second, seats, Random(f"{seed}:deal:second"), chosen)
    if piles.hands > 1:
        dealt, second = dealt[:seats], dealt[seats:]
    if wish is not None:
        grant(wish, dealt, extra, second, apart=piles.hands == 1)
    rules.check_cards(dealt, extra)
    setup = Setup(
        ruleset, tuple(dealt), seed, lang, dict(options or {}), tuple(extra), second_cards=tuple(second),
        attributes={seat: dict(facts) for seat, facts in (attributes or {}).items()}, new_moon=new_moon,
    )  # fmt: skip
    check_setup(setup, chosen)
    return setup


def made_up(rules: Ruleset, seats: int, deck: str | Mapping[str, int] | None, options: OptionSet) -> Piles:
    """The cards of a table: the ruleset's or the named deck, as the rules in play change it. Raises SetupError."""
    missing: SetupError | None = None
    counts: dict[str, int] = {}
    try:
        counts = rules.deck(seats, deck) if deck is None or isinstance(deck, str) else dict(deck)
    except SetupError as error:
        if deck is not None:
            raise
        missing = error
    kinds = roles()
    piles = Piles(counts, sum(kinds[role].brings for role, count in counts.items() if count and role in kinds))
    cards = frozenset(counts)
    for rule in _stacking():
        if rule.in_play(cards, options):
            piles = rule.stacks(piles, seats, options)
    if missing is not None and not piles.deck:
        raise missing
    return piles


@cache
def _stacking() -> tuple[type[Rule], ...]:
    """The rules that change what is dealt."""
    roles()  # declares all rules
    return tuple(rule for rule in RULES if any("stacks" in vars(base) for base in rule.__mro__ if base is not Rule))


def grant(wish: tuple[int, str], dealt: list[str], extra: list[str], second: list[str], apart: bool) -> None:
    """Swap cards so that a seat has this one. apart: second cards are another deck. Raises SetupError."""
    seat, role = wish
    if not 1 <= seat <= len(dealt):
        raise SetupError(f"there is no seat {seat}; the seats are 1 to {len(dealt)}")
    pile = next((pile for pile in (dealt, extra, second) if role in pile), None)
    if pile is None:
        raise SetupError(f"the deck holds no {role}; it holds {', '.join(sorted({*dealt, *extra, *second}))}")
    own = second if pile is second and apart else dealt
    if own[seat - 1] != role:
        pile[pile.index(role)], own[seat - 1] = own[seat - 1], role


def shuffled(counts: Mapping[str, int], seats: int, rng: Random, options: OptionSet) -> tuple[list[str], list[str]]:
    """The dealt cards and those left over, among which some cards may not be."""
    cards = sorted(Counter(counts).elements())
    rng.shuffle(cards)
    if len(cards) == seats:
        return cards, []
    kinds = roles()
    extra = [card for card in cards if not kinds[card].must_be_dealt(options)][: len(cards) - seats]
    dealt = list((Counter(cards) - Counter(extra)).elements())
    rng.shuffle(dealt)
    return dealt, extra


@cache
def _refusing() -> tuple[type[Rule], ...]:
    """The rules that may refuse a table; cards only where they need a setting."""
    roles()  # declares all rules
    own = {base for rule in RULES for base in rule.__mro__ if base not in (Rule, Role) and "refuses" in vars(base)}
    needy = {rule for rule in RULES if issubclass(rule, Role) and rule.setting}
    return tuple(rule for rule in RULES if rule in needy or own & {*rule.__mro__})


def check_setup(setup: Setup, options: OptionSet) -> None:
    """Refuse a table that a rule cannot play. Raises SetupError."""
    plain = setup.plain
    reason = _refused(setup.ruleset, frozen(setup.options), setup.cards, setup.size) if plain else _why(setup, options)
    if reason:
        raise SetupError(reason)


@cache
def _refused(ruleset: str, options: tuple[tuple[str, Any], ...], cards: tuple[str, ...], size: int) -> str:
    """Why plain tables with these cards are refused, whoever holds which."""
    setup = Setup(ruleset, cards[:size], options=dict(options), extra=cards[size:])
    return _why(setup, load_ruleset(ruleset).options(dict(options)))


def _why(setup: Setup, options: OptionSet) -> str:
    """The first reason of a rule against this table; empty where it can be played."""
    return next((reason for rule in _refusing() if (reason := rule.refuses(setup, options))), "")


def check_deck(piles: Piles, seats: int) -> None:
    """Refuse a deck that cannot be dealt. Raises SetupError."""
    cards, counts, left = roles(), piles.counts, piles.left
    for role, count in counts.items():
        if role not in cards:
            close = get_close_matches(role, cards, 1)
            hint = f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(sorted(cards))}"
            raise SetupError(f"there is no role {role!r}{hint}")
        if cards[role].exactly and count not in (0, cards[role].exactly):
            raise SetupError(f"a deck with {role} holds exactly {cards[role].exactly} of it, not {count}")
        if cards[role].at_most and count > cards[role].at_most:
            raise SetupError(f"a deck holds at most {cards[role].at_most} of {role}, not {count}")
        if count and seats < cards[role].fewest_seats:
            raise SetupError(f"{role} needs a table of at least {cards[role].fewest_seats} seats, this one has {seats}")
    if not 3 <= seats <= MOST_SEATS:
        raise SetupError(f"a table has 3 to {MOST_SEATS} seats, not {seats}")
    needed = seats * piles.hands + left
    if sum(piles.deck.values()) != needed:
        why = f" ({left} more than the seats)" if left else ""
        raise SetupError(f"{seats} seats take {needed} cards{why}; this deck holds {sum(piles.deck.values())}")
    if not any(cards[role].wolf_card for role, count in counts.items() if count):
        raise SetupError("the deck holds no wolf card")
    if all(cards[role].wolf_card for role, count in counts.items() if count):
        raise SetupError("the deck holds nothing but wolf cards")
