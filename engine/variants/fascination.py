"""Lycanthropic fascination 狼人的迷惑 (variants.md 3): the pack hypnotises instead of killing."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from engine.bits import seats_of
from engine.events import Event, registered
from engine.facts import Act, Attack, Death
from engine.options import Options, OptionSet
from engine.rule import Flow, Rule

ASKS = frozenset({"werewolf.fascinate", "big-bad-wolf.bite"})
"""Asks whose answer is hypnotised."""
MARK = "hypnotised"


class FascinationOptions(Options):
    """Whether the pack fascinates, and in which form."""

    group: ClassVar[str] = "fascination"
    on: bool = False
    form: Literal["b", "a"] = "b"


@registered
class HypnotisedYou(Event, frozen=True, tag="hypnotised.you"):
    """This seat was hypnotised tonight: no power, and no waking at night, from now on."""


class Fascination(Rule):
    """Guard and lives stop it, the antidote does not; the hypnotised keeps card, camp, vote and speech."""

    id = "fascination"
    early = -10  # the choice becomes hypnosis after everything else that acts on it

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[FascinationOptions]
        return isinstance(group, FascinationOptions) and group.on

    def hunts(self) -> str:
        return "werewolf.fascinate"

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        """Neither wolf seats nor the hypnotised, nor a second time the one just chosen."""
        if ask not in ASKS or (seat and not self.s.wolf_seats >> seat & 1):
            return mask  # who chooses without being a wolf is not told by the mask who is one
        return mask & ~self.s.wolf_seats & ~self.s.marked(MARK) & ~self.s.targets("fascinate")

    def intends(self, act: Act) -> Act:
        """A second biter fascinates a second seat."""
        return Act("fascinate", act.by, act.target) if act.kind == "extra-bite" else act

    def wolves_done(self, pack: int) -> Flow[None]:
        """No bite, and nobody caught, is left for the night's other steps to see."""
        s = self.s
        s.acts = [Act("fascinate", act.by, act.target) if act.kind in ("bite", "caught") else act for act in s.acts]
        yield from ()

    def converts(self) -> Flow[None]:
        """Hypnosis, at the night's resolution."""
        s = self.s
        for seat in dict.fromkeys(act.target for act in s.acts if act.kind == "fascinate"):
            free = s.living & ~s.wolf_seats & ~s.marked(MARK)
            if free >> seat & 1 and not self.shielded(seat):
                s.mark(MARK, 1 << seat)
                s.empower(seat, "villager", None)
                s.stirred = True
                s.tell(seat, HypnotisedYou())
        yield from ()

    def shielded(self, seat: int) -> bool:
        """Whatever would keep a bite off, but for the antidote."""
        s, acts = self.s, self.s.acts
        s.acts = [act for act in acts if act.kind != "heal"]
        verdict = next((v for hook in s.on.shields if (v := hook(Attack(seat, "bite"))) is not None), False)
        s.acts = acts
        return bool(verdict)

    def partners(self, death: Death) -> Iterable[Death]:
        """Form b: with a hypnotised seat that the vote puts out all the others die."""
        s = self.s
        hypnotised = s.marked(MARK)
        if self.opt(FascinationOptions).form == "b" and death.cause == "vote" and hypnotised >> death.seat & 1:
            for seat in seats_of(hypnotised & s.living & ~(1 << death.seat)):
                yield Death(seat, ["fascination"], after=death)

    def claims(self, camp: str, window: str) -> bool | None:
        """The wolves also win over a village asleep: all of it, in form b all but one."""
        s = self.s
        if camp != "wolves" or window in ("night", "wave") or not s.camps.get("wolves", 0) & s.living:
            return None
        awake = (s.living & ~s.wolf_seats & ~s.marked(MARK)).bit_count()
        allowed = 1 if self.opt(FascinationOptions).form == "b" else 0
        return True if s.wolf_seats & s.living and awake <= allowed else None
