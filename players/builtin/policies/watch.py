"""Cards that look or shield at night: seer, fox, little girl, guard, bodyguard."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless


def check(mind: Mind, ask: Ask) -> Answer:
    """The seat that was announced, else the most telling one not yet checked."""
    memory = mind.memory
    planned = memory.plans.get(mind.me)
    if planned in ask.targets and planned not in memory.told.checks:
        return planned
    return next_check(mind, ask.targets)


def next_check(mind: Mind, legal: tuple[int, ...]) -> int | None:
    """Whom a seer would look at next: the suspect, but not those of whom it is sure."""
    memory = mind.memory
    known = memory.facts.wolf if not mind.poser else memory.told.checks
    fresh = [s for s in legal if s not in known and s != mind.me and s not in mind.bonded and s not in mind.mates]
    if mind.poser:
        fresh = [s for s in fresh if all(r.target != s for r in memory.results.get(mind.me, ()))]
    pool = [s for s in fresh if memory.says.get(s) != "seer"]
    pool = pool or fresh or [s for s in legal if s != mind.me]
    return max(pool, key=mind.grade) if pool else None


def sniff(mind: Mind, ask: Ask) -> Answer:
    """The seat whose neighbourhood most likely holds a wolf: a clean sniff costs the power."""
    wolf = mind.beliefs.wolf
    alive = mind.alive

    def clean(seat: int) -> float:
        at = alive.index(seat) if seat in alive else 0
        group = {seat, alive[at - 1], alive[(at + 1) % len(alive)]}
        found = 1.0
        for one in group:
            found *= 1 - wolf.get(one, 0.5)
        known = any(mind.memory.facts.wolf.get(one) for one in group)
        return found + (1.0 if known else 0.0)

    return min(ask.targets, key=lambda seat: (clean(seat), seat))


def peek(mind: Mind, ask: Ask) -> Answer:
    """Once: who has seen the pack need not risk it again."""
    return not mind.memory.told.peeked


def protect(mind: Mind, ask: Ask) -> Answer:
    """The own lover, the believed seer or the sheriff; on the first night itself or nobody, as the antidote may come
    too."""
    lover = mind.memory.told.partner
    if lover in ask.targets:
        return lover
    if mind.day == 1 and "witch" in mind.deck and ask.can_pass:
        return mind.me if mind.me in ask.targets and mind.steady("guard") < 0.4 else None
    seer = mind.beliefs.best_seer()
    other = next((s for s in mind.memory.claimants("medium") if mind.memory.alive(s)), 0)
    for seat in (seer, other, mind.sheriff or 0, mind.me, mind.ally):
        if seat and seat in ask.targets and mind.beliefs.wolf.get(seat, 0) < 0.4:
            return seat
    trusted = [seat for seat in ask.targets if mind.beliefs.wolf.get(seat, 1) < 0.5]
    return mind.random("shield").choice(trusted or list(ask.targets)) if not ask.can_pass else harmless(mind, ask)


HANDLERS = {
    "seer.check": check,
    "fox.sniff": sniff,
    "little-girl.peek": peek,
    "guard.protect": protect,
    "bodyguard.protect": protect,
}

__all__ = ["HANDLERS", "next_check"]
