"""Widow knife 寡妇刀: the wolf of a mixed pair, after the wolves have lost (roles-3.md 4)."""

from typing import ClassVar, Literal

from engine.asks import seat_ask
from engine.bits import seats_of
from engine.options import Options, OptionSet
from engine.rule import Flow, Rule
from engine.state import State


class WidowKnifeOptions(Options):
    """Whether the pair's wolf gains it, and for how long."""

    group: ClassVar[str] = "widow-knife"
    on: Literal["no", "every-night", "once"] = "no"


class WidowKnife(Rule):
    """A power of a lover, no card."""

    id = "widow-knife"
    steps = {"widow-knife": "bite"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.used = False

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[WidowKnifeOptions]
        return "cupid" in deck and isinstance(group, WidowKnifeOptions) and group.on != "no"

    def wolf(self) -> int:
        """The living wolf of the mixed pair, once the wolves camp is lost; the lower of two."""
        s = self.s
        pair = s.camps.get("lovers", 0) & s.marked("lover")
        wolves = s.camps.get("wolves", 0) & s.living & ~s.marked("charmed")
        return next(iter(seats_of(pair & s.wolf_seats & s.living)), 0) if not wolves else 0

    def bite(self) -> Flow[None]:
        s, seat = self.s, self.wolf()
        if not seat or (self.used and self.opt(WidowKnifeOptions).on == "once"):
            return
        mask = s.narrowed("widow-knife.bite", seat, s.present & ~(1 << seat))
        target = (yield [seat_ask(seat, "widow-knife.bite", mask, can_pass=True)]).get(seat) if mask else None
        s.act("widow-knife.bite", seat, target)
        if isinstance(target, int):
            self.used = True
            s.intend("knife", seat, target)
