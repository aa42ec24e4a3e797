"""What a built-in player does: one small function per kind of ask, each choosing within the mask."""

from __future__ import annotations

from collections.abc import Callable

from engine.asks import Answer, Ask
from players.builtin.memory import against
from players.builtin.mind import Mind

PREY_NOISE = 2.2  # how far wolves stray from the seat worth most: hidden gods make them guess
Choice = Callable[[Mind, Ask], Answer]


def choose(mind: Mind, ask: Ask) -> Answer:
    """A legal answer to any ask that is not talk."""
    handler = HANDLERS.get(ask.kind)
    answer = handler(mind, ask) if handler else unknown(mind, ask)
    return answer if ask.allows(answer) else fallback(mind, ask)


def fallback(mind: Mind, ask: Ask) -> Answer:
    """A legal answer for any ask: a pass where that is allowed, else a seeded draw."""
    return ask.quiet() if ask.can_pass else ask.random(mind.random(ask.kind))


def unknown(mind: Mind, ask: Ask) -> Answer:
    """An ask this player has no plan for."""
    if ask.form == "seat" and ask.seats:
        legal = [seat for seat in ask.targets if seat != mind.me] or list(ask.targets)
        return max(legal, key=mind.grade)
    return fallback(mind, ask)


# ---------------------------------------------------------------- the night


def bite(mind: Mind, ask: Ask) -> Answer:
    """With the pack: the last ballot's favourite, else what was proposed in words, else its own idea."""
    if mind.memory.bite_ballots:
        ballots = mind.memory.bite_ballots[-1]
        named = [(wolf, target) for wolf, target in sorted(ballots.items()) if target]
        votes = [target for _, target in named]
        if named:
            return max(named, key=lambda one: (votes.count(one[1]), -one[0]))[1]
    return prey(mind, ask.targets)


def prey(mind: Mind, legal: tuple[int, ...]) -> int | None:
    """Whom it would bite: what a lower wolf said tonight, else the seat that is worth most to the village."""
    memory = mind.memory
    for wolf in sorted(memory.proposals):
        if memory.proposals[wolf] in legal:
            return memory.proposals[wolf]
    pool = [seat for seat in legal if seat != mind.me and seat not in mind.mates and seat != memory.partner]
    if not pool:
        return None
    rng = mind.random("prey")
    return max(pool, key=lambda seat: _worth(mind, seat) + PREY_NOISE * rng.random())


def _worth(mind: Mind, seat: int) -> float:
    says = {"seer": 2.4, "witch": 1.6, "guard": 1.2, "cupid": 0.4, "hunter": -0.8, "villager": -0.2}
    worth = says.get(mind.memory.says.get(seat, ""), 0.0)
    if seat == mind.sheriff:
        worth += 0.7
    return worth + 0.8 * (0.5 - mind.public.wolf.get(seat, 0.5))


def check(mind: Mind, ask: Ask) -> Answer:
    """The seat that was announced, else the most telling one not yet checked."""
    memory = mind.memory
    planned = memory.plans.get(mind.me)
    if planned in ask.targets and planned not in memory.checks:
        return planned
    return next_check(mind, ask.targets)


def next_check(mind: Mind, legal: tuple[int, ...]) -> int | None:
    """Whom a seer would look at next: the suspect, but not those of whom it is sure."""
    memory = mind.memory
    pool = [s for s in legal if s not in memory.checks and s != mind.me and memory.says.get(s) != "seer"]
    pool = pool or [s for s in legal if s not in memory.checks and s != mind.me]
    return max(pool, key=mind.grade) if pool else None


def antidote(mind: Mind, ask: Ask) -> Answer:
    """The first night most times; later only for a seat it would miss."""
    victims = mind.memory.victims.get(mind.day, ())
    if not victims:
        return fallback(mind, ask)
    victim = victims[0]
    trust = 1 - mind.beliefs.wolf.get(victim, 0.5)
    save = mind.random("save").random() < 0.8 if mind.day == 1 else trust > 0.55
    if victim == mind.memory.partner:
        save = True
    if ask.form == "flag":
        return save
    return victim if save and victim in ask.targets else None


def poison(mind: Mind, ask: Ask) -> Answer:
    """A strong suspect; the bar sinks as the nights go by."""
    memory = mind.memory
    spared = {mind.me, memory.partner, *memory.victims.get(mind.day, ()), *memory.saved.values()}
    pool = [seat for seat in ask.targets if seat not in spared]
    if not pool:
        return None
    target = max(pool, key=mind.grade)
    bar = {1: 1.1, 2: 0.5, 3: 0.42}.get(mind.day, 0.35)
    return target if mind.beliefs.wolf.get(target, 0) > bar else None


