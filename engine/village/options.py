"""Options of the Village."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from engine.options import Options
from engine.village.cards import AUTO, KINDS, NUMBERS, VAGABOND


class VillageOptions(Options):
    """Whether buildings are in use, and which cards are dealt (`auto`, or a list; seats beyond it are vagabonds)."""

    group: ClassVar[str] = "village"
    on: bool = False
    cards: tuple[str, ...] = (AUTO,)

    @field_validator("cards", mode="before")
    @classmethod
    def _known(cls, given: Any) -> tuple[str, ...]:
        cards = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, list | tuple) else ()
        if cards == (AUTO,):
            return cards
        wrong = [card for card in cards if card not in KINDS and card != VAGABOND]
        if wrong or not cards:
            known = ", ".join((*KINDS, VAGABOND))
            raise ValueError(f"option village.cards takes auto or a list of {known}, not {(wrong or [given])[0]!r}")
        for card, count in Counter(map(str, cards)).items():
            if card != VAGABOND and count > NUMBERS[card]:
                raise ValueError(f"option village.cards: there are {NUMBERS[card]} of {card}, not {count}")
        return cards


class SchoolOptions(Options):
    """The most seats that the teacher may ban."""

    group: ClassVar[str] = "school"
    max: Literal["none", "2"] = "none"


class BakerOptions(Options):
    """How often the baker glimpses a wolf: a probability."""

    group: ClassVar[str] = "baker"
    chance: float = Field(0.25, ge=0, le=1)


class QuackOptions(Options):
    """Whether the quack may also give back a used power of a role."""

    group: ClassVar[str] = "quack"
    roles: bool = False
