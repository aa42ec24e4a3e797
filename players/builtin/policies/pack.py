"""The wolves' nights: the pack's bite, extra bites, infection, the girl at the window."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless

PREY_NOISE = 2.2  # how far wolves stray from the seat worth most: hidden gods make them guess
WORTH = {
    "seer": 2.4, "little-girl": 2.2, "witch": 1.6, "medium": 1.4, "guard": 1.2, "bodyguard": 1.2, "fox": 1.2,
    "raven": 0.8, "piper": 0.8, "bear-tamer": 0.8, "mason": 0.6, "cupid": 0.4, "villager": -0.2, "elder": -1.0,
    "hunter": -0.8, "idiot": -0.6, "rusty-knight": -0.8,
}  # fmt: skip
"""What a claimed card is worth as prey: information first, those that bite back last."""


def bite(mind: Mind, ask: Ask) -> Answer:
    """With the pack: the last ballot's favourite, else what was proposed in words, else its own idea."""
    ballots = mind.memory.told.bite_ballots
    if ballots:
        named = [(wolf, target) for wolf, target in sorted(ballots[-1].items()) if target in ask.targets]
        votes = [target for _, target in named]
        if named:
            return max(named, key=lambda one: (votes.count(one[1]), -one[0]))[1]
    return prey(mind, ask.targets)


def prey(mind: Mind, legal: tuple[int, ...]) -> int | None:
    """Whom it would bite: what a lower wolf said tonight, else the seat that is worth most to the village."""
    memory = mind.memory
    for wolf in sorted(memory.proposals):
        if memory.proposals[wolf] in legal and memory.proposals[wolf] not in mind.bonded:
            return memory.proposals[wolf]
    pool = [seat for seat in legal if seat != mind.me and seat not in mind.mates and seat not in mind.bonded]
    if not pool:
        return None
    rng = mind.random("prey")
    spread = PREY_NOISE * (1 + 4 * mind.persona.clumsy)
    return max(pool, key=lambda seat: worth(mind, seat) + spread * rng.random())


def worth(mind: Mind, seat: int) -> float:
    """What the pack gains by a seat's death: its card, its badge, and how little the table suspects it."""
    gain = WORTH.get(mind.memory.cards.get(seat, mind.memory.says.get(seat, "")), 0.0)
    if seat == mind.sheriff:
        gain += 0.7
    if seat == mind.memory.told.girl:
        gain += 3.0
    return gain + 0.8 * (0.5 - mind.public.wolf.get(seat, 0.5))


def another(mind: Mind, ask: Ask) -> Answer:
    """A bite of its own, beside the pack's."""
    pool = [s for s in ask.targets if s not in mind.mates and s not in mind.bonded and s != mind.me]
    return max(pool, key=lambda seat: (worth(mind, seat), -seat)) if pool else harmless(mind, ask)


def infect(mind: Mind, ask: Ask) -> Answer:
    """Soon, and the seat that the village trusts most: a turned seer checks nobody and is believed."""
    pool = [s for s in ask.targets if s not in mind.bonded and s != mind.memory.told.girl]
    if not pool or (mind.day == 1 and mind.steady("infect") < 0.5):
        return None
    return max(pool, key=lambda seat: (worth(mind, seat), -seat))


def white_bite(mind: Mind, ask: Ask) -> Answer:
    """A packmate while the pack is strong, else anyone but the last who could shield it."""
    mates = [seat for seat in ask.targets if seat in mind.mates]
    living = [seat for seat in mind.mates if mind.memory.alive(seat)]
    if mates and (len(living) >= 2 or len(mind.alive) <= 2 * len(living) + 2):
        return min(mates, key=lambda seat: (mind.public.wolf.get(seat, 0.5), seat))
    return another(mind, ask) if len(mates) < len(ask.targets) else None


def catch(mind: Mind, ask: Ask) -> Answer:
    """She has seen the whole pack: the girl."""
    girl = mind.memory.told.girl
    return "spare" if girl in mind.bonded else "girl"


def walk(mind: Mind, ask: Ask) -> Answer:
    """Somebody has to go, and all must name the same one."""
    return True if ask.form == "flag" else min(ask.targets, default=None)


HANDLERS = {
    "touch-of-death.go": walk,
    "werewolf.bite": bite,
    "werewolf.catch": catch,
    "big-bad-wolf.bite": another,
    "widow-knife.bite": another,
    "infecting-wolf.infect": infect,
    "white-wolf.bite": white_bite,
}

__all__ = ["HANDLERS", "prey", "worth"]
