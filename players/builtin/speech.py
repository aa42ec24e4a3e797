"""What a built-in player says: first the claims, then the words for them, so that the two never disagree."""

from __future__ import annotations

from dataclasses import replace

from engine.new_moon.manners import FORBIDDEN, NotMeNorWolf
from players.base import Claim
from players.builtin.cards import deeds, pressed, reveal
from players.builtin.lines import Point, render
from players.builtin.mind import Mind
from players.builtin.policies.day import ballot_choice, together
from players.builtin.policies.pack import prey, quarry, worth
from players.builtin.reasons import accuse, quote, stance, told_bad_by, vouch

Speech = tuple[str, tuple[Claim, ...]]
SURE_ENOUGH = 0.5  # belief from which a seat is called for
WEIGHTY = frozenset({"claim-role", "claim-result"})  # claims that are worth a speech of their own
CHORUS = 3  # seats that have said a thing before it is left out
LATELY = 10  # speeches whose lines it does not echo
HUNCHES = frozenset({"accuse.plain", "accuse.talk", "accuse.vote", "accuse.push", "accuse.quiet"})
SPARING = frozenset({"accuse.push", "accuse.vote", "quote.disagree"})
"""Lines that hold the other seat in them for good."""
MOBBED = 2  # accusers from which it defends itself


def speak(mind: Mind, kind: str) -> Speech:
    """A speech for a talk ask of this kind; empty where it has nothing to say, or does not know the kind."""
    match kind:
        case "werewolf.talk":
            points = _to_the_pack(mind)
        case "sisters.talk" | "brothers.talk":
            points = _to_siblings(mind)
        case "stuttering-judge.agree":
            points = [Point("sign")]
        case "dead.last-words":
            points = _joined(reveal(mind, forced=True), [*stance(mind), *accuse(mind), *_last_call(mind)], 6)
            points = [*points, Point("words")]
        case "day.plea" | "punishment.plea":
            core = [*_defend(mind, always=True), *reveal(mind, forced=True)]
            points = _joined(core, [*accuse(mind), *_call(mind)], 6)
        case "day.speak":
            points = _again(mind) if mind.memory.turns.get(mind.me) else _in_turn(mind)
        case "day.interject":
            points = _new(mind, [*accuse(mind), *_call(mind)])[:2]
        case "election.speak":
            points = _in_turn(mind, election=True)
        case _:
            points = []
    memory = mind.memory
    heard = [*memory.others[-LATELY:], *memory.pack_said]
    barred = FORBIDDEN if memory.phase == "day" and NotMeNorWolf.id in memory.scene.cards else None
    return render(points, mind.lang, memory.own, f"{mind.seed}:{mind.me}:{memory.read}", heard, barred)


def _to_the_pack(mind: Mind) -> list[Point]:
    there = tuple(seat for seat in mind.others if seat not in mind.memory.scene.away)
    target = prey(mind, there) if mind.is_wolf else quarry(mind, there)
    if not target or (mind.mates and not mind.mates & set(there)):
        return []  # a lone wolf has nobody to talk to
    agreed = target in mind.memory.proposals.values()
    claim = Claim("plan", mind.me, target, None, "bite")
    rest = [seat for seat in there if seat != target and seat not in mind.mates]
    second = max(rest, key=lambda seat: (worth(mind, seat), -seat), default=0)
    return [Point("pack.agree" if agreed or not second else "pack.bite", claim, target, second)]


def _to_siblings(mind: Mind) -> list[Point]:
    """Whom they vote for tomorrow; in the first night there is nothing to say."""
    target = together(mind, mind.alive) if mind.day > 1 else 0
    return [Point("kin.vote", Claim("vote-call", mind.me, target), target)] if target else []


# ---------------------------------------------------------------- in the round


def _in_turn(mind: Mind, election: bool = False) -> list[Point]:
    """A first speech in the round, or one for the badge."""
    if mind.goal == "angel":
        return [Point("provoke"), *accuse(mind)]
    core = _new(mind, [*reveal(mind, forced=pressed(mind)), *_defend(mind), *_counter(mind)])
    rest = _brief(mind, [*stance(mind), *accuse(mind), *quote(mind), *vouch(mind)])
    room = max(1, mind.persona.talk - len(core))
    calls = [] if election else _new(mind, _call(mind))
    points = _joined(core, [point for point in _new(mind, rest) if not _strays(point, calls)], len(core) + room)
    points += [call for call in calls if not _contradicts(points, call)]
    if not any(point.claim for point in points):
        points = _ask_around(mind, points)
    elif len(points) == 1:
        points = [*points, *_another(mind, points)]
    return [*_opening(mind, election), *points, *_closing(mind, len(points))]


