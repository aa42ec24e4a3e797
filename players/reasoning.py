"""The hard-information posterior h: what a perfect reasoner without talk knows of who the wolves are.

h(S) is proportional to prior(|S|) / C(n, |S|) over all sets S of seats that agree with every hard fact of the view, and
h(i) is the sum of h(S) over the sets that hold seat i. Hard facts are what the engine told this seat: its own card,
cards turned, the pack, checks, sniffs, the eyes of a little girl, siblings and masons; never a word or a vote.
The sets are enumerated: before any fact seats are exchangeable, so the number of role assignments that leave a set of
wolf cards is the same for all sets of one size, and the assignments themselves need not be counted. prior(k) is certain
where every card is dealt. With cards left over it is hypergeometric, and a thief is taken to pick evenly among the
cards that he may take.

A wolf here is a wolf card, dealt or taken, or a seat that this view knows to have been turned. Seats turned without its
knowledge are beyond hard facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import comb, log2

from engine.events import Dawn, Deck, Eliminated, Event, Intent, Returned, Revealed, RoleDealt, RoleNow, Step
from engine.new_moon.card import EventCard
from engine.new_moon.prey import DoubleAgentWolves, Hunters, SpecterWakes
from engine.new_moon.spirits import Medium, Pointed, SpiritAnswer
from engine.roles.bear_tamer import BearGrowl
from engine.roles.fox import FoxResult
from engine.roles.infecting_wolf import InfectedYou
from engine.roles.japanese import MasonsMeet, MediumResult
from engine.roles.kin import BrothersMeet, SistersMeet
from engine.roles.little_girl import LittleGirlSaw
from engine.roles.seer import SeerResult
from engine.roles.thief import ThiefOptions
from engine.roles.werewolf import PackJoin, PackMeet
from engine.roles.wild_child import WildChildTurned
from engine.rules.ruleset import frozen, load_ruleset, roles
from engine.variants.double_you import SecondCard, SeerCards
from engine.variants.harvest import SeerThree
from engine.views import View
from engine.village.events import BakerSaw, PriestSaw

UNSURE_CARDS = frozenset({"dog-wolf", "wild-child"})
"""Cards that tell nothing of the side their holder is on."""


@cache
def wolf_cards() -> frozenset[str]:
    """Ids of the wolf cards."""
    return frozenset(id for id, card in roles().items() if card.wolf_card)


@cache
def side_of(result: str, mixed: bool) -> bool | None:
    """Whether a card or a check's result means a wolf seat; None where it does not tell.

    mixed: whether the deck may hold camps beside village and wolves, so that "not village" says little.
    """
    if result == "not-village":
        return None if mixed else True
    if result in ("bad", "wolf") or result in wolf_cards():
        return True
    return None if result in UNSURE_CARDS else False


@dataclass(slots=True)
class Facts:
    """The hard facts of one seat, folded from its events one by one.

    me: the seat, 0 for the public. wolf: seats whose side is certain. cards: cards turned or told. some: groups that
    hold a wolf at least. pack: the wolves, where this seat hunts or has seen them all.
    """

    me: int
    size: int
    wolf: dict[int, bool] = field(default_factory=dict)
    cards: dict[int, str] = field(default_factory=dict)
    some: list[frozenset[int]] = field(default_factory=list)
    pack: frozenset[int] = frozenset()
    mixed: bool = False
    out: set[int] = field(default_factory=set)
    step: str = ""
    event_card: str = ""
    medium: int = 0
    pointed: tuple[int, ...] = ()

    def learn(self, event: Event) -> None:
        """Take in one event that this seat may see."""
        match event:
            case Dawn(seats):
                self.out.update(seats)
            case Eliminated(seat, _):
                self.out.add(seat)
            case Returned(seats):
                self.out.difference_update(seats)
                if self.event_card == "event.miracle":
                    self.wolf.update(dict.fromkeys(seats, False))
            case RoleNow(seat, card, "village") if seat == self.me:
                self.cards[seat], self.wolf[seat] = card, False
            case Revealed(seat, card) | RoleDealt(seat, card, _) | RoleNow(seat, card, _):
                self._card(seat, card)
            case Step(name, "open"):
                self.step = name
            case Deck(counts):
                camps = {roles()[card].camp for card in counts if card in roles()}
                self.mixed = bool(camps - {"village", "wolves"}) or "cupid" in counts
            case _:
                self._told(event)

    def _told(self, event: Event) -> None:
        """Events of single roles."""
        match event:
            case LittleGirlSaw((witch,)) if self.step == "witch":
                self._card(witch, "witch")  # at the harvest festival she peeks at the witch
            case PackMeet(seats) | PackJoin(seats) | LittleGirlSaw(seats):
                if self.me not in seats or not self.pack:
                    self.wolf.update(dict.fromkeys(range(1, self.size + 1), False))
                self.pack = self.pack | frozenset(seats)
                self.wolf.update(dict.fromkeys(self.pack, True))
            case SeerResult(seat, result) | MediumResult(seat, result):
                self._side(seat, side_of(result, self.mixed))
            case FoxResult(seat, wolf):
                self._group(frozenset(self._around(seat)), wolf)
            case BearGrowl(heard) if self.cards.get(self.me) == "bear-tamer" and self.me not in self.out:
                self._group(frozenset(self._around(self.me)) - {self.me}, heard)
            case SistersMeet(seats) | BrothersMeet(seats) | MasonsMeet(seats):
                self.wolf.update(dict.fromkeys(seats, False))
            case InfectedYou() | WildChildTurned():
                self.wolf[self.me] = True
            case Intent(seat, "dog-wolf.side", "wolves") if seat == self.me:
                self.wolf[seat] = True
            case _:
                self._by_card(event)

    def _by_card(self, event: Event) -> None:
        """Events of event cards, houses and variants."""
        match event:
            case EventCard(card):
                self.event_card = card
            case PriestSaw(seat, card):
                self._card(seat, card)
            case SeerCards(seat, cards):
                for card in cards:
                    self._card(seat, card)
            case SecondCard(seat, card) if card in wolf_cards():
                self.wolf[seat] = True
            case BakerSaw(int(seat)):
                self.wolf[seat] = True
            case Hunters(seats):
                self.wolf.update(dict.fromkeys(seats, False))
            case DoubleAgentWolves(seats):
                self._all_wolves(seats)
            case SpecterWakes(seat, wolves):
                if seat == self.me:
                    self._all_wolves(wolves)
                self.wolf[seat] = True
            case SeerThree(seat, cards):
                self._three(self._around(seat), [side_of(card, self.mixed) for card in cards])
            case Medium(seat):
                self.medium = seat
            case Pointed(seats):
                self.pointed = seats
            case SpiritAnswer(question, answer):
                self._spirit(question, answer)
            case _:
                pass

    def _all_wolves(self, wolves: tuple[int, ...]) -> None:
        """The living wolves, shown to one that does not wake with them."""
        living = [seat for seat in range(1, self.size + 1) if seat not in self.out]
        self.wolf.update({seat: seat in wolves for seat in living})

    def _three(self, seats: list[int], sides: list[bool | None]) -> None:
        """Cards of some seats, not which is whose."""
        if all(sides):
            self.wolf.update(dict.fromkeys(seats, True))
        elif any(sides):
            self.some.append(frozenset(seats))
        elif None not in sides:
            self.wolf.update(dict.fromkeys(seats, False))

    def _spirit(self, question: str, answer: bool) -> None:
        """What follows from a true answer about seats."""
        if question == "i-am-wolf":
            self.wolf[self.medium] = answer
        elif question == "pointed-is-plain" and answer:
            self.wolf.update(dict.fromkeys(self.pointed, False))
        elif question == "pointed-has-wolf-beside":
            self._group(frozenset(self._around(self.pointed[0])) - set(self.pointed), answer)
        elif question == "two-same-camp" and not self.mixed:
            known = next((seat for seat in self.pointed if seat in self.wolf), 0)
            if known:
                side = self.wolf[known] if answer else not self.wolf[known]
                self.wolf.update({seat: side for seat in self.pointed if seat != known})

    def _group(self, group: frozenset[int], wolf: bool) -> None:
        if wolf:
            self.some.append(group)
        else:
            self.wolf.update(dict.fromkeys(group, False))

    def _card(self, seat: int, card: str) -> None:
        self.cards[seat] = card
        side = side_of(card, self.mixed)
        if side is not None and not (seat == self.me and self.wolf.get(seat)):
            self.wolf[seat] = side
        elif seat == self.me:
            self.wolf.setdefault(seat, False)

    def _side(self, seat: int, side: bool | None) -> None:
        if side is not None:
            self.wolf[seat] = side

    def _around(self, seat: int) -> list[int]:
        """The seat and its nearest neighbours that are not out."""
        found = [seat]
        for step in (1, -1):
            ring = ((seat - 1 + step * away) % self.size + 1 for away in range(1, self.size))
            found += [next((other for other in ring if other not in self.out), seat)]
        return found


@dataclass(frozen=True, slots=True)
class Posterior:
    """wolf: by seat, the probability that it is a wolf. sets: the joint over wolf sets, 1 in all."""

    wolf: Mapping[int, float]
    sets: Mapping[frozenset[int], float]

    def bits(self, truth: frozenset[int]) -> float:
        """log2 of the probability of a wolf set; minus infinity where the facts rule it out."""
        p = self.sets.get(truth, 0.0)
        return log2(p) if p else float("-inf")


def posterior(view: View) -> Posterior:
    """h of this view: see the module's description. Facts that contradict each other (a seat turned in between) leave
    only what is certain by seat, then nothing but the prior."""
    facts = Facts(view.seat or 0, view.size)
    for event in view.events:
        facts.learn(event)
    return of_facts(facts, sizes(view))


def of_facts(facts: Facts, prior: Mapping[int, float]) -> Posterior:
    """h of these facts, with a prior over the number of wolves."""
    for some in (facts.some, []):
        weights = _consistent(facts.size, facts.wolf, some, prior)
        if weights:
            break
    else:
        weights = _consistent(facts.size, {}, [], prior) or {frozenset(s for s, w in facts.wolf.items() if w): 1.0}
    total = sum(weights.values())
    sets = {wolves: weight / total for wolves, weight in weights.items()}
    wolf = dict.fromkeys(range(1, facts.size + 1), 0.0)
    for wolves, p in sets.items():
        for seat in wolves:
            wolf[seat] += p
    return Posterior(wolf, sets)


def _consistent(
    size: int, wolf: Mapping[int, bool], some: list[frozenset[int]], prior: Mapping[int, float]
) -> dict[frozenset[int], float]:
    """The wolf sets that agree with the facts, with their weights."""
    sure = frozenset(seat for seat, side in wolf.items() if side)
    free = [seat for seat in range(1, size + 1) if seat not in wolf]
    weights: dict[frozenset[int], float] = {}
    for count, p in prior.items():
        missing = max(0, count - len(sure)) if count < len(sure) and len(prior) == 1 else count - len(sure)
        if missing < 0 or missing > len(free):
            continue
        weight = p / comb(size, count)
        for chosen in combinations(free, missing):
            wolves = sure.union(chosen)
            if all(wolves & group for group in some):
                weights[wolves] = weight
    return weights


def sizes(view: View) -> dict[int, float]:
    """prior(k): how many seats hold a wolf card once a thief has chosen."""
    return dict(_sizes(view.ruleset, frozen(view.options), tuple(view.deck.items()), view.size))


@cache
def _sizes(
    ruleset: str, options: tuple[tuple[str, object], ...], deck: tuple[tuple[str, int], ...], size: int
) -> tuple[tuple[int, float], ...]:
    counts, cards = dict(deck), roles()
    wolves = sum(count for card, count in counts.items() if card in wolf_cards())
    left = sum(counts.values()) - size
    if left <= 0:
        return ((wolves, 1.0),)
    chosen = load_ruleset(ruleset).options(dict(options))
    thief = chosen[ThiefOptions]
    assert isinstance(thief, ThiefOptions)
    free = {card: count for card, count in counts.items() if not cards[card].must_be_dealt(chosen)}
    loose = sum(count for card, count in free.items() if card in wolf_cards())
    pool = sum(free.values())
    found: dict[int, float] = {}
    for lying in range(min(left, loose) + 1):
        p = comb(loose, lying) * comb(pool - loose, left - lying) / comb(pool, left)
        takes = _thief_takes(left, lying, thief)
        for taken, share in ((1, takes), (0, 1 - takes)):
            if p * share:
                count = wolves - lying + taken
                found[count] = found.get(count, 0.0) + p * share
    return tuple(found.items())


def _thief_takes(left: int, lying: int, rule: ThiefOptions) -> float:
    """How likely a thief takes a wolf card when so many lie among the cards left: he must where the table says so, and
    else picks evenly; keeping his own may be one choice."""
    if not lying:
        return 0.0
    return 1.0 if rule.forced == "any" or lying == left else lying / (left + rule.keep)


__all__ = ["Facts", "Posterior", "of_facts", "posterior", "side_of", "sizes", "wolf_cards"]
