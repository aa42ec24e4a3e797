"""Big bad wolf 大野狼: a second bite while no wolf is out (roles-3.md 1)."""

from collections.abc import Iterable, Sequence

from engine.asks import seat_ask
from engine.facts import Death
from engine.roles.werewolf import WolvesOptions, lunge
from engine.rule import Flow, Role
from engine.state import State


class BigBadWolf(Role):
    """Wakes alone after the pack's bite; loses it when the first wolf seat of the game is out."""

    id = "big-bad-wolf"
    camp = "wolves"
    cls = "wolf"
    wolf_card = True
    village_power = False
    names = {"zh": "大野狼", "en": "big bad wolf", "ja": "大きな悪い狼"}
    steps = {"big-bad-wolf": "bite"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.wolf_out = False

    def follows(self, wave: Sequence[Death]) -> Iterable[Death]:
        self.wolf_out = self.wolf_out or any(self.s.wolf_seats >> death.seat & 1 for death in wave)
        return ()

    def bite(self) -> Flow[None]:
        """One more, not the pack's victim; not after an infection."""
        s = self.s
        if self.wolf_out or s.targets("infect"):
            return
        for seat in s.holders(self.id):
            mask = s.present & ~(1 << seat) & ~s.targets("bite") & ~s.targets("caught")
            if self.opt(WolvesOptions).bite == "non-wolf":
                mask &= ~s.wolf_seats
            mask = s.narrowed("big-bad-wolf.bite", seat, mask)
            target = (yield [seat_ask(seat, "big-bad-wolf.bite", mask, can_pass=True)]).get(seat) if mask else None
            s.act("big-bad-wolf.bite", seat, target)
            if isinstance(target, int):
                yield from lunge(s, "extra-bite", seat, target)
