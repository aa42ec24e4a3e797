"""A built-in player's mind at one moment: what it remembers, believes, and pretends to believe."""

from __future__ import annotations

from functools import cache, cached_property
from math import exp, log
from random import Random

from engine.rules.ruleset import frozen, load_ruleset
from engine.rules.table import Reveal
from engine.views import View
from players.builtin.beliefs import WOLF_CARDS, Beliefs, infer
from players.builtin.claims import LOOKERS
from players.builtin.memory import Memory
from players.builtin.persona import Persona
from players.builtin.scene import Result

MATE = 0.65  # how loath a wolf that hides well is to turn on a packmate, in log-odds for each wolf of the pack
BOND = 9.0  # how loath a seat is to turn on its own, in log-odds
CHARM = 0.7  # how much a piper would keep the charmed and lose the others, in log-odds
POSED = 0.16  # a wolf knows, so its public grades do not stray: random votes would only hide it
SOLO = frozenset({"piper", "prejudiced", "fox-spirit", "madman"})
"""Cards with a goal of their own."""


@cache
def cards_are_turned(ruleset: str, options: tuple[tuple[str, object], ...]) -> bool:
    """Whether whoever is voted out shows the card, so that votes and lies are seen for what they were."""
    shown = load_ruleset(ruleset).options(dict(options))[Reveal]
    return isinstance(shown, Reveal) and shown.vote == "card"


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
        self.open_cards = cards_are_turned(view.ruleset, frozen(view.options))

    @property
    def is_wolf(self) -> bool:
        """Whether it plays with the pack: it hunts, or it was turned."""
        told = self.memory.told
        return self.role in WOLF_CARDS or self.me in told.pack or told.turned

    @cached_property
    def goal(self) -> str:
        """The side it plays for: village, wolves, lovers (a wolf whose partner is none, or the other way
        round), madman, or a solo camp."""
        partner = self.memory.told.partner
        if self.is_wolf:
            if self.role == "white-wolf":
                return "white-wolf"
            return "lovers" if partner and partner not in self.memory.told.pack else "wolves"
        if partner and self.memory.facts.wolf.get(partner):
            return "lovers"
        if self.role == "angel":
            return "angel" if self.day <= 1 else "village"
        return self.role if self.role in SOLO else "village"

    @property
    def poser(self) -> bool:
        """Whether it speaks by beliefs that it only pretends to hold."""
        return self.is_wolf or self.goal == "madman"

    @property
    def others(self) -> tuple[int, ...]:
        """Living seats but this one."""
        return tuple(seat for seat in self.alive if seat != self.me)

    @property
    def votable(self) -> tuple[int, ...]:
        """Those of the others on whom a ballot may fall today; all of them where that would be nobody."""
        return tuple(seat for seat in self.others if self.memory.votable(seat)) or self.others

    @property
    def mates(self) -> frozenset[int]:
        """Packmates; empty for everyone else."""
        return self.memory.told.pack - {self.me} if self.is_wolf else frozenset()

    @property
    def bonded(self) -> frozenset[int]:
        """Seats that it will not hurt: the partner, siblings, and the seat whose lot is its own."""
        told = self.memory.told
        bonds = {told.partner, told.affair, *told.kin, told.bond if not self.is_wolf else 0}
        if self.goal == "lovers":
            bonds = {told.partner, told.affair}
        return frozenset(bonds) - {0, self.me}

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
        return infer(self.memory, self.role, self.wolves, bias=self.taste, deck=self.deck)

    @cached_property
    def taste(self) -> dict[int, float]:
        """How it takes to each seat, fixed for the game."""
        spread = 0.9 * self.persona.noise
        return {s: exp(Random(f"{self.seed}:{self.me}:taste:{s}").gauss(0, spread)) for s in self.memory.says}

    @cached_property
    def public(self) -> Beliefs:
        """What somebody who knows nothing in private would think."""
        return infer(self.memory, None, self.wolves, public=True, deck=self.deck)

    @cached_property
    def outlook(self) -> Beliefs:
        """What it speaks and votes by: its beliefs, or for a wolf the ones it pretends to hold."""
        if not self.poser:
            return self.beliefs
        honest = infer(self.memory, None, self.wolves, public=True, bias=self.taste, deck=self.deck, innocent=self.me)
        posed, seer = dict(honest.wolf), dict(honest.seer)
        says = self.memory.says
        backed = next((s for s in (self.me, *sorted(self.mates)) if says.get(s) == "seer" and not self.exposed(s)), 0)
        for seat, p in posed.items():
            if seat in self.mates and seat not in self.abandoned and not self.poised:
                posed[seat] = p * (0.5 - 0.45 * self.persona.clumsy)
            elif backed and seat not in self.mates and seat != self.me and says.get(seat) == "seer":
                posed[seat], seer[seat] = max(p, 0.8), min(seer.get(seat, 0.0), 0.1)
        if self.me in seer:
            seer = {seat: 0.97 if seat == self.me else 0.0 for seat in seer}
            for result in self.results:
                posed[result.target] = 0.97 if result.bad else 0.03
        return Beliefs(posed, seer)

    @cached_property
    def poised(self) -> bool:
        """Whether, as a wolf, it speaks as a villager would, packmates or not."""
        return self.steady("poise") < self.persona.poise

    def exposed(self, seat: int) -> bool:
        """Whether the table takes this seat for a wolf whatever anybody says."""
        return self.memory.cards.get(seat) in WOLF_CARDS or self.public.wolf.get(seat, 0) > 0.9

    @cached_property
    def abandoned(self) -> frozenset[int]:
        """Packmates that are lost anyway and that it turns on; to the white wolf all are."""
        lost = [mate for mate in sorted(self.mates) if self.public.wolf[mate] > 0.7]
        if self.goal in ("white-wolf", "lovers"):
            return frozenset(mate for mate in self.mates if self.public.wolf[mate] > 0.4)
        return frozenset(mate for mate in lost if self.exposed(mate) or self.steady(f"bus{mate}") < self.persona.bus)

    def grade(self, seat: int) -> float:
        """How much it wants the seat out, in log-odds, with its persona's noise (steady within a day)."""
        p = min(0.995, max(0.005, self.outlook.wolf.get(seat, 0.5)))
        spread = min(self.persona.noise, POSED) if self.is_wolf else self.persona.noise
        noise = Random(f"{self.seed}:{self.me}:{self.day}:{seat}").gauss(0, spread)
        told = self.memory.told
        bond = BOND if seat in self.bonded else 0.0
        if self.poised and seat in self.mates and seat not in self.abandoned:
            bond += 0.0 if self.open_cards else MATE * len(told.pack)
        if self.goal == "piper":
            bond += CHARM if seat in told.charmed else -CHARM
        hate = 1.2 if self.goal == "prejudiced" and seat in told.clans.get(told.hated, ()) else 0.0
        return log(p / (1 - p)) + noise - bond + hate

    @cached_property
    def suspect(self) -> int:
        """The living seat it wants out most, 0 if there is none."""
        return max(self.votable, key=self.grade, default=0)

    @cached_property
    def ally(self) -> int:
        """The living seat it trusts most, 0 if there is none. A wolf that hides well seldom speaks for the pack."""
        shy = self.poised and self.steady(f"ally{self.day}") < 0.85
        pool = [seat for seat in self.others if not (shy and seat in self.mates)]
        return min(pool, key=self.grade, default=0)

    # -- what it may say about its nights

    @property
    def results(self) -> list[Result]:
        """Checks to report, in order: true ones of a card that looks, invented ones of one that poses as the seer."""
        told = self.memory.told
        if self.role in LOOKERS and not self.poser:
            told_on = [seat for seat, bad in told.checks.items() if not (bad and seat in self.bonded)]
            return [Result(seat, told.checks[seat], told.check_nights.get(seat), 0) for seat in told_on]
        if self.poses:
            return self._invented()
        return []

    @cached_property
    def poses(self) -> bool:
        """Whether it claims to be the seer and is not."""
        says = self.memory.says
        if not self.poser or "seer" not in self.deck or self.memory.scene.faces.get(self.me, "seer") != "seer":
            return False
        if says.get(self.me) == "seer":
            return True
        if says.get(self.me):
            return False
        if self.goal == "madman":
            return self.day <= 2 and self.steady("bluff") < 0.8
        if not self.mates or any(says.get(mate) == "seer" for mate in self.mates):
            return False
        return self._chosen == self.me and self.day <= 2 and self.steady("bluff") < self._dare

    @property
    def _dare(self) -> float:
        """How readily a wolf claims to be the seer: less, if it plays well, where cards are turned and tell the lie."""
        return self.persona.bluff * (self.persona.clumsy if self.open_cards else 1.0)

    @property
    def _chosen(self) -> int:
        """The wolf to whom the bluff falls, agreed without a word: from what the whole pack knows."""
        pack = sorted(self.memory.told.pack | {self.me})
        return Random(f"{pack}:{self.memory.told.bitten[:1]}").choice(pack)

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
        aloud = memory.scene.aloud.get(night, ())
        called_wolf = any(card in WOLF_CARDS for card in aloud)
        if victims and (called_wolf if aloud else rng.random() < 0.45):
            return Result(rng.choice(victims), True, night, 0)
        mates = [s for s in pool if s in self.mates]
        good = mates if mates and rng.random() < 0.35 else victims or dead or mates
        return Result(rng.choice(good), False, night, 0) if good else None
