"""Who is a wolf: a probability for every seat.

Every set of seats that may be the pack is weighed by how well it explains what was seen: facts rule sets out, claims to
be the seer hang together (at most one is true, and a true one's checks are), wolves seldom turn on each other, and the
night kills villagers. `infer` is a pure function of what is remembered; a better inference replaces this file alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, exp, log

from players.builtin.memory import Memory, Result

SURE = 0.995
MOST_SETS = 2000  # packs that are weighed one by one; beyond, seats are taken apart
AGAINST, FOR = (-1.1, 0.35), (0.7, -0.15)
"""What turning on a seat, or standing up for it, tells of who does so, if he is a wolf: log-odds where its object is
his packmate, and where it is not. Wolves seldom turn on wolves; villagers often turn on villagers."""
WORD = 0.5  # an accusation beside a vote
OFTEN = 2.0  # how often one seat's stand on another counts at most
NEGLIGIBLE = 1e-7
UNTOLD: tuple[float, tuple[int, ...]] = (0.0, ())
WOLF_CARDS = frozenset({"werewolf", "big-bad-wolf", "infecting-wolf", "white-wolf"})
TRUE_AND_DENIED, LIED, SILENT_SEER, VILLAGE_LIAR = -6.0, -1.0, -1.8, -3.5
FAKE_BAD, FAKE_BAD_ON_MATE, FAKE_GOOD = log(0.45), log(0.08), log(0.5)
"""Log-likelihoods of what claimants say, against a true seer's check."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """wolf: seat -> probability that it is a wolf. seer: seat -> probability that it is the seer it claims to be."""

    wolf: dict[int, float]
    seer: dict[int, float]

    def best_seer(self) -> int:
        """The seat most believed to be the seer, 0 if nobody claims it."""
        return max(self.seer, key=lambda seat: (round(self.seer[seat], 9), -seat), default=0)


@dataclass(slots=True)
class Evidence:
    """What is weighed. single: seat -> log-odds. pair: (voter, object) -> log-odds that are added where both are
    wolves. claims: claimant to the seer's card -> its checks. rivals: seats that claim the same other card."""

    single: list[float]
    pair: list[list[float]]
    claims: dict[int, list[Result]]
    bias: Mapping[int, float]
    rivals: list[tuple[int, ...]] = field(default_factory=list)


def hard_facts(memory: Memory, role: str | None) -> dict[int, bool]:
    """Seats whose side this seat knows for certain: True a wolf."""
    facts = {seat: card in WOLF_CARDS for seat, card in memory.cards.items()}
    facts.update(memory.checks)
    if memory.pack:
        facts.update({seat: seat in memory.pack for seat in range(1, memory.size + 1)})
    facts[memory.me] = role in WOLF_CARDS
    return facts


def infer(
    memory: Memory, role: str | None, wolves: int, *, public: bool = False, bias: Mapping[int, float] | None = None
) -> Beliefs:
    """Beliefs of this seat. public: as somebody would see it who knows nothing in private. bias: by seat, how much more
    than another this seat takes to it (1: not at all); where claims are even, taste decides."""
    if public:
        facts, role = {seat: card in WOLF_CARDS for seat, card in memory.cards.items()}, None
    else:
        facts = hard_facts(memory, role)
    sure = frozenset(seat for seat, wolf in facts.items() if wolf)
    free = [seat for seat in range(1, memory.size + 1) if seat not in facts]
    missing = min(len(free), max(0, wolves - len(sure)))
    evidence = gather(memory, role, public, bias or {})
    if comb(len(free), missing) > MOST_SETS:
        return _apart(evidence, facts, free, missing)
    return _weighed(evidence, *_packs(evidence, sure, free, missing))


def gather(memory: Memory, role: str | None, public: bool, bias: Mapping[int, float]) -> Evidence:
    """Everything seen, as log-odds."""
    size = memory.size + 1
    found = Evidence([0.0] * size, [[0.0] * size for _ in range(size)], _claims(memory), bias)
    _nights(memory, found.single, public)
    _cards(memory, found, None if public else role)
    stands: dict[tuple[int, int], list[float]] = {}
    for ballot in memory.ballots:
        stands.setdefault((ballot.voter, ballot.target), [0.0, 0.0])[0] += 1.0
    for heard in memory.heard:
        target, act = heard.claim.target, heard.claim.act
        if target and act in ("accuse", "vote-call", "disagree", "vouch", "agree"):
            kind = 1 if heard.claim.negated or act in ("vouch", "agree") else 0
            stands.setdefault((heard.speaker, target), [0.0, 0.0])[kind] += WORD
    for (by, target), (against, pro) in stands.items():
        against, pro = min(against, OFTEN), min(pro, OFTEN)
        apart = against * AGAINST[1] + pro * FOR[1]
        found.single[by] += apart
        found.pair[by][target] += against * AGAINST[0] + pro * FOR[0] - apart
    for seat, silences in memory.silent.items():
        found.single[seat] += 0.1 * min(silences, 3)
    if not public:
        found.single[memory.me] = 0.0
    return found


def _claims(memory: Memory) -> dict[int, list[Result]]:
    return {seat: memory.results.get(seat, []) for seat in memory.claimants("seer")}


def _nights(memory: Memory, single: list[float], public: bool) -> None:
    """The bitten are seldom wolves."""
    mine = set() if public else set(memory.poisoned.values())
    claimants = memory.claimants("seer")
    for seat, (how, _) in memory.fate.items():
        if how == "night" and seat not in mine:
            single[seat] -= 2.8 if seat in claimants else 1.8
    if not public:
        for victims in memory.victims.values():
            for seat in victims:
                single[seat] -= 2.2


