"""A built-in player's mind at one moment: what it remembers, believes, and pretends to believe."""

from __future__ import annotations

from functools import cached_property
from math import exp, log
from random import Random

from engine.views import View
from players.builtin.beliefs import WOLF_CARDS, Beliefs, infer
from players.builtin.memory import Memory, Result
from players.builtin.persona import Persona


class Mind:
    """Everything strategy and speech look at. Made anew whenever the view has grown; all of it follows from
    (seed, seat, view)."""

    def __init__(self, view: View, memory: Memory, seed: int, persona: Persona) -> None:
        assert view.seat is not None
        self.me, self.size, self.lang = view.seat, view.size, view.lang
        self.role, self.sheriff, self.day = view.role or "villager", view.sheriff, memory.day
        self.alive = view.alive
        self.memory, self.seed, self.persona = memory, seed, persona
        self.wolves = sum(count for card, count in view.deck.items() if card in WOLF_CARDS)
        self.deck = view.deck

    @property
    def is_wolf(self) -> bool:
        """Whether it plays with the pack."""
        return self.role in WOLF_CARDS or self.me in self.memory.pack

    @property
    def others(self) -> tuple[int, ...]:
        """Living seats but this one."""
        return tuple(seat for seat in self.alive if seat != self.me)

    @property
    def mates(self) -> frozenset[int]:
        """Packmates; empty for everyone else."""
        return self.memory.pack - {self.me}

    def random(self, key: str) -> Random:
        """A stream of its own for one purpose, the same as long as the view is."""
        return Random(f"{self.seed}:{self.me}:{key}:{self.memory.read}")

    def steady(self, key: str) -> float:
        """A number in [0, 1) that stays the same for the whole game."""
        return Random(f"{self.seed}:{self.me}:{key}").random()

    # -- beliefs

    @cached_property
    def beliefs(self) -> Beliefs:
        """What it thinks."""
        return infer(self.memory, self.role, self.wolves, bias=self.taste)

    @cached_property
    def taste(self) -> dict[int, float]:
        """How it takes to each seat, fixed for the game."""
        spread = 0.9 * self.persona.noise
        return {s: exp(Random(f"{self.seed}:{self.me}:taste:{s}").gauss(0, spread)) for s in self.memory.says}

    @cached_property
    def public(self) -> Beliefs:
        """What somebody who knows nothing in private would think."""
        return infer(self.memory, None, self.wolves, public=True)

    @cached_property
    def outlook(self) -> Beliefs:
        """What it speaks and votes by: its beliefs, or for a wolf the ones it pretends to hold."""
        if not self.is_wolf:
            return self.beliefs
        posed = dict(self.public.wolf)
        mate_seer = next((seat for seat in (self.me, *sorted(self.mates)) if self.memory.says.get(seat) == "seer"), 0)
        seer = dict(self.public.seer)
        for seat, p in posed.items():
            if seat == self.me:
                posed[seat] = 0.01
            elif seat in self.mates:
                posed[seat] = p if seat in self.abandoned else p * 0.35
            elif mate_seer and self.memory.says.get(seat) == "seer":
                posed[seat] = max(p, 0.8)
        if self.me in seer:
            seer = {seat: 0.97 if seat == self.me else 0.0 for seat in seer}
            for result in self.results:
                posed[result.target] = 0.97 if result.bad else 0.03
        return Beliefs(posed, seer)

    @cached_property
    def abandoned(self) -> frozenset[int]:
        """Packmates that are lost anyway and that it turns on."""
        lost = [mate for mate in sorted(self.mates) if self.public.wolf[mate] > 0.8]
        return frozenset(mate for mate in lost if self.steady(f"bus{mate}") < self.persona.bus)

    def grade(self, seat: int) -> float:
        """How much it wants the seat out, in log-odds, with its persona's noise (steady within a day)."""
        p = min(0.995, max(0.005, self.outlook.wolf.get(seat, 0.5)))
        noise = Random(f"{self.seed}:{self.me}:{self.day}:{seat}").gauss(0, self.persona.noise)
        bond = 4.0 if seat == self.memory.partner else 0.0
        return log(p / (1 - p)) + noise - bond

    @cached_property
    def suspect(self) -> int:
        """The living seat it wants out most, 0 if there is none."""
        return max(self.others, key=self.grade, default=0)

    @cached_property
    def ally(self) -> int:
        """The living seat it trusts most, 0 if there is none."""
        return min(self.others, key=self.grade, default=0)

    # -- what it may say about its nights

    @property
    def results(self) -> list[Result]:
        """Checks to report, in order: true ones of a seer, invented ones of a wolf that poses as one."""
        memory = self.memory
        if self.role == "seer":
            return [Result(seat, bad, memory.check_nights.get(seat), 0) for seat, bad in memory.checks.items()]
        if self.poses:
            return self._invented()
        return []

    @cached_property
    def poses(self) -> bool:
        """Whether it is the wolf that claims to be the seer."""
        if not self.mates and not self.is_wolf:
            return False
        says = self.memory.says
        if says.get(self.me) == "seer":
            return True
        if says.get(self.me) or any(says.get(mate) == "seer" for mate in self.mates):
            return False
        return self._chosen == self.me and self.day <= 2 and self.steady("bluff") < self.persona.bluff

    @property
    def _chosen(self) -> int:
        """The wolf to whom the bluff falls, agreed without a word: from what the whole pack knows."""
        pack = sorted(self.memory.pack | {self.me})
        return Random(f"{pack}:{self.memory.bitten[:1]}").choice(pack)

    def _invented(self) -> list[Result]:
        """One check a night; what was already said stays."""
        told = list(self.memory.results.get(self.me, ()))
        nights = {result.night for result in told}
        for night in range(1, self.day + 1):
            if night not in nights and (fresh := self._invent(night, {result.target for result in told})):
                told.append(fresh)
        return told

    def _invent(self, night: int, used: set[int]) -> Result | None:
        memory, rng = self.memory, Random(f"{self.seed}:{self.me}:fake:{night}")
        lived = [s for s in range(1, self.size + 1) if s not in memory.fate or memory.fate[s][1] >= night]
        pool = [s for s in lived if s != self.me and s not in used and s not in memory.cards]
        rivals = {s for s, says in memory.says.items() if says == "seer"}
        dead = [s for s in pool if s in memory.fate]
        victims = [s for s in pool if s not in self.mates and s not in rivals and s not in dead]
        if victims and rng.random() < 0.45:
            return Result(rng.choice(victims), True, night, 0)
        mates = [s for s in pool if s in self.mates]
        good = mates if mates and rng.random() < 0.35 else victims or dead or mates
        return Result(rng.choice(good), False, night, 0) if good else None
