"""Widow knife 寡妇刀: the wolf of a mixed pair, after the wolves have lost (roles-3.md 4)."""

from typing import ClassVar, Literal

from engine.asks import seat_ask
from engine.bits import seats_of
from engine.options import Options, OptionSet
from engine.roles.werewolf import lunge
from engine.rule import Flow, Rule
from engine.rules.table import Win
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
        self.gained = self.used = False

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[WidowKnifeOptions]
        return "cupid" in deck and isinstance(group, WidowKnifeOptions) and group.on != "no"

    def night_begins(self) -> None:
        """Gained in the first night after the wolves lost, and kept."""
        s = self.s
        if s.opt(Win).village == "last-camp":
            lost = "wolves" in s.lost
        else:
            lost = s.stirred and not s.camps.get("wolves", 0) & s.living & ~s.marked("charmed")
        self.gained = self.gained or lost

    def wolf(self) -> int:
        """The seat that holds the knife now: the living wolf of the mixed pair, the lower of two. 0: nobody."""
        s = self.s
        if not self.gained or (self.used and self.opt(WidowKnifeOptions).on == "once"):
            return 0
        pair = s.camps.get("lovers", 0) & s.marked("lover")
        return next(iter(seats_of(pair & s.wolf_seats & s.living)), 0)

    def wakes(self, step: str) -> bool:
        return bool(self.wolf())

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        """For the last living wolf the knife stands in the place of the pack's bite."""
        s = self.s
        return 0 if ask == "werewolf.bite" and s.wolf_seats & s.living == 1 << seat and seat == self.wolf() else mask

    def bite(self) -> Flow[None]:
        s, seat = self.s, self.wolf()
        if not seat:
            return
        mask = s.narrowed("widow-knife.bite", seat, s.present & ~(1 << seat))
        target = (yield [seat_ask(seat, "widow-knife.bite", mask, can_pass=True)]).get(seat) if mask else None
        s.act("widow-knife.bite", seat, target)
        if isinstance(target, int):
            self.used = True
            yield from lunge(s, "knife", seat, target)
