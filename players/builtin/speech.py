"""What a built-in player says: first the claims, then the words for them, so that the two never disagree."""

from __future__ import annotations

from players.base import Claim
from players.builtin.lines import Point, render
from players.builtin.memory import against
from players.builtin.mind import Mind
from players.builtin.strategy import ballot_choice, next_check, prey

Speech = tuple[str, tuple[Claim, ...]]
SURE_ENOUGH = 0.5  # belief from which a seat is called for


def speak(mind: Mind, kind: str) -> Speech:
    """A speech for a talk ask of this kind."""
    if kind == "werewolf.talk":
        points = _to_the_pack(mind)
    elif kind == "dead.last-words":
        points = _last_words(mind)
    elif kind == "day.plea":
        points = [_defend(mind), *_reveal(mind, pressed=True), *_accuse(mind), *_call(mind)]
    elif kind in ("day.speak", "election.speak"):
        points = _in_turn(mind, kind == "election.speak")
    else:
        return "", ()
    text = render(points, mind.lang, mind.memory.spoke.get(mind.me, 0), f"{mind.seed}:{mind.me}")
    return text, tuple(point.claim for point in points if point.claim)


def _to_the_pack(mind: Mind) -> list[Point]:
    target = prey(mind, mind.others)
    if not target:
        return []
    agreed = target in mind.memory.proposals.values()
    claim = Claim("plan", mind.me, target, None, "bite")
    return [Point("pack.agree" if agreed else "pack.bite", claim, target)]


def _last_words(mind: Mind) -> list[Point]:
    return [*_reveal(mind, pressed=True), *_accuse(mind), *_stance(mind), *_call(mind), Point("words")]


def _in_turn(mind: Mind, election: bool) -> list[Point]:
    """A speech in the round or for the badge."""
    core = [*_reveal(mind, pressed=_pressed(mind)), *_answer(mind)]
    room = mind.persona.talk
    rest = [*_stance(mind), *_accuse(mind), *_vouch(mind)]
    points = core + [p for p in rest if not _said_in(core, p)][: max(1, room - len(core))]
    if not election:
        points += [call for call in _call(mind) if not _said_in(core, call)]
    if not any(point.claim for point in points):
        points = _ask_around(mind)
    return [*_opening(mind, election), *points, *_closing(mind)]


def _said_in(points: list[Point], point: Point) -> bool:
    return any(p.claim == point.claim for p in points)


# ---------------------------------------------------------------- its own card


def _pressed(mind: Mind) -> bool:
    """Whether it has to show its card: called a wolf by a check, or several are after it."""
    checked = any(r.target == mind.me and r.bad for told in mind.memory.results.values() for r in told)
    return checked or len(mind.memory.accusers(mind.me)) >= 3


def _reveal(mind: Mind, pressed: bool) -> list[Point]:
    """The card it claims, and what its nights showed, as far as it is time to tell."""
    memory = mind.memory
    if mind.role == "seer" or mind.poses:
        return _as_seer(mind, pressed)
    says = memory.says.get(mind.me)
    points: list[Point] = []
    role = _shown_role(mind)
    if says is None and role and (pressed or _deeds(mind)):
        points.append(Point("claim-role.plain", Claim("claim-role", mind.me, None, None, role)))
    if (pressed or says == "witch" or points) and role == mind.role:
        told = memory.deeds.get(mind.me, [])
        points += [deed for deed in _deeds(mind, everything=True) if deed.claim not in told]
    return points


def _shown_role(mind: Mind) -> str:
    """The card it admits to when pressed."""
    if mind.role == "cupid":
        return ""
    if not mind.is_wolf:
        return mind.role
    free = [r for r in ("hunter", "witch") if r in mind.deck and not mind.memory.claimants(r)]
    return free[0] if free and mind.persona.name == "sly" and mind.steady("card") < 0.6 else "villager"


def _as_seer(mind: Mind, pressed: bool) -> list[Point]:
    """Come out, or report the checks not yet told."""
    memory, results = mind.memory, mind.results
    out = memory.says.get(mind.me) == "seer"
    rivals = [seat for seat in memory.claimants("seer") if seat != mind.me]
    bad = any(result.bad for result in results)
    electing = memory.phase == "election"
    if not (out or pressed or rivals or bad or electing or mind.day >= 2 or mind.steady("out") < 0.5):
        return []
    told = {(r.target, r.bad) for r in memory.results.get(mind.me, ())} if out else set()
    points: list[Point] = []
    if not out:
        points.append(Point("claim-role.seer", Claim("claim-role", mind.me, None, None, "seer")))
    for result in results:
        if (result.target, result.bad) not in told:
            value = "bad" if result.bad else "good"
            night = result.night or mind.day
            claim = Claim("claim-result", mind.me, result.target, night, value)
            points.append(Point(f"result.{value}", claim, result.target, number=night))
    target = next_check(mind, mind.others)
    if points and target and mind.random("plan").random() < 0.75:
        points.append(Point("plan.check", Claim("plan", mind.me, target, None, "check"), target))
    return points


def _deeds(mind: Mind, everything: bool = False) -> list[Point]:
    """What a witch or guard did. Unasked, a witch comes out only when her poison has to be explained."""
    memory, points = mind.memory, []
    kinds = (("poisoned", memory.poisoned), ("saved", memory.saved), ("guarded", memory.guarded))
    for value, nights in kinds:
        for night, seat in nights.items():
            if seat and (everything or (value == "poisoned" and mind.steady("tell") < 0.6)):
                claim = Claim("claim-result", mind.me, seat, night, value)
                points.append(Point(f"result.{value}", claim, seat, number=night))
    return points


def _defend(mind: Mind) -> Point:
    return Point("defend", Claim("defend", mind.me))


