"""The vote, and what follows from it: shots, bans, a second vote, gestures."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.memory import against
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless

SECOND_VOTE = 0.55  # suspicion of the next one from which a further vote is worth it
BID_FROM = (0.4, 0.6)
"""Suspicion from which more than the least is bid for the word, and from which the most."""
SHOT_FIRST, SHOT_LATER = 0.5, 0.42
"""Suspicion from which a hunter shoots, on day 1 and later."""


def vote(mind: Mind, ask: Ask) -> Answer:
    """By belief, with an ear for those it trusts; on the first day with the seer it follows, or not at all in doubt."""
    if len(kin(mind)) > 1 and (target := together(mind, ask.targets)):
        return target
    if mind.goal == "angel":
        return ballot_choice(mind, ask.targets) or harmless(mind, ask)
    if mind.day == 1 and (called := followed_call(mind)) in ask.targets:
        return called
    target = ballot_choice(mind, ask.targets)
    doubtful = target and mind.outlook.wolf.get(target, 0) + 0.15 * consensus(mind, target) < mind.persona.doubt
    if doubtful and mind.day == 1 and ask.can_pass:
        return None
    return target or harmless(mind, ask)


def kin(mind: Mind) -> frozenset[int]:
    """The living siblings that must vote alike, itself among them; empty for everyone else."""
    if mind.role not in ("sister", "brother") or mind.memory.told.partner:
        return frozenset()
    return frozenset(seat for seat in mind.memory.told.kin if mind.memory.alive(seat))


def together(mind: Mind, legal: tuple[int, ...]) -> int:
    """Whom siblings vote for: what all of them see alike, so that no ballot is void."""
    group = kin(mind)
    return max(
        (seat for seat in legal if seat not in group),
        key=lambda seat: (round(mind.public.wolf.get(seat, 0.0), 6), -seat),
        default=0,
    )


def ballot_choice(mind: Mind, legal: tuple[int, ...]) -> int:
    """Whom it would vote out of these seats, 0 for nobody."""
    pool = [seat for seat in legal if seat != mind.me and seat not in mind.bonded]
    return max(pool, key=lambda seat: mind.grade(seat) + mood(mind, seat), default=0)


def mood(mind: Mind, seat: int) -> float:
    """What moves it beside its own belief: the table's mood, and patience."""
    waits = patience(mind, seat)
    return -waits if waits else consensus(mind, seat)


def followed_call(mind: Mind) -> int:
    """Whom the seer it believes wants out today, if that sounds right; 0 for nobody."""
    seer = mind.outlook.best_seer()
    calls = [c.target for c in mind.memory.today.get(seer, ()) if c.act == "vote-call" and not c.negated]
    target = calls[-1] if calls and seer not in mind.mates else None
    return target if target and mind.outlook.wolf.get(target, 0.0) > 0.45 and target not in mind.bonded else 0


def patience(mind: Mind, seat: int) -> float:
    """Where two claim to be the seer and neither is believed, the first day is early to choose: the night will tell."""
    if mind.day > 1 or mind.memory.says.get(seat) != "seer":
        return 0.0
    trust = [t for s, t in mind.outlook.seer.items() if mind.memory.alive(s)]
    return mind.persona.patience if len(trust) > 1 and max(trust) < 0.85 else 0.0


def consensus(mind: Mind, seat: int) -> float:
    """How much the table's mood moves it towards voting for a seat."""
    memory, wolf = mind.memory, mind.outlook.wolf
    pull = 0.0
    for by, claims in memory.today.items():
        if by not in (mind.me, seat) and any(against(claim, seat) for claim in claims):
            pull += 0.7 * max(0.0, 1 - 1.6 * wolf.get(by, 0.5))
    if memory.summary == seat and mind.sheriff and mind.sheriff != mind.me:
        pull += 1.4 * max(0.0, 1 - 1.4 * wolf.get(mind.sheriff, 0.5))
    if mind.is_wolf and seat not in mind.mates:
        pull += 0.1 * len(memory.accusers(seat))
    return min(pull, 2.5)


def shoot(mind: Mind, ask: Ask) -> Answer:
    """The top suspect, if there is a real one."""
    pool = [seat for seat in ask.targets if seat not in mind.bonded and seat not in mind.mates]
    target = max(pool, key=mind.grade, default=0)
    bar = SHOT_LATER if mind.day > 1 else SHOT_FIRST
    sure = mind.is_wolf or mind.outlook.wolf.get(target, 0) >= bar
    return target if target and sure else harmless(mind, ask)


def ban(mind: Mind, ask: Ask) -> Answer:
    """As he goes: those he takes for wolves shall not vote tomorrow."""
    ranked = sorted(ask.targets, key=lambda seat: (-mind.grade(seat), seat))
    barred = [s for s in ranked if s not in mind.bonded and mind.outlook.wolf.get(s, 0) >= 0.4][: ask.most]
    return tuple(sorted(barred)) if len(barred) >= ask.least else harmless(mind, ask)


def sign(mind: Mind, ask: Ask) -> Answer:
    """Another vote at once, while somebody else is all but caught."""
    suspects = [p for seat, p in mind.outlook.wolf.items() if seat in mind.others and seat not in mind.bonded]
    return max(suspects, default=0.0) > SECOND_VOTE


def gesture(mind: Mind, ask: Ask) -> Answer:
    """To a question: a nod if it would say so too, else a shake; still where nothing was asked that it can read."""
    last = mind.memory.heard[-1] if mind.memory.heard else None
    if last is None or not last.claim.target or last.claim.target == mind.me:
        return "still" if "still" in ask.choices else harmless(mind, ask)
    suspects = mind.outlook.wolf.get(last.claim.target, 0.5) > 0.45
    return "nod" if suspects == against(last.claim, last.claim.target) else "shake"


def bid(mind: Mind, ask: Ask) -> Answer:
    """For the word: the surer it is of somebody, the more it wants to speak."""
    suspects = [p for seat, p in mind.outlook.wolf.items() if seat in mind.others and seat not in mind.bonded]
    surest = max(suspects, default=0.0)
    return ask.choices[sum(surest > least for least in BID_FROM)]


HANDLERS = {
    "day.bid": bid,
    "day.vote": vote,
    "hunter.shoot": shoot,
    "scapegoat.ban": ban,
    "stuttering-judge.sign": sign,
    "charmed.gesture": gesture,
}

__all__ = ["HANDLERS", "ballot_choice", "consensus", "together"]
