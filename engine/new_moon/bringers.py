"""Event cards that bring a whole-game variant for a while, if the judge will (new-moon.md 2, 13, 23)."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from engine.asks import FLAG, Ask
from engine.bits import EVERYONE
from engine.events import Event, registered
from engine.new_moon.card import Card, Lasts
from engine.rule import RULES, Flow, Rule
from engine.state import State


@registered
class VariantNow(Event, frozen=True, tag="event.variant"):
    """Whether the judge applies the variant that a card brings."""

    variant: str
    applied: bool


@cache
def variant_rule(variant: str) -> type[Rule] | None:
    """The rule of a variant; None where the engine has none."""
    return next((rule for rule in RULES if rule.id == variant), None)


class Bringer(Card):
    """In force for the card's time, never beyond it."""

    lasts: ClassVar[Lasts] = "round"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.brought = False

    @classmethod
    def playable(cls, s: State) -> bool:
        return variant_rule(cls.variant) is not None

    def play(self) -> Flow[None]:
        """The judge decides."""
        s, kind = self.s, variant_rule(self.variant)
        ask = Ask(0, "judge.apply-variant", FLAG, about=self.variant, seen=EVERYONE)
        applied = (yield [ask]).get(0) is True
        s.emit(VariantNow(self.variant, applied))
        if applied and kind is not None and self.variant not in s.rules:
            s.enforce(kind(s))
            self.brought = True

    def over(self) -> None:
        if self.brought and self.variant in self.s.rules:
            self.s.take_out(self.variant)
        self.brought = False


class BlackMonday(Bringer):
    """In any case, it surely isn't him!"""

    id = "event.black-monday"
    lasts = "now"
    variant = "in-any-case"
    slot = "ballot"


class EndOfHarvest(Bringer):
    """The Harvest Festival."""

    id = "event.end-of-harvest"
    variant = "harvest"


class RadiantSunday(Bringer):
    """Lycanthropic Fascination."""

    id = "event.radiant-sunday"
    variant = "fascination"