def _answer(mind: Mind) -> list[Point]:
    """To those who went for it since nightfall."""
    memory = mind.memory
    points: list[Point] = []
    liars = [seat for seat, told in memory.results.items() if any(r.target == mind.me and r.bad for r in told)]
    as_seer = mind.role == "seer" or mind.poses
    if (liars and not as_seer) or len(memory.accusers(mind.me)) >= 2:
        points.append(_defend(mind))
    for liar in liars:
        if memory.alive(liar) and liar not in mind.mates and not _today(mind, "accuse", liar):
            points.append(Point("accuse.counter", Claim("accuse", mind.me, liar), liar, mind.me))
    return points


# ---------------------------------------------------------------- the others


def _today(mind: Mind, act: str, target: int) -> bool:
    said = mind.memory.day_said.get(mind.me, ())
    return any(claim.act == act and claim.target == target for claim in said)


def _stance(mind: Mind) -> list[Point]:
    """Where it stands between those who claim to be the seer."""
    if mind.memory.says.get(mind.me) == "seer":
        return []
    seer = {seat: trust for seat, trust in mind.outlook.seer.items() if seat != mind.me}
    best = max(seer, key=lambda seat: (round(seer[seat], 9), -seat), default=0)
    before = [h for h in mind.memory.heard if h.speaker == mind.me and h.claim.act == "agree"]
    if not best or (before and before[-1].claim.target == best and before[-1].day != mind.day):
        return []
    if seer[best] < 0.4:
        rival = min((s for s in seer if mind.memory.alive(s)), key=lambda s: seer[s], default=0)
        return [Point("disagree", Claim("disagree", mind.me, rival), rival)] if rival else []
    return [Point("agree", Claim("agree", mind.me, best), best)]


def _accuse(mind: Mind) -> list[Point]:
    """The top suspect, with the best reason there is."""
    target = ballot_choice(mind, mind.others)
    if not target:
        return []
    point = _reasoned(mind, target)
    informed = mind.outlook.wolf[target] > (0.45 if point.key == "accuse.plain" else 0.38)
    return [point] if informed or mind.random("hunch").random() < 0.35 else []


def _reasoned(mind: Mind, target: int) -> Point:
    """An accusation that refers to what really happened."""
    memory, claim = mind.memory, Claim("accuse", mind.me, target)
    wolf = mind.outlook.wolf
    for seer, trust in mind.outlook.seer.items():
        told = memory.results.get(seer, ())
        if seer not in (mind.me, target) and trust > 0.5 and any(r.target == target and r.bad for r in told):
            return Point("accuse.checked", claim, target, seer)
    rivals = [seat for seat in memory.claimants("seer") if seat != target]
    if memory.says.get(target) == "seer" and rivals:
        return Point("accuse.counter", claim, target, max(rivals, key=lambda s: mind.outlook.seer.get(s, 0)))
    for ballot in reversed(memory.ballots):
        if (
            ballot.voter == target
            and ballot.target != mind.me
            and ballot.day < mind.day
            and wolf.get(ballot.target, 1) < 0.25
        ):
            return Point("accuse.vote", claim, target, ballot.target, ballot.day)
    for heard in reversed(memory.heard):
        pushed = heard.claim.target or mind.me
        if heard.speaker == target and pushed != mind.me and against(heard.claim, pushed) and wolf[pushed] < 0.25:
            return Point("accuse.push", claim, target, pushed)
    if memory.silent.get(target, 0) > memory.spoke.get(target, 0):
        return Point("accuse.quiet", claim, target)
    return Point("accuse.plain", claim, target)


def _vouch(mind: Mind) -> list[Point]:
    """A seat it would answer for, if there is a reason."""
    target = mind.ally
    if not target or mind.outlook.wolf[target] > 0.2 or mind.random("vouch").random() > 0.5:
        return []
    claim = Claim("vouch", mind.me, target)
    for seer, trust in mind.outlook.seer.items():
        told = mind.memory.results.get(seer, ())
        if seer != mind.me and seer != target and trust > 0.5 and any(r.target == target and not r.bad for r in told):
            return [Point("vouch.checked", claim, target, seer)]
    return [Point("vouch.plain", claim, target)]


def _call(mind: Mind) -> list[Point]:
    """Whom to vote for, when it is sure enough."""
    target = ballot_choice(mind, mind.others)
    leads = mind.me == mind.sheriff
    if not target or not (leads or mind.outlook.wolf[target] > SURE_ENOUGH):
        return []
    return [Point("vote-call", Claim("vote-call", mind.me, target), target)]


def _ask_around(mind: Mind) -> list[Point]:
    """Nothing to claim: a question to one who has not spoken yet."""
    quiet = [seat for seat in mind.others if seat not in mind.memory.today]
    if quiet and mind.random("ask").random() < 0.6:
        target = mind.random("whom").choice(quiet)
        return [Point("thin"), Point("ask", Claim("ask", mind.me, target), target)]
    return [Point("thin")]


# ---------------------------------------------------------------- around it


def _opening(mind: Mind, election: bool) -> list[Point]:
    if mind.persona.talk < 3 or mind.random("open").random() < 0.4:
        return []
    if election:
        return [Point("open.election")]
    lost = [seat for seat, (how, day) in mind.memory.fate.items() if how == "night" and day == mind.day]
    if mind.random("news").random() < 0.5:
        return [Point("open.day")]
    return [Point("open.dead", None, lost[0])] if lost else [Point("open.peaceful")]


def _closing(mind: Mind) -> list[Point]:
    return [Point("close")] if mind.persona.talk > 2 and mind.random("close").random() < 0.35 else []


__all__ = ["speak"]
