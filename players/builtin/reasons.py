"""Why: accusations, support and trust with a reason that really happened, the best one first."""

from __future__ import annotations

from collections.abc import Callable

from players.base import Claim
from players.builtin.beliefs import WOLF_CARDS
from players.builtin.lines import Point
from players.builtin.memory import Heard, against
from players.builtin.mind import Mind

CLEAR = 0.25  # a seat below this suspicion is not worth attacking
Reason = Callable[[Mind, int, Claim], Point | None]


def accuse(mind: Mind) -> list[Point]:
    """The top suspect, with the best reason there is; a mere hunch is not always told."""
    target = mind.suspect
    if not target or mind.goal == "angel":
        return []
    if any(r.target == target and r.bad for r in mind.memory.results.get(mind.me, ())):
        return []  # it has said so with a check
    claim = Claim("accuse", mind.me, target)
    point = next((found for reason in REASONS if (found := reason(mind, target, claim))), None)
    bar = 0.38 if point else 0.45
    if mind.outlook.wolf.get(target, 0) <= bar and mind.random("hunch").random() > 0.35:
        return []
    return [point or Point(_plainly(mind, "accuse", target), claim, target)]


def _plainly(mind: Mind, act: str, target: int) -> str:
    """The line's key: how a seat talks is spoken of only when it has talked."""
    talked = mind.memory.spoke.get(target, 0) > 0
    return f"{act}.talk" if talked and mind.random(f"{act}.talk").random() < 0.5 else f"{act}.plain"


def told_bad_by(mind: Mind, target: int) -> list[int]:
    """Who claims a check that shows this seat a wolf."""
    found = mind.memory.results.items()
    return [seat for seat, told in found if any(r.target == target and r.bad for r in told)]


def _checked(mind: Mind, target: int, claim: Claim) -> Point | None:
    if _rivals(mind):
        return None
    for seer in told_bad_by(mind, target):
        if seer != mind.me and mind.outlook.seer.get(seer, 0) > 0.5:
            return Point("accuse.checked", claim, target, seer)
    return None


def _rivals(mind: Mind) -> bool:
    """Whether it is the seer itself, or says so: then another's checks are worth nothing to it."""
    return mind.role == "seer" or mind.poses or mind.memory.says.get(mind.me) == "seer"


def _rival(mind: Mind, target: int, claim: Claim) -> Point | None:
    if mind.memory.says.get(target) != "seer":
        return None
    rivals = [seat for seat in mind.memory.claimants("seer") if seat != target]
    if not rivals:
        return None
    best = max(rivals, key=lambda seat: (mind.outlook.seer.get(seat, 0), -seat))
    came = [heard.speaker for heard in mind.memory.heard if heard.claim.value == "seer"]
    late = best != mind.me and best in came and target in came and came.index(best) < came.index(target)
    if late and mind.random("late").random() < 0.4:
        return Point("accuse.late", claim, target, best)
    return Point("accuse.counter", claim, target, best) if best != mind.me else None


def _mate(mind: Mind, target: int, claim: Claim) -> Point | None:
    """It stood up for a seat that turned out to be a wolf."""
    cards = mind.memory.cards
    for heard in _by(mind, target):
        other = heard.claim.target
        if other and _kind(heard) and cards.get(other) in WOLF_CARDS and other != target:
            return Point("accuse.mate", claim, target, other)
    return None


def _victim(mind: Mind, target: int, claim: Claim) -> Point | None:
    """Last night's dead had turned on it the day before."""
    memory = mind.memory
    lost = {seat for seat, (how, day) in memory.fate.items() if how == "night" and day == mind.day and seat != mind.me}
    for heard in reversed(memory.heard):
        if heard.day == mind.day - 1 and heard.speaker in lost and against(heard.claim, target):
            return Point("accuse.victim", claim, target, heard.speaker)
    return None


def _flip(mind: Mind, target: int, claim: Claim) -> Point | None:
    """First for a seat, then against it."""
    kind: set[int] = set()
    for heard in _by(mind, target):
        other = heard.claim.target
        if not other or other == mind.me:
            continue
        if _kind(heard) and heard.claim.act == "vouch":
            kind.add(other)
        elif against(heard.claim, other) and other in kind:
            return Point("accuse.flip", claim, target, other)
    return None


def _vote(mind: Mind, target: int, claim: Claim) -> Point | None:
    """It voted for a seat that looks good by now."""
    mine = {(b.day, b.target) for b in mind.memory.ballots if b.voter == mind.me}
    for ballot in reversed(mind.memory.ballots):
        if (ballot.day, ballot.target) in mine:
            continue  # so did it
        good = mind.outlook.wolf.get(ballot.target, 1) < CLEAR
        if ballot.voter == target and ballot.target != mind.me and ballot.day < mind.day and good:
            return Point("accuse.vote", claim, target, ballot.target, ballot.day)
    return None


def _push(mind: Mind, target: int, claim: Claim) -> Point | None:
    """It presses a seat that looks good."""
    for heard in reversed(mind.memory.heard):
        pushed = heard.claim.target or mind.me
        good = mind.outlook.wolf.get(pushed, 1) < CLEAR
        if heard.speaker == target and pushed != mind.me and against(heard.claim, pushed) and good:
            return Point("accuse.push", claim, target, pushed)
    return None


