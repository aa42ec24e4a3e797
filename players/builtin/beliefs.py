"""Who is a wolf: a probability for every seat.

Every set of seats that may be the pack is weighed by how well it explains what was seen: facts rule sets out, claims to
be the seer hang together (at most one is true, and a true one's checks are), wolves seldom turn on each other, and the
night kills villagers. `infer` is a pure function of what is remembered; a better inference replaces this file alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import comb, exp

from players.builtin.claims import LOOKERS, VILLAGE_LIAR, Tale, Told, explained, tales
from players.builtin.memory import Memory

SURE = 0.995
MOST_SETS = 2000  # packs that are weighed one by one; beyond, seats are taken apart
AGAINST, FOR = (-1.3, 0.05), (0.25, 0.0)
"""What turning on a seat, or standing up for it, tells of who does so, if he is a wolf: log-odds where its object is
his packmate, and where it is not. Wolves seldom turn on wolves; villagers often turn on villagers."""
WORD = 0.5  # an accusation beside a vote
STANDS = frozenset({"accuse", "vote-call", "disagree", "vouch", "agree"})
COMMON = 0.1  # what a stand counts that all others take too
OFTEN = 2.0  # how often one seat's stand on another counts at most
NEGLIGIBLE = 1e-7
IMPOSSIBLE = -14.0  # a pack without a wolf where there is one
UNTOLD: Told = (0.0, ())
WOLF_CARDS = frozenset({"werewolf", "big-bad-wolf", "infecting-wolf", "white-wolf"})


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
    wolves. tales: claims to cards that look. rivals: seats that claim one card between them, and how many there are.
    some: groups that hold a wolf."""

    single: list[float]
    pair: list[list[float]]
    tales: tuple[Tale, ...] = ()
    rivals: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    some: list[frozenset[int]] = field(default_factory=list)


def hard_facts(memory: Memory, role: str | None, public: bool = False) -> dict[int, bool]:
    """Seats whose side this seat, or the public, knows for certain: True a wolf."""
    if public:
        return {**{seat: card in WOLF_CARDS for seat, card in memory.cards.items()}, **memory.scene.cleared}
    facts = dict(memory.facts.wolf)
    facts[memory.me] = role in WOLF_CARDS or facts.get(memory.me, False)
    return facts


def infer(
    memory: Memory,
    role: str | None,
    wolves: int,
    *,
    public: bool = False,
    bias: Mapping[int, float] | None = None,
    deck: Mapping[str, int] | None = None,
    innocent: int = 0,
) -> Beliefs:
    """Beliefs of this seat. public: as somebody would see it who knows nothing in private. bias: by seat, how much more
    than another this seat takes to it (1: not at all); where claims are even, taste decides. deck: the cards in play,
    where they are known. innocent: a seat that passes for good, as a wolf does before itself."""
    facts = hard_facts(memory, role, public)
    if innocent:
        facts[innocent] = False
    sure = frozenset(seat for seat, wolf in facts.items() if wolf)
    free = [seat for seat in range(1, memory.size + 1) if seat not in facts]
    missing = min(len(free), max(0, wolves - len(sure)))
    evidence = gather(memory, None if public else role, public, bias or {}, deck or {})
    if comb(len(free), missing) > MOST_SETS:
        return _apart(evidence, facts, free, missing)
    return _weighed(evidence, *_packs(evidence, sure, free, missing))


def gather(
    memory: Memory, role: str | None, public: bool, bias: Mapping[int, float], deck: Mapping[str, int]
) -> Evidence:
    """Everything seen, as log-odds."""
    size = memory.size + 1
    found = Evidence([0.0] * size, [[0.0] * size for _ in range(size)])
    found.tales = tuple(tales(memory, role, bias, deck))
    found.some = [] if public else memory.facts.some
    _nights(memory, found.single, public)
    _cards(memory, found, role, deck)
    stands = _stands(memory)
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


def _stands(memory: Memory) -> dict[tuple[int, int], list[float]]:
    """By (seat, object): how often it turned on it, and stood up for it. What everybody does tells little of anyone, so
    a stand counts by the share of the table that did not take it that day."""
    voted: dict[tuple[int, int], int] = {}
    voters: dict[int, int] = {}
    for ballot in memory.ballots:
        voted[ballot.day, ballot.target] = voted.get((ballot.day, ballot.target), 0) + 1
        voters[ballot.day] = voters.get(ballot.day, 0) + 1
    stands: dict[tuple[int, int], list[float]] = {}
    for ballot in memory.ballots:
        share = (voted[ballot.day, ballot.target] - 1) / max(1, voters[ballot.day] - 1)
        stands.setdefault((ballot.voter, ballot.target), [0.0, 0.0])[0] += max(COMMON, 1 - share)
    said: dict[tuple[int, int, int], set[int]] = {}
    for heard in memory.heard:
        target, act = heard.claim.target, heard.claim.act
        if target and act in STANDS:
            kind = 1 if heard.claim.negated or act in ("vouch", "agree") else 0
            said.setdefault((heard.day, target, kind), set()).add(heard.speaker)
    table = max(1, memory.size - len(memory.fate))
    for (_, target, kind), speakers in said.items():
        weight = WORD * max(COMMON, 1 - (len(speakers) - 1) / table)
        for speaker in speakers:
            stands.setdefault((speaker, target), [0.0, 0.0])[kind] += weight
    return stands


