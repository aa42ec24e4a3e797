"""Seer 预言家: checks one seat each night (roles.md 3)."""

from typing import ClassVar, Literal

from engine.asks import Ask, seat_ask
from engine.events import Event, registered
from engine.options import Options
from engine.rule import Flow, Role


class SeerOptions(Options):
    """What a check shows."""

    group: ClassVar[str] = "seer"
    result: Literal["card", "camp", "side", "wolf"] = "card"


@registered
class SeerResult(Event, frozen=True, tag="seer.result"):
    """The result of a check, for the seer alone."""

    seat: int
    result: str


class Seer(Role):
    """Checks a seat each night; the result is true at that moment and never corrected."""

    id = "seer"
    names = {"zh": "预言家", "en": "seer", "ja": "占い師"}
    steps = {"seer": "check"}

    def check(self) -> Flow[None]:
        """Every living seer names a seat and learns what it is."""
        s = self.s
        asks: list[Ask] = [
            seat_ask(seer, "seer.check", s.present & ~(1 << seer), can_pass=True) for seer in s.holders("seer")
        ]
        answers = (yield asks) if asks else {}
        for seer, target in answers.items():
            s.act("seer.check", seer, target)
            if isinstance(target, int):
                self.learn(seer, target)

    def learn(self, seer: int, target: int) -> None:
        """The seat is shown as this table shows it."""
        s = self.s
        s.intend("check", seer, target)
        told: Event | None = None
        for hook in s.on.sees:
            told = told or hook(seer, target)
        s.tell(seer, told or SeerResult(target, self.seen_as(target)))
        if told is None:
            for hook in s.on.checked:
                hook(seer, (target,))

    def seen_as(self, target: int) -> str:
        """A seat as this table's checks show it."""
        here, kind = self.s.seats[target], self.opt(SeerOptions).result
        wolf = bool(self.s.wolf_seats >> target & 1)
        if kind == "card":
            return here.role
        if kind == "camp":
            return "village" if here.camp in ("village", "angel") else "not-village"
        if kind == "side":
            return "bad" if wolf else "good"
        return "wolf" if wolf else "not-wolf"