def _cards(memory: Memory, found: Evidence, role: str | None) -> None:
    """Claims of other cards: believed unless disputed, a lie for certain where the card is one's own."""
    holders: dict[str, list[int]] = {}
    for seat, says in memory.says.items():
        if says in WOLF_CARDS:
            found.single[seat] += 3.0
        elif says == role and says != "villager" and seat != memory.me:
            found.single[seat] += 5.0
        elif says not in ("seer", "villager"):
            holders.setdefault(says, []).append(seat)
    for seats in holders.values():
        if len(seats) > 1:
            found.rivals.append(tuple(seats))
        else:
            found.single[seats[0]] -= 1.1
    for witch in holders.get("witch", ()):
        for deed in memory.deeds.get(witch, ()) if len(holders["witch"]) == 1 else ():
            if deed.value == "saved" and deed.target:
                found.single[deed.target] -= 1.4


def _packs(
    evidence: Evidence, sure: frozenset[int], free: list[int], missing: int
) -> tuple[list[frozenset[int]], list[float]]:
    """Every possible pack, and how well it explains votes, words and nights: built wolf by wolf, so that packs share
    the sums of what they have in common."""
    single, pair = evidence.single, evidence.pair
    partial: list[tuple[tuple[int, ...], int, float]] = [(tuple(sure), 0, 0.0)]
    for nth in range(missing):
        last = len(free) - (missing - nth) + 1
        grown = []
        for members, begin, score in partial:
            for at in range(begin, last):
                seat = free[at]
                row, gained = pair[seat], single[seat]
                for one in members:
                    gained += row[one] + pair[one][seat]
                grown.append(((*members, seat), at + 1, score + gained))
        partial = grown
    return [frozenset(members) for members, _, _ in partial], [score for _, _, score in partial]


def _weighed(evidence: Evidence, packs: list[frozenset[int]], scores: list[float]) -> Beliefs:
    """Marginals over all packs."""
    told = _all_told(evidence, packs) if evidence.claims or evidence.rivals else [UNTOLD] * len(packs)
    scores = [score + claims[0] for score, claims in zip(scores, told, strict=True)]
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    total = sum(weights)
    wolf = dict.fromkeys(range(1, len(evidence.single)), 0.0)
    seer = dict.fromkeys(evidence.claims, 0.0)
    for pack, weight, claims in zip(packs, weights, told, strict=True):
        if weight > NEGLIGIBLE:
            for seat in pack:
                wolf[seat] += weight
            for seat in claims[1]:
                seer[seat] += weight / len(claims[1])
    for seat, weight in wolf.items():
        wolf[seat] = min(SURE, max(1 - SURE, weight / total))
    return Beliefs(wolf, {seat: weight / total for seat, weight in seer.items()})


def _all_told(evidence: Evidence, packs: Sequence[frozenset[int]]) -> list[tuple[float, tuple[int, ...]]]:
    """For each pack how well it explains the claims, and the true seers it leaves possible: both depend only on its
    members among those who claim and those of whom something is claimed."""
    touched = frozenset(evidence.claims).union(
        (result.target for results in evidence.claims.values() for result in results),
        (seat for rivals in evidence.rivals for seat in rivals),
    )
    known: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}
    told = []
    for pack in packs:
        members = pack & touched
        if members not in known:
            known[members] = (_told(evidence, members), _true_seers(evidence, members))
        told.append(known[members])
    return told


def _told(evidence: Evidence, pack: frozenset[int]) -> float:
    """How well a pack explains the claims."""
    score, honest = 0.0, 0
    for claimant, results in evidence.claims.items():
        if claimant in pack:
            score += LIED
            for result in results:
                score += (FAKE_BAD_ON_MATE if result.target in pack else FAKE_BAD) if result.bad else FAKE_GOOD
        else:
            honest += 1
            score += log(evidence.bias.get(claimant, 1.0))
            for result in results:
                if result.bad != (result.target in pack):
                    score += TRUE_AND_DENIED
    if evidence.claims:
        score += SILENT_SEER if not honest else VILLAGE_LIAR * (honest - 1)
    for rivals in evidence.rivals:
        score += VILLAGE_LIAR * max(0, sum(seat not in pack for seat in rivals) - 1)
    return score


def _true_seers(evidence: Evidence, pack: frozenset[int]) -> tuple[int, ...]:
    """The claimants that a pack leaves possible."""
    return tuple(
        claimant
        for claimant, results in evidence.claims.items()
        if claimant not in pack and all(result.bad == (result.target in pack) for result in results)
    )


def _apart(evidence: Evidence, facts: Mapping[int, bool], free: list[int], missing: int) -> Beliefs:
    """Large tables: every seat by itself, scaled to the wolves that are missing."""
    odds = {seat: evidence.single[seat] for seat in free}
    for results in evidence.claims.values():
        for result in results:
            if result.target in odds:
                odds[result.target] += 1.2 if result.bad else -1.0
    low, high = -9.0, 9.0
    for _ in range(16):
        middle = (low + high) / 2
        above = sum(_squash(value + middle) for value in odds.values()) > missing
        low, high = (low, middle) if above else (middle, high)
    wolf = {seat: _squash(value + low) for seat, value in odds.items()}
    wolf.update({seat: SURE if bad else 1 - SURE for seat, bad in facts.items()})
    share = 0.85 / max(1, len(evidence.claims))
    return Beliefs(wolf, dict.fromkeys(evidence.claims, share))


def _squash(value: float) -> float:
    return 1 / (1 + exp(-max(-9.0, min(9.0, value))))


__all__ = ["WOLF_CARDS", "Beliefs", "hard_facts", "infer"]
