"""Rusty knight 锈刃骑士: the wolf to his left dies a day later (roles-2.md 12)."""

from collections.abc import Iterable, Sequence

from engine.bits import mask_of, next_seat
from engine.facts import Death
from engine.rule import Role
from engine.state import State


class RustyKnight(Role):
    """Bitten, he infects the first wolf seat clockwise; nothing helps against rust."""

    id = "rusty-knight"
    names = {"zh": "锈刃骑士", "en": "rusty knight", "ja": "錆びた剣の騎士"}

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.due: dict[int, int] = {}

    def follows(self, wave: Sequence[Death]) -> Iterable[Death]:
        s = self.s
        gone = mask_of([death.seat for death in wave])
        for death in wave:
            if death.power == self.id and death.cause in ("bite", "extra-bite"):
                wolf = next_seat(s.wolf_seats & (s.living | gone), death.seat, s.size)
                if wolf:
                    self.due[wolf] = s.day + 1
                    s.mark("rust", 1 << wolf)
        return ()

    def resolves(self, deaths: list[Death]) -> None:
        for wolf, night in self.due.items():
            if night == self.s.day and self.s.living & self.s.marked("rust") & 1 << wolf:
                struck = next((death for death in deaths if death.seat == wolf), None)
                if struck is None:
                    deaths.append(Death(wolf, ["rust"]))
                else:
                    struck.causes.append("rust")
