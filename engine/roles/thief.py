"""Thief 盗贼: may take one of two cards left over (roles.md 8, rulesets.md 1.6)."""

from typing import ClassVar, Literal

from engine.asks import choice_ask
from engine.events import Event, registered
from engine.options import Options, OptionSet
from engine.rule import Flow, Role, Rule


class ThiefOptions(Options):
    """May he keep his card, when must he take a wolf card, may his own card be left over."""

    group: ClassVar[str] = "thief"
    keep: bool = True
    forced: Literal["both", "any"] = "both"
    leftover: bool = True


@registered
class ThiefCards(Event, frozen=True, tag="thief.cards"):
    """The two cards that the thief may take."""

    cards: tuple[str, ...]


class Thief(Role):
    """Acts first of all and is what he takes from then on; a kept card makes a villager."""

    id = "thief"
    at_most = 1
    cls = "none"
    brings = 2
    village_power = False
    names = {"zh": "盗贼", "en": "thief", "ja": "盗賊"}
    steps = {"thief": "swap"}

    @classmethod
    def must_be_dealt(cls, options: OptionSet) -> bool:
        group = options[ThiefOptions]
        return isinstance(group, ThiefOptions) and not group.leftover

    def swap(self) -> Flow[None]:
        """Each thief sees the two cards and chooses."""
        s, cards = self.s, self.s.extra
        for seat in s.holders("thief"):
            s.tell(seat, ThiefCards(cards))
            answer = (yield [choice_ask(seat, "thief.swap", self.legal(cards))]).get(seat)
            s.act("thief.swap", seat, answer)
            taken = "villager" if answer == "keep" else cards[int(str(answer)[-1]) - 1]
            s.change_card(seat, self.card(taken))

    def legal(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """What he may answer: a wolf among the two may bind him."""
        opt = self.opt(ThiefOptions)
        wolves = [f"card-{n}" for n, card in enumerate(cards, 1) if self.card(card).wolf_card]
        if wolves and (opt.forced == "any" or len(wolves) == len(cards)):
            return tuple(wolves)
        every = tuple(f"card-{n}" for n in range(1, len(cards) + 1))
        return ("keep", *every) if opt.keep or not every else every

    def card(self, role: str) -> type[Role]:
        """A card by id."""
        kind: type[Rule] = type(self.s.rules[role])
        assert issubclass(kind, Role)
        return kind
