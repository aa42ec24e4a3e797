"""The sheriff's office: standing, stepping back, electing, the side of talk, the heir, the call, the tie."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless
from players.builtin.policies.day import ballot_choice

TIE_BAR = 0.35  # below this suspicion the sheriff rather voids a tie


def stand(mind: Mind, ask: Ask) -> Answer:
    """The seer does, the one that poses as one does, others as bold as they are."""
    if mind.role == "seer":
        return mind.steady("stand") < 0.95
    if mind.poses:
        return True
    return mind.random("stand").random() < mind.persona.bold * (0.6 if mind.poser else 0.8)


def withdraw(mind: Mind, ask: Ask) -> Answer:
    """Whoever has no check to offer makes room for those who have."""
    if mind.memory.says.get(mind.me) == "seer" or mind.role == "seer":
        return False
    seers = [seat for seat in mind.memory.running if seat != mind.me and mind.memory.says.get(seat) == "seer"]
    return bool(seers) and mind.random("withdraw").random() < 0.85


def elect(mind: Mind, ask: Ask) -> Answer:
    """The most believed candidate."""
    if not ask.targets:
        return harmless(mind, ask)
    seer = {seat: trust for seat, trust in mind.outlook.seer.items() if seat in ask.targets}
    if mind.is_wolf:
        posing = [seat for seat in ask.targets if seat in mind.mates and mind.memory.says.get(seat) == "seer"]
        if posing and mind.steady("elect") < 0.7:
            return posing[0]
    if seer:
        rng = mind.random("elect")
        return max(seer, key=lambda seat: seer[seat] + 0.15 * mind.persona.noise * rng.random())
    return min(ask.targets, key=mind.grade)


def side(mind: Mind, ask: Ask) -> Answer:
    """So that the top suspect speaks early and can be answered."""
    suspect = mind.suspect
    if not suspect or mind.me not in mind.alive:
        return mind.random("side").choice(ask.choices)
    away = (suspect - mind.me) % mind.size
    near = "left" if away * 2 <= mind.size else "right"
    return near if near in ask.choices else ask.choices[0]


def heir(mind: Mind, ask: Ask) -> Answer:
    """Someone trusted; a wolf hands it to a packmate that looks clean. A seer's heir tells what the last check was."""
    if mind.is_wolf:
        clean = [s for s in ask.targets if s in mind.mates and mind.public.wolf[s] < 0.5]
        if clean and mind.steady("heir") < 0.75:
            return min(clean, key=lambda seat: mind.public.wolf[seat])
    flow = mind.memory.plans.get(mind.me)
    if flow in ask.targets and mind.memory.told.checks.get(flow or 0) is False:
        return flow
    legal = [seat for seat in ask.targets if seat != flow or mind.role != "seer"] or list(ask.targets)
    return min(legal, key=mind.grade) if legal else harmless(mind, ask)


def summary(mind: Mind, ask: Ask) -> Answer:
    """Its own top suspect."""
    return ballot_choice(mind, ask.targets) or harmless(mind, ask)


def break_tie(mind: Mind, ask: Ask) -> Answer:
    """The one of the tied that it would vote for, unless neither looks like a wolf."""
    target = ballot_choice(mind, ask.targets)
    if target and (mind.outlook.wolf.get(target, 0) >= TIE_BAR or "void" not in ask.choices):
        return target
    return "void" if "void" in ask.choices else target or harmless(mind, ask)


HANDLERS = {
    "election.stand": stand,
    "election.withdraw": withdraw,
    "election.vote": elect,
    "sheriff.side": side,
    "sheriff.heir": heir,
    "sheriff.summary": summary,
    "sheriff.break-tie": break_tie,
}

__all__ = ["HANDLERS"]