def protect(mind: Mind, ask: Ask) -> Answer:
    """The believed seer or the sheriff; on the first night itself or nobody, as the antidote may come too."""
    if mind.day == 1:
        return mind.me if mind.me in ask.targets and mind.steady("guard") < 0.4 else fallback(mind, ask)
    seer = mind.beliefs.best_seer()
    for seat in (seer, mind.sheriff or 0, mind.me, mind.ally):
        if seat and seat in ask.targets and mind.beliefs.wolf.get(seat, 0) < 0.4:
            return seat
    return fallback(mind, ask)


def link(mind: Mind, ask: Ask) -> Answer:
    """Any two, now and then itself with another."""
    rng = mind.random("link")
    legal = list(ask.targets)
    if mind.me in legal and len(legal) > 2 and rng.random() < 0.3:
        return tuple(sorted((mind.me, rng.choice([s for s in legal if s != mind.me]))))
    others = [seat for seat in legal if seat != mind.me]
    return tuple(sorted(rng.sample(others, 2))) if len(others) > 1 else fallback(mind, ask)


def shoot(mind: Mind, ask: Ask) -> Answer:
    """The top suspect, if there is a real one."""
    target = max(ask.targets, key=mind.grade, default=0)
    bar = 0.42 if mind.day > 1 else 0.5
    return target if target and mind.beliefs.wolf.get(target, 0) >= bar else fallback(mind, ask)


# ---------------------------------------------------------------- the sheriff


def stand(mind: Mind, ask: Ask) -> Answer:
    """The seer does, the wolf that poses as one does, others as bold as they are."""
    if mind.role == "seer":
        return mind.steady("stand") < 0.95
    if mind.poses:
        return True
    return mind.random("stand").random() < mind.persona.bold * (0.6 if mind.is_wolf else 0.8)


def withdraw(mind: Mind, ask: Ask) -> Answer:
    """Whoever has no check to offer makes room for those who have."""
    if mind.memory.says.get(mind.me) == "seer" or mind.role == "seer":
        return False
    seers = [seat for seat in mind.memory.running if seat != mind.me and mind.memory.says.get(seat) == "seer"]
    return bool(seers) and mind.random("withdraw").random() < 0.85


def elect(mind: Mind, ask: Ask) -> Answer:
    """The most believed candidate."""
    if not ask.targets:
        return fallback(mind, ask)
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
    """Either side is as good."""
    return ask.choices[int(mind.random("side").random() * len(ask.choices))]


def heir(mind: Mind, ask: Ask) -> Answer:
    """Someone trusted; a wolf hands it to a packmate that looks clean."""
    if mind.is_wolf:
        clean = [s for s in ask.targets if s in mind.mates and mind.public.wolf[s] < 0.5]
        if clean and mind.steady("heir") < 0.75:
            return min(clean, key=lambda seat: mind.public.wolf[seat])
    if (flow := mind.memory.plans.get(mind.me)) in ask.targets and mind.memory.checks.get(flow or 0) is False:
        return flow
    legal = [seat for seat in ask.targets if seat != flow or mind.role != "seer"] or list(ask.targets)
    return min(legal, key=mind.grade) if legal else fallback(mind, ask)


def summary(mind: Mind, ask: Ask) -> Answer:
    """Its own top suspect."""
    return ballot_choice(mind, ask.targets) or fallback(mind, ask)


# ---------------------------------------------------------------- the vote


def vote(mind: Mind, ask: Ask) -> Answer:
    """By belief, with an ear for those it trusts; on the first day with the seer it follows, or not at all in doubt."""
    if mind.day == 1 and (called := followed_call(mind)) in ask.targets:
        return called
    target = ballot_choice(mind, ask.targets)
    doubtful = target and mind.outlook.wolf.get(target, 0) + 0.15 * consensus(mind, target) < mind.persona.doubt
    if doubtful and mind.day == 1 and ask.can_pass:
        return None
    return target or fallback(mind, ask)


def ballot_choice(mind: Mind, legal: tuple[int, ...]) -> int:
    """Whom it would vote out of these seats, 0 for nobody."""
    pool = [seat for seat in legal if seat not in (mind.me, mind.memory.partner)]
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
    return target if target and mind.outlook.wolf.get(target, 0.0) > 0.45 and target != mind.memory.partner else 0


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


HANDLERS: dict[str, Choice] = {
    "werewolf.bite": bite,
    "seer.check": check,
    "witch.antidote": antidote,
    "witch.poison": poison,
    "guard.protect": protect,
    "cupid.link": link,
    "hunter.shoot": shoot,
    "election.stand": stand,
    "election.withdraw": withdraw,
    "election.vote": elect,
    "sheriff.side": side,
    "sheriff.heir": heir,
    "sheriff.summary": summary,
    "day.vote": vote,
}

__all__ = ["ballot_choice", "choose", "fallback", "next_check", "prey"]