def _brief(mind: Mind, points: list[Point]) -> list[Point]:
    """Without what half the table has said already: its ballot says it once more."""
    memory = mind.memory
    enough = max(CHORUS, len(mind.alive) // 3)

    def sung(point: Point) -> bool:
        if point.claim is None or not point.target:
            return False
        if point.key == "quote.agree":
            return len(memory.accusers(point.other)) >= enough
        same = [by for by, claims in memory.today.items() if any(_alike(claim, point.claim) for claim in claims)]
        return len(same) >= enough and mind.random(f"chorus{point.key}").random() < 0.7

    return [point for point in points if not sung(point)]


def _alike(claim: Claim, other: Claim) -> bool:
    return claim.act == other.act and claim.target == other.target and not claim.negated


def _again(mind: Mind) -> list[Point]:
    """A later speech of the same day: only what is new, else silence."""
    core = _new(mind, [*reveal(mind, forced=pressed(mind)), *_defend(mind), *_counter(mind)])
    points = _joined(core, _new(mind, [*stance(mind), *_call(mind)]), 6)
    if len(points) == 1 or (not points and mind.random("second").random() < 0.3):
        points = [*points, *_another(mind, points)]
    weighty = any(point.claim and point.claim.act in WEIGHTY for point in points)
    return points if len(points) > 1 or weighty else []


def _another(mind: Mind, points: list[Point]) -> list[Point]:
    """Something beside a lone point."""
    more = _new(mind, [*quote(mind), *accuse(mind), *vouch(mind)])
    more = [point for point in more if not _contradicts(points, point) and not _strays(point, points)]
    return more[:1] or _ask_around(mind, points)[1:]


def _strays(point: Point, calls: list[Point]) -> bool:
    """Whether it goes for another than the one it wants out today: a hunch beside a call only blurs it."""
    wanted = [call.target for call in calls if call.claim and call.claim.act == "vote-call"]
    return bool(wanted) and point.key in HUNCHES and point.target not in wanted


def _joined(points: list[Point], more: list[Point], most: int) -> list[Point]:
    """The points with as many more as fit beside them, none against what was said before it."""
    joined = list(points)
    for point in more:
        if len(joined) < most and not _contradicts(joined, point):
            joined.append(point)
    return joined


def _new(mind: Mind, points: list[Point]) -> list[Point]:
    """Those whose claim it has not yet made since nightfall."""
    said = mind.memory.today.get(mind.me, [])
    return [point for point in points if point.claim is None or point.claim not in said]


def _contradicts(points: list[Point], point: Point) -> bool:
    """Whether a point repeats another's claim, or its object was spoken of in another way."""
    if point.claim is None:
        return False
    if any(other.claim == point.claim or _at_odds(other, point) or _at_odds(point, other) for other in points):
        return True
    kind = "vouch" if point.claim.act in ("vouch", "agree") else "accuse"
    for other in points:
        if other.claim is None or not point.target or other.target != point.target:
            continue
        good = other.claim.act in ("vouch", "agree") or other.claim.value in ("good", "saved", "guarded")
        if other.claim.act != "plan" and good != (kind == "vouch"):
            return True
        if other.claim.act == "claim-result" and point.claim.act != "vote-call":
            return True  # the result says it already
        if good and kind == "vouch":
            return True  # one good word is enough
    return False


def _at_odds(one: Point, other: Point) -> bool:
    """Whether one takes a third seat's side, or turns on it, where the other does the opposite."""
    if not one.other or other.claim is None or other.target != one.other:
        return False
    act = other.claim.act
    if one.key in SPARING:
        return act in ("accuse", "vote-call")
    return one.key == "quote.agree" and act in ("agree", "vouch")


# ---------------------------------------------------------------- its own cause


def _defend(mind: Mind, always: bool = False) -> list[Point]:
    """To those who went for it since nightfall."""
    memory = mind.memory
    if any(claim.act == "defend" for claim in memory.today.get(mind.me, [])):
        return []
    before = any(h.speaker == mind.me and h.claim.act == "defend" for h in memory.heard)
    liars = [] if before else told_bad_by(mind, mind.me)
    checked = bool(liars)
    seer = mind.role == "seer" or mind.poses
    if not always and not (checked and not seer) and len(memory.accusers(mind.me)) < MOBBED:
        return []
    key = "plain" if not checked else "checked" if any(memory.says.get(s) != "little-girl" for s in liars) else "seen"
    return [Point(f"defend.{key}", Claim("defend", mind.me))]


def _counter(mind: Mind) -> list[Point]:
    """Against those who claim a check on it."""
    found = []
    for liar in told_bad_by(mind, mind.me):
        if mind.memory.alive(liar) and liar not in mind.mates:
            key = "accuse.seen" if mind.memory.says.get(liar) == "little-girl" else "accuse.me"
            found.append(Point(key, Claim("accuse", mind.me, liar), liar))
    return found


def _call(mind: Mind) -> list[Point]:
    """Whom to vote for, when it is sure enough."""
    target = ballot_choice(mind, mind.votable)
    leads = mind.me == mind.sheriff and mind.memory.turns.get(mind.me, 0) == 0
    if not target or not (leads or mind.outlook.wolf[target] > SURE_ENOUGH):
        return []
    checkers = [seat for seat in told_bad_by(mind, target) if mind.outlook.seer.get(seat, 0) > 0.5 and seat != mind.me]
    key = "vote-call.lead" if leads else "vote-call.checked" if checkers else "vote-call.plain"
    return [Point(key, Claim("vote-call", mind.me, target), target, checkers[0] if checkers else 0)]


def _last_call(mind: Mind) -> list[Point]:
    """Whom those who go on shall vote out."""
    return [replace(call, key="vote-call.last") for call in _call(mind)]


def _ask_around(mind: Mind, points: list[Point]) -> list[Point]:
    """Nothing to claim: a question about yesterday's vote, or to one who has not spoken yet."""
    memory, rng = mind.memory, mind.random("ask")
    spoken_of = {point.target for point in points}
    here = [seat for seat in mind.others if seat not in memory.scene.away and seat not in spoken_of]
    thin = Point("thin.late" if len(memory.turns) > 2 and rng.random() < 0.4 else "thin")
    last = [b for b in memory.ballots if b.day == mind.day - 1]
    mine = {b.target for b in last if b.voter == mind.me}
    odd = [b for b in last if b.voter in here and b.target in memory.cards and b.target not in mine]
    odd = [b for b in odd if memory.cards[b.target] != "werewolf" and b.target != mind.me]
    if odd and rng.random() < 0.5:
        ballot = rng.choice(odd)
        claim = Claim("ask", mind.me, ballot.voter)
        return [thin, Point("ask.vote", claim, ballot.voter, ballot.target, ballot.day)]
    quiet = [seat for seat in here if seat not in memory.today]
    if quiet:
        target = rng.choice(quiet)
        return [thin, Point("ask.plain", Claim("ask", mind.me, target), target)]
    return [thin]


# ---------------------------------------------------------------- around it


def _opening(mind: Mind, election: bool) -> list[Point]:
    """Now and then a few words first; the night's news only from those who speak first."""
    rng = mind.random("open")
    if mind.persona.talk < 3 or rng.random() < 0.45:
        return []
    if election:
        return [Point("open.election")]
    spoken = sum(1 for turns in mind.memory.turns.values() if turns)
    lost = [seat for seat, (how, day) in mind.memory.fate.items() if how == "night" and day == mind.day]
    if spoken > 1:
        return [Point("open.day")] if rng.random() < 0.4 else []
    if len(lost) > 1:
        return [Point("open.several")]
    return [Point("open.dead", None, lost[0])] if lost else [Point("open.peaceful")]


def _closing(mind: Mind, points: int) -> list[Point]:
    wordy = mind.persona.talk > 2 and points < mind.persona.talk
    if all(mind.memory.turns.get(seat) for seat in mind.others):
        return []  # it is the last to speak
    return [Point("close")] if wordy and mind.random("close").random() < 0.25 else []


__all__ = ["deeds", "speak"]
