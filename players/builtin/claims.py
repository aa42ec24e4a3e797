"""Claims to a card that looks into others (seer, medium, little girl): one of the claimants tells the truth at most.

A pack explains a tale by the sum over who may be the true one: his results then hold, the other claimants lie, wolves
gladly and villagers hardly ever (a madman likes to).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import exp, log

from players.builtin.memory import Memory
from players.builtin.scene import Result

LOOKERS = ("seer", "medium", "little-girl")
TRUE_AND_DENIED, LIED, SILENT_SEER, VILLAGE_LIAR = -8.0, -1.3, -2.4, -4.5
MADMAN_LIES = -0.6  # in place of VILLAGE_LIAR where a madman is in the deck
FAKE_BAD, FAKE_BAD_ON_MATE, FAKE_GOOD = log(0.45), log(0.08), log(0.5)
"""Log-likelihoods of what claimants say, against a true seer's check."""
REFUTED = -20.0
CAUGHT = -2.0  # a villager does not lie where the lie is plain
Told = tuple[float, tuple[tuple[int, float], ...]]
"""How well claims are explained, and by claimant how likely it is the seer."""


@dataclass(frozen=True, slots=True)
class Tale:
    """Who claims one such card, and what for.

    results: claimant -> its checks. bias: log-odds of the listener's taste. barred: claimants who cannot be it. true:
    the claimant who surely is, 0 if unknown. silent: the cost of there being no true one among them. mad: the cost of
    a villager's lie.
    """

    role: str
    results: Mapping[int, tuple[Result, ...]]
    bias: Mapping[int, float]
    barred: frozenset[int]
    true: int
    silent: float
    mad: float

    @property
    def touched(self) -> Iterator[int]:
        """Claimants, and those of whom they tell."""
        yield from self.results
        yield from (result.target for results in self.results.values() for result in results)


def tales(memory: Memory, role: str | None, bias: Mapping[int, float], deck: Mapping[str, int]) -> Iterator[Tale]:
    """The tales told so far, as a seat with this card (None: the public) hears them."""
    mad = MADMAN_LIES if deck.get("madman") else VILLAGE_LIAR
    for card in LOOKERS:
        claimants = memory.claimants(card)
        if not claimants:
            continue
        open_cards = {**memory.cards, **memory.scene.faces}
        shown = [seat for seat, open_card in open_cards.items() if open_card == card and seat != memory.me]
        holder = memory.me if role == card else shown[0] if shown else 0
        single = deck.get(card, 1) == 1
        none = deck.get(card, 1) == 0
        barred = {
            seat
            for seat in claimants
            if none
            or (single and holder and seat != holder)
            or (seat in open_cards and seat != memory.me and open_cards[seat] != card)
            or (seat == memory.me and role is not None and role != card)
            or (card == "seer" and any(map(memory.scene.belied, memory.results.get(seat, ()))))
        }
        accounted = (none or bool(holder)) and not memory.scene.faces
        silent = 0.0 if accounted else SILENT_SEER if card == "seer" else -1.0
        yield Tale(
            card,
            {seat: tuple(memory.results.get(seat, ())) for seat in claimants},
            {seat: log(bias.get(seat, 1.0)) for seat in claimants},
            frozenset(barred),
            holder if holder in claimants and not memory.scene.faces else 0,
            silent,
            mad,
        )


def explained(tale: Tale, pack: frozenset[int]) -> Told:
    """How well a pack explains a tale, and each claimant's chance to be the true one under it."""
    lies = {seat: _lie(tale, seat, pack) for seat in tale.results}
    base = sum(lies.values())
    ways: list[tuple[int, float]] = [] if tale.true else [(0, base + tale.silent)]
    for seat, results in tale.results.items():
        if seat in tale.barred or (seat in pack and seat != tale.true) or tale.true not in (0, seat):
            continue
        wrong = sum(result.bad != (result.target in pack) for result in results)
        ways.append((seat, base - lies[seat] + tale.bias[seat] + TRUE_AND_DENIED * wrong))
    if not ways:
        return base + REFUTED, ()
    top = max(score for _, score in ways)
    weights = [(seat, exp(score - top)) for seat, score in ways]
    total = sum(weight for _, weight in weights)
    return top + log(total), tuple((seat, weight / total) for seat, weight in weights if seat)


def _lie(tale: Tale, seat: int, pack: frozenset[int]) -> float:
    """The log-likelihood that this claimant lies, and lies so."""
    score = LIED if seat in pack else tale.mad + (CAUGHT if seat in tale.barred else 0.0)
    for result in tale.results[seat]:
        if not result.bad:
            score += FAKE_GOOD
        elif seat in pack and result.target in pack:
            score += FAKE_BAD_ON_MATE
        else:
            score += FAKE_BAD
    return score


__all__ = ["LOOKERS", "VILLAGE_LIAR", "Tale", "Told", "explained", "tales"]
