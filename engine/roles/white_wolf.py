"""White wolf 白狼: hunts with the pack, wins alone (roles-3.md 3)."""

from typing import ClassVar, Literal

from engine.asks import seat_ask
from engine.options import Options
from engine.roles.werewolf import lunge
from engine.rule import Flow, Role


class WhiteWolfOptions(Options):
    """His prey, and whether the witch is shown it."""

    group: ClassVar[str] = "white-wolf"
    victims: Literal["any", "wolves"] = "any"
    shown: bool = True


class WhiteWolf(Role):
    """On even nights he wakes alone; wins when nobody else lives."""

    id = "white-wolf"
    camp = "white-wolf"
    cls = "wolf"
    wolf_card = True
    village_power = False
    names = {"zh": "白狼人", "en": "white wolf", "ja": "白狼"}
    steps = {"white-wolf": "bite"}

    def bite(self) -> Flow[None]:
        s = self.s
        if s.day % 2:
            return
        for seat in s.holders(self.id):
            prey = s.present if self.opt(WhiteWolfOptions).victims == "any" else s.wolf_seats & s.present
            mask = s.narrowed("white-wolf.bite", seat, prey & ~(1 << seat))
            target = (yield [seat_ask(seat, "white-wolf.bite", mask, can_pass=True)]).get(seat) if mask else None
            s.act("white-wolf.bite", seat, target)
            if isinstance(target, int):
                shown = self.opt(WhiteWolfOptions).shown
                yield from lunge(s, "white-bite" if shown else "unseen-bite", seat, target)

    def me(self) -> int:
        """The living white wolf."""
        return self.s.camps.get(self.camp, 0) & self.s.living

    def wins(self, window: str) -> bool:
        return self.me() != 0 and self.me() == self.s.living

    def lost(self) -> bool:
        return not self.me()
