"""When a seat shows its card, which one it shows, and what it tells of its nights."""

from __future__ import annotations

from players.base import Claim
from players.builtin.claims import LOOKERS
from players.builtin.lines import Point
from players.builtin.mind import Mind
from players.builtin.policies.day import ballot_choice
from players.builtin.policies.watch import next_check

HIDDEN = frozenset({
    "cupid", "piper", "prejudiced", "fox-spirit", "madman", "angel", "thief", "dog-wolf", "actor",
    "devoted-servant", "stuttering-judge", "scapegoat",
})  # fmt: skip
"""Cards that are better not shown: pressed, their holders say they are villagers."""
TELLS = 0.3  # how often a witch comes out unasked to explain her poison: known gods are bitten
COVERS = ("hunter", "witch", "idiot", "elder")
"""What a wolf may pretend to be when it is pressed."""


def pressed(mind: Mind) -> bool:
    """Whether it has to show its card: called a wolf by a check, or several are after it."""
    checked = any(r.target == mind.me and r.bad for told in mind.memory.results.values() for r in told)
    return checked or len(mind.memory.accusers(mind.me)) >= max(3, (len(mind.alive) + 1) // 3)


def reveal(mind: Mind, forced: bool) -> list[Point]:
    """The card it claims, and what its nights showed, as far as it is time to tell."""
    memory = mind.memory
    if mind.poses or (mind.role in LOOKERS and not mind.poser):
        return _as_looker(mind, forced)
    says = memory.says.get(mind.me)
    points: list[Point] = []
    card = shown_card(mind)
    if says is None and card and (forced or (card == mind.role and deeds(mind))):
        points.append(Point("claim-role.plain", Claim("claim-role", mind.me, None, None, card)))
    if (forced or says == mind.role or points) and card == mind.role and not mind.poser:
        told = memory.deeds.get(mind.me, [])
        points += [deed for deed in deeds(mind, everything=True) if deed.claim not in told]
    return points


def shown_card(mind: Mind) -> str:
    """The card it admits to when pressed; empty: none."""
    plain = "villager" if "villager" in mind.deck else ""
    if mind.poser or mind.role in HIDDEN:
        free = [card for card in COVERS if card in mind.deck and not mind.memory.claimants(card)]
        free = [card for card in free if card not in mind.memory.cards.values()]
        sly = mind.is_wolf and mind.persona.name in ("sly", "bold") and mind.steady("card") < 0.6
        return free[0] if free and sly else plain
    return mind.role


def _as_looker(mind: Mind, forced: bool) -> list[Point]:
    """Come out, or report the checks not yet told."""
    memory, results = mind.memory, mind.results
    card = "seer" if mind.poses or mind.role == "seer" else mind.role
    out = memory.says.get(mind.me) == card
    if not (out or _time(mind, card, forced, any(result.bad for result in results))):
        return []
    if card != "seer" and not results and not out and not forced:
        return []
    told = {(r.target, r.bad) for r in memory.results.get(mind.me, ())} if out else set()
    points: list[Point] = []
    if not out:
        key = "claim-role.seer" if card == "seer" else "claim-role.plain"
        points.append(Point(key, Claim("claim-role", mind.me, None, None, card)))
    for result in results:
        if (result.target, result.bad) not in told:
            points.append(_report(mind, card, result.target, result.bad, result.night or mind.day))
    return [*points, *_plan(mind)] if points and card == "seer" else points


def _time(mind: Mind, card: str, forced: bool, bad: bool) -> bool:
    """Whether it is time to come out with this card."""
    if forced:
        return True
    if card != "seer":
        return mind.day >= 2 and (bad or mind.steady("out") < 0.7)
    rivals = [seat for seat in mind.memory.claimants("seer") if seat != mind.me]
    electing = mind.memory.phase == "election"
    return bool(rivals) or bad or electing or mind.day >= 2 or mind.steady("out") < 0.5


def _report(mind: Mind, card: str, target: int, bad: bool, night: int) -> Point:
    value = "bad" if bad else "good"
    key = {"seer": f"result.{value}", "medium": f"result.medium-{value}"}.get(card, "result.saw")
    return Point(key, Claim("claim-result", mind.me, target, night, value), target, number=night)


def _plan(mind: Mind) -> list[Point]:
    """Whom it will look at: the badge's way, if it may get the badge."""
    told = {r.target for r in mind.memory.results.get(mind.me, ())} | {r.target for r in mind.results}
    called = ballot_choice(mind, mind.votable) if mind.memory.phase == "day" else 0
    fresh = tuple(seat for seat in mind.others if seat not in told and seat != called)
    target = next_check(mind, fresh) if fresh else None
    if not target or mind.me not in mind.alive or mind.random("plan").random() > 0.8:
        return []
    claim = Claim("plan", mind.me, target, None, "check")
    after = next_check(mind, tuple(seat for seat in fresh if seat != target))
    if mind.memory.phase == "election" and after and after != target:
        later = Claim("plan", mind.me, after, None, "check")
        return [Point("plan.flow", claim, target, after, claims=(later,))]
    return [Point("plan.badge" if mind.me == mind.sheriff else "plan.check", claim, target)]


def deeds(mind: Mind, everything: bool = False) -> list[Point]:
    """What a witch or guard did. Unasked, a witch comes out only when her poison has to be explained."""
    told, points = mind.memory.told, []
    kinds = (("poisoned", told.poisoned), ("saved", told.saved), ("guarded", told.guarded))
    for value, nights in kinds:
        for night, seat in nights.items():
            if seat and seat != mind.me and (everything or (value == "poisoned" and mind.steady("tell") < TELLS)):
                claim = Claim("claim-result", mind.me, seat, night, value)
                points.append(Point(f"result.{value}", claim, seat, number=night))
    return points


__all__ = ["deeds", "pressed", "reveal", "shown_card"]
