"""Gypsy 吉普赛娘: says at night whether an event comes with the morning (new-moon.md 2)."""

from typing import cast

from engine.asks import Ask, flag_ask
from engine.new_moon.deck import NewMoon
from engine.new_moon.options import NewMoonOptions
from engine.rule import Flow, Role


class Gypsy(Role):
    """Her call stands, even if she dies in that night."""

    id = "gypsy"
    setting = "new-moon"
    names = {"zh": "吉普赛娘", "en": "gypsy", "ja": "ジプシー"}
    steps = {"gypsy": "call"}

    def deck(self) -> NewMoon:
        """The event cards."""
        return cast(NewMoon, self.s.rules["new-moon"])

    def dealt(self) -> None:
        """With her in the deck, cards come when she calls."""
        if self.id in self.s.setup.cards and self.opt(NewMoonOptions).by == "auto":
            self.deck().calls = True

    def call(self) -> Flow[None]:
        """Every living gypsy."""
        s = self.s
        asks: list[Ask] = [flag_ask(seat, "gypsy.call") for seat in s.holders(self.id)]
        answers = (yield asks) if asks else {}
        for seat, answer in answers.items():
            s.act("gypsy.call", seat, answer)
            if answer is True:
                self.deck().called = True