def _quiet(mind: Mind, target: int, claim: Claim) -> Point | None:
    silent, spoke = mind.memory.silent.get(target, 0), mind.memory.spoke.get(target, 0)
    return Point("accuse.quiet", claim, target) if silent > spoke else None


REASONS: tuple[Reason, ...] = (_checked, _rival, _mate, _victim, _flip, _vote, _push, _quiet)


def _by(mind: Mind, seat: int) -> list[Heard]:
    return [heard for heard in mind.memory.heard if heard.speaker == seat]


def _kind(heard: Heard) -> bool:
    return heard.claim.act in ("vouch", "agree") and not heard.claim.negated


# ---------------------------------------------------------------- for somebody


def vouch(mind: Mind) -> list[Point]:
    """A seat it would answer for, if there is a reason."""
    target, memory = mind.ally, mind.memory
    if not target or mind.outlook.wolf[target] > 0.2 or mind.random("vouch").random() > 0.5:
        return []
    if memory.says.get(target) == "seer" and (mind.role == "seer" or mind.poses):
        return []
    claim = Claim("vouch", mind.me, target)
    if any(r.target == target and not r.bad for r in memory.results.get(mind.me, ())):
        return []
    if any(h.claim == claim for h in _by(mind, mind.me)):
        return []  # said on an earlier day
    for seer, trust in ({} if _rivals(mind) else mind.outlook.seer).items():
        told = memory.results.get(seer, ())
        if seer not in (mind.me, target) and trust > 0.5 and any(r.target == target and not r.bad for r in told):
            return [Point("vouch.checked", claim, target, seer)]
    for ballot in memory.ballots:
        if ballot.voter == target and memory.cards.get(ballot.target) in WOLF_CARDS:
            return [Point("vouch.vote", claim, target, ballot.target, ballot.day)]
    return [Point(_plainly(mind, "vouch", target), claim, target)]


def stance(mind: Mind) -> list[Point]:
    """Where it stands between those who claim to be the seer, when that is new."""
    memory = mind.memory
    if memory.says.get(mind.me) == "seer" or mind.role == "seer" or mind.poses:
        return []
    seer = {seat: trust for seat, trust in mind.outlook.seer.items() if seat != mind.me}
    best = max(seer, key=lambda seat: (round(seer[seat], 9), -seat), default=0)
    before = [h for h in _by(mind, mind.me) if h.claim.act in ("agree", "disagree") and h.claim.target in seer]
    if not best or best in memory.cards:
        return []  # an open card needs nobody's word
    if seer[best] < 0.4:
        rival = min((s for s in seer if memory.alive(s)), key=lambda s: seer[s], default=0)
        if not rival or any(h.claim.act == "disagree" and h.claim.target == rival for h in before):
            return []
        return [_distrust(mind, rival)]
    if before and before[-1].claim.act == "agree" and before[-1].claim.target == best:
        return []
    return [_trust(mind, best, [seat for seat in seer if seat != best])]


def _trust(mind: Mind, seer: int, rivals: list[int]) -> Point:
    claim = Claim("agree", mind.me, seer)
    for result in mind.memory.results.get(seer, ()):
        card = mind.memory.cards.get(result.target)
        if result.bad and card in WOLF_CARDS:
            return Point("agree.proved", claim, seer, result.target)
    if not rivals:
        return Point("agree.one", claim, seer)
    if len(rivals) > 1:
        return Point("agree.many", claim, seer)
    return Point("agree.two", claim, seer, max(rivals, key=lambda seat: (mind.outlook.seer.get(seat, 0), -seat)))


def _distrust(mind: Mind, seer: int) -> Point:
    claim = Claim("disagree", mind.me, seer)
    for result in mind.memory.results.get(seer, ()):
        card = mind.memory.cards.get(result.target)
        if card is not None and result.bad != (card in WOLF_CARDS):
            return Point("disagree.refuted", claim, seer, result.target)
    return Point("disagree.plain", claim, seer)


def quote(mind: Mind) -> list[Point]:
    """With or against what somebody said today about a third seat."""
    wolf, rng = mind.outlook.wolf, mind.random("quote")
    if rng.random() > 0.6:
        return []
    for heard in reversed(mind.memory.heard):
        about, by = heard.claim.target, heard.speaker
        if heard.day != mind.day or by not in mind.others or not about or about in (by, mind.me):
            continue
        if heard.claim.act != "accuse" or heard.claim.negated or mind.memory.says.get(by) == "seer":
            continue
        if wolf.get(about, 0) > 0.5 and wolf.get(by, 1) < 0.5:
            return [Point("quote.agree", Claim("agree", mind.me, by), by, about)]
        if wolf.get(about, 1) < CLEAR and wolf.get(by, 0) > 0.35:
            return [Point("quote.disagree", Claim("disagree", mind.me, by), by, about)]
    return []


__all__ = ["accuse", "quote", "stance", "told_bad_by", "vouch"]
