"""The witch: when to save, when to poison, by night and at dusk."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.beliefs import WOLF_CARDS
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless

BARS = {1: 1.1, 2: 0.45, 3: 0.38}
LATE_BAR = 0.33
"""How sure she is before she poisons, by night: the bar sinks, as unused poison is worth nothing."""
DUSK_BAR = 0.8
THROW_BAR = 0.7


def antidote(mind: Mind, ask: Ask) -> Answer:
    """The first night most times; later only for a seat it would miss."""
    victims = mind.memory.told.victims.get(mind.day, ())
    if not victims:
        return harmless(mind, ask)
    victim = mind.me if mind.me in victims else victims[0]
    trust = 1 - mind.beliefs.wolf.get(victim, 0.5)
    save = mind.random("save").random() < 0.8 if mind.day == 1 else trust > 0.55
    if victim in mind.bonded or victim == mind.me:
        save = True
    if mind.is_wolf and victim not in mind.mates:
        save = False
    if ask.form == "flag":
        return save
    return victim if save and victim in ask.targets else None


def poison(mind: Mind, ask: Ask) -> Answer:
    """A strong suspect; the bar sinks as the nights go by."""
    target = _prey(mind, ask)
    bar = BARS.get(mind.day, LATE_BAR)
    return target if target and (mind.is_wolf or mind.beliefs.wolf.get(target, 0) > bar) else None


def dusk_antidote(mind: Mind, ask: Ask) -> Answer:
    """Brings back one whose open card the village needs, never a wolf."""
    cards = mind.memory.cards
    wanted = [seat for seat in ask.targets if cards.get(seat) not in WOLF_CARDS]
    if mind.is_wolf:
        wanted = [seat for seat in ask.targets if seat in mind.mates]
    best = min(wanted, key=lambda seat: (cards.get(seat) == "villager", mind.grade(seat)), default=0)
    useful = best and (best in mind.bonded or cards.get(best, "villager") != "villager")
    return best if useful else harmless(mind, ask)


def dusk_poison(mind: Mind, ask: Ask) -> Answer:
    """By day there is no hurry: only one that she is sure of."""
    target = _prey(mind, ask)
    return target if target and mind.beliefs.wolf.get(target, 0) > DUSK_BAR else None


def throw(mind: Mind, ask: Ask) -> Answer:
    """At the harvest festival, where coin and cap decide: two throws in four undo a wolf, two in four save a victim."""
    sure = max(ask.targets, key=lambda seat: mind.beliefs.wolf.get(seat, 0.0) - (seat in mind.bonded), default=0)
    if not mind.is_wolf and mind.beliefs.wolf.get(sure, 0.0) > THROW_BAR and sure not in mind.bonded:
        return sure
    victims = [seat for seat in mind.memory.told.victims.get(mind.day, ()) if seat in ask.targets]
    own = [seat for seat in victims if seat == mind.me or seat in mind.bonded]
    return own[0] if own else harmless(mind, ask)


def _prey(mind: Mind, ask: Ask) -> int:
    told = mind.memory.told
    spared = {mind.me, *mind.bonded, *mind.mates, *told.victims.get(mind.day, ()), *told.saved.values()}
    return max((seat for seat in ask.targets if seat not in spared), key=mind.grade, default=0)


HANDLERS = {
    "witch.antidote": antidote,
    "witch.throw": throw,
    "witch.poison": poison,
    "witch.dusk-antidote": dusk_antidote,
    "witch.dusk-poison": dusk_poison,
}

__all__ = ["HANDLERS"]
