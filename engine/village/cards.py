"""The building cards: which there are, how many, and in which order a table takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

AUTO: Final = "auto"
VAGABOND: Final = "vagabond"
NUMBERS: Final = {
    "farm": 6, "church": 1, "hovel": 1, "school": 1, "bakery": 1, "barbershop": 1, "court": 1, "inn": 1, "castle": 1,
}  # fmt: skip
"""How many houses of each kind there are; a kind with several numbers them (`farm-1`)."""
KINDS: Final = tuple(NUMBERS)
DEALT: Final = (
    "farm", "farm", "farm", "court", VAGABOND, "inn", "church", "castle", "school", "barbershop", "bakery", "hovel",
    VAGABOND, "farm", "farm", "farm", VAGABOND, VAGABOND, VAGABOND,
)  # fmt: skip
"""A table of n seats takes the first n."""


def kind_of(house: str) -> str:
    """The kind of a house: `farm` for `farm-2`, its own id for a kind of which there is one."""
    return house.partition("-")[0]


def is_house(name: str) -> bool:
    """Whether there is such a card: a kind, or a numbered house of a kind with several."""
    kind, dash, number = name.partition("-")
    if kind not in NUMBERS or not dash:
        return kind in NUMBERS
    return NUMBERS[kind] > 1 and number in {str(n) for n in range(1, NUMBERS[kind] + 1)}


def numbered(cards: Sequence[str]) -> tuple[str, ...]:
    """The cards by seat with houses of a kind with several told apart: the lowest free numbers, by ascending seat."""
    taken, named = set(cards), []
    for card in cards:
        if NUMBERS.get(card, 1) > 1:
            card = next(f"{card}-{n}" for n in range(1, NUMBERS[card] + 1) if f"{card}-{n}" not in taken)
            taken.add(card)
        named.append(card)
    return tuple(named)


def why_not(cards: Sequence[str]) -> str:
    """What is wrong with houses dealt by seat; empty where nothing is."""
    unknown = [card for card in cards if card != VAGABOND and not is_house(card)]
    if unknown:
        return f"there is no building {unknown[0]!r}; known: {', '.join((*KINDS, VAGABOND))}"
    for kind, count in NUMBERS.items():
        held = [card for card in cards if kind_of(card) == kind]
        named = [card for card in held if card != kind]
        if len(held) > count or len(set(named)) < len(named):
            return f"there are {count} of the building {kind}, each once; this table deals {', '.join(held)}"
    return ""