def _nights(memory: Memory, single: list[float], public: bool) -> None:
    """The bitten are seldom wolves."""
    mine = set() if public else set(memory.told.poisoned.values())
    claimants = memory.claimants("seer")
    for seat, (how, _) in memory.fate.items():
        if how == "night" and seat not in mine:
            single[seat] -= 2.8 if seat in claimants else 1.8
    if not public:
        for victims in memory.told.victims.values():
            for seat in victims:
                single[seat] -= 2.2


def _cards(memory: Memory, found: Evidence, role: str | None, deck: Mapping[str, int]) -> None:
    """Claims of other cards: believed unless disputed, a lie for certain where the card is one's own or lies open."""
    holders: dict[str, list[int]] = {}
    for seat, says in memory.says.items():
        shown = memory.cards.get(seat)
        if shown is not None and seat != memory.me:
            continue
        if says in WOLF_CARDS:
            found.single[seat] += 3.0
        elif says not in LOOKERS and says != "villager":
            if says == role and seat != memory.me and deck.get(says, 1) == 1:
                found.single[seat] += 5.0
            holders.setdefault(says, []).append(seat)
    for says, seats in holders.items():
        open_ones = sum(card == says for seat, card in memory.cards.items() if seat != memory.me)
        left = deck.get(says, 1) - open_ones
        if len(seats) > max(0, left):
            found.rivals.append((tuple(seats), max(0, left)))
        else:
            for seat in seats:
                found.single[seat] -= 1.1
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
    packs, scores = [frozenset(members) for members, _, _ in partial], [score for _, _, score in partial]
    for group in evidence.some:
        scores = [score if pack & group else score + IMPOSSIBLE for pack, score in zip(packs, scores, strict=True)]
    return packs, scores


def _weighed(evidence: Evidence, packs: list[frozenset[int]], scores: list[float]) -> Beliefs:
    """Marginals over all packs."""
    told = _all_told(evidence, packs) if evidence.tales or evidence.rivals else [UNTOLD] * len(packs)
    scores = [score + claims[0] for score, claims in zip(scores, told, strict=True)]
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    total = sum(weights)
    wolf = dict.fromkeys(range(1, len(evidence.single)), 0.0)
    seer = {seat: 0.0 for tale in evidence.tales if tale.role == "seer" for seat in tale.results}
    for pack, weight, claims in zip(packs, weights, told, strict=True):
        if weight > NEGLIGIBLE:
            for seat in pack:
                wolf[seat] += weight
            for seat, share in claims[1]:
                seer[seat] += weight * share
    for seat, weight in wolf.items():
        wolf[seat] = min(SURE, max(1 - SURE, weight / total))
    return Beliefs(wolf, {seat: weight / total for seat, weight in seer.items()})


def _all_told(evidence: Evidence, packs: Sequence[frozenset[int]]) -> list[Told]:
    """For each pack how well it explains the claims, and how likely each claimant then is the seer: both depend only on
    its members among those who claim and those of whom something is claimed."""
    touched = frozenset(seat for tale in evidence.tales for seat in tale.touched).union(
        seat for rivals, _ in evidence.rivals for seat in rivals
    )
    known: dict[frozenset[int], Told] = {}
    told = []
    for pack in packs:
        members = pack & touched
        if members not in known:
            known[members] = _told(evidence, members)
        told.append(known[members])
    return told


def _told(evidence: Evidence, pack: frozenset[int]) -> Told:
    """How well a pack explains the claims, and the seers it leaves possible."""
    score, seers = 0.0, UNTOLD[1]
    for tale in evidence.tales:
        fits, shares = explained(tale, pack)
        score += fits
        if tale.role == "seer":
            seers = shares
    for rivals, true in evidence.rivals:
        score += VILLAGE_LIAR * max(0, sum(seat not in pack for seat in rivals) - true)
    return score, seers


def _apart(evidence: Evidence, facts: Mapping[int, bool], free: list[int], missing: int) -> Beliefs:
    """Large tables: every seat by itself, scaled to the wolves that are missing."""
    odds = {seat: evidence.single[seat] for seat in free}
    for tale in evidence.tales:
        for result in (result for results in tale.results.values() for result in results):
            if result.target in odds:
                odds[result.target] += 1.2 if result.bad else -1.0
    low, high = -9.0, 9.0
    for _ in range(16):
        middle = (low + high) / 2
        above = sum(_squash(value + middle) for value in odds.values()) > missing
        low, high = (low, middle) if above else (middle, high)
    wolf = {seat: _squash(value + low) for seat, value in odds.items()}
    wolf.update({seat: SURE if bad else 1 - SURE for seat, bad in facts.items()})
    seers = [seat for tale in evidence.tales if tale.role == "seer" for seat in tale.results]
    return Beliefs(wolf, dict.fromkeys(seers, 0.85 / max(1, len(seers))))


def _squash(value: float) -> float:
    return 1 / (1 + exp(-max(-9.0, min(9.0, value))))


__all__ = ["WOLF_CARDS", "Beliefs", "hard_facts", "infer"]
