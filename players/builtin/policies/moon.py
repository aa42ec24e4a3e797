"""What the New Moon cards ask of a seat, and what a card in force changes in what it wants. Keys are ids of cards."""

from __future__ import annotations

from collections.abc import Callable

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless

Gain = Callable[[Mind, int], float]
INNOCENT = 0.4  # suspicion up to which a witness speaks for the accused
CALLS = 0.6  # how often the gypsy calls for an event
LIKES = {
    "event.spiritualism-b": 3.0, "event.spiritualism-c": 2.0, "event.spiritualism-d": 2.0, "event.spiritualism-e": 3.0,
    "event.miracle": 3.0, "event.full-moon-rising": 2.0, "event.enthusiasm": 1.0, "event.dissatisfaction": 0.5,
    "event.somnambulism": 1.0, "event.touch-of-death": 1.0, "event.gone-hunting": -0.5, "event.backfire": 0.5,
    "event.heads-or-tails": -0.5, "event.burial": -1.0, "event.saint-philippe": -0.5, "event.april-fools": -1.0,
    "event.nightmare": -1.0, "event.eclipse": -1.0, "event.great-distrust": -2.0, "event.radiant-sunday": -1.0,
    "event.specter": -2.0, "event.double-agent": -3.0,
}  # fmt: skip
"""What a card is worth to the village; to the wolves as much the other way round."""
QUESTIONS = ("pointed-has-wolf-beside", "i-am-wolf", "two-same-camp", "pointed-is-plain", "wolves-adjacent")
"""What a medium of the village asks, the most telling first; one of the wolves asks what tells least."""


def plain(mind: Mind, seat: int) -> float:
    """Backfire: a plain villager joins the pack, for anybody else a wolf dies."""
    says = mind.memory.held(seat) or mind.memory.says.get(seat)
    return 3.0 if says == "villager" else -5.0 if says else 0.0


PREY: dict[str, Gain] = {"event.backfire": plain}
"""What a card adds to the worth of a seat as prey, while it is in force."""
SPARES = {"event.backfire": 0.0}
"""Prey worth less than this is left alone while the card is in force."""


def name_accused(mind: Mind, ask: Ask) -> Answer:
    """The dead need not pretend: a wolf's ghost accuses one of the others."""
    if mind.is_wolf:
        pool = [seat for seat in ask.targets if seat not in mind.mates and seat not in mind.bonded]
        return max(pool, key=lambda seat: (mind.public.wolf.get(seat, 0.0), -seat), default=ask.targets[0])
    return max(ask.targets, key=lambda seat: (mind.grade(seat), -seat))


def witness(mind: Mind, ask: Ask) -> Answer:
    """For one that it does not take for a wolf, and for its own."""
    accused = mind.memory.scene.accused
    if accused in mind.bonded or (accused in mind.mates and accused not in mind.abandoned):
        return True
    return mind.outlook.wolf.get(accused, 0.0) <= INNOCENT


def hands(mind: Mind, ask: Ask) -> Answer:
    """Who is pointed at lives. Its own first, then the next two to the left that it would keep: so all hands of the
    village together reach everybody but the suspects."""
    bar = sorted(mind.grade(seat) for seat in ask.targets)[max(0, len(ask.targets) - 1 - mind.wolves)]
    near = sorted(ask.targets, key=lambda seat: (seat - mind.me) % mind.size)
    kept = [seat for seat in near if mind.grade(seat) <= bar] or near
    own = [seat for seat in near if seat in mind.bonded or (seat in mind.mates and mind.exposed(seat) is False)]
    named = list(dict.fromkeys([*own[:1], *kept]))[: ask.most]
    named += named[:1] * (ask.least - len(named))
    return tuple(named) if ask.allows(tuple(named)) else harmless(mind, ask)


def question(mind: Mind, ask: Ask) -> Answer:
    """What helps its side most."""
    if mind.is_wolf:
        dull = [name for name in ask.choices if name not in QUESTIONS]
        return dull[0] if dull else next(name for name in ask.choices if name != "i-am-wolf")
    return next((name for name in QUESTIONS if name in ask.choices), ask.choices[0])


def point(mind: Mind, ask: Ask) -> Answer:
    """Two: itself and the one it is least sure of. One: a seat whose neighbours it is least sure of."""
    unsure = sorted(ask.targets, key=lambda seat: (abs(mind.outlook.wolf.get(seat, 0.5) - 0.5), seat))
    others = [seat for seat in unsure if seat != mind.me]
    if ask.most > 1:
        return tuple(sorted([*([mind.me] if mind.me in ask.targets else []), *others][: ask.most]))
    alive = [seat for seat in mind.alive if seat not in mind.memory.scene.away]

    def doubt(seat: int) -> float:
        at = alive.index(seat) if seat in alive else 0
        beside = {alive[at - 1], alive[(at + 1) % len(alive)]} - {seat, mind.me}
        return -sum(mind.outlook.wolf.get(one, 0.0) for one in beside)

    best = min(ask.targets, key=lambda seat: (doubt(seat), seat)) if not mind.is_wolf else others[-1]
    return (best,)


def ally(mind: Mind, ask: Ask) -> Answer:
    """Whom the first dead gives to the wolves: of the village the least use, of the wolves the most."""

    def use(seat: int) -> float:
        powerful = mind.memory.says.get(seat, "villager") != "villager"
        return (2.0 if powerful else 0.0) - 2.0 * mind.public.wolf.get(seat, 0.5) + (seat == mind.sheriff)

    pick = max if mind.is_wolf else min
    return pick(ask.targets, key=lambda seat: (use(seat), seat))


def event(mind: Mind, ask: Ask) -> Answer:
    """The deputy's card: the one its side likes best."""
    sign = -1 if mind.poser else 1
    return max(ask.choices, key=lambda card: (sign * LIKES.get(card, 0.0), card))


def gypsy(mind: Mind, ask: Ask) -> Answer:
    """More often than not."""
    return mind.random("gypsy").random() < CALLS


def deputy(mind: Mind, ask: Ask) -> Answer:
    """Somebody trusted, who stays deputy as long as that lasts."""
    present = mind.memory.scene.deputy
    if present in ask.targets and mind.outlook.wolf.get(present, 1.0) < INNOCENT:
        return None
    return min(ask.targets, key=lambda seat: (mind.grade(seat), seat), default=None)


HANDLERS = {
    "punishment.name": name_accused,
    "punishment.witness": witness,
    "great-distrust.hands": hands,
    "spiritualism.ask": question,
    "spiritualism.point": point,
    "double-agent.name": ally,
    "deputy.event": event,
    "gypsy.call": gypsy,
    "sheriff.deputy": deputy,
}

__all__ = ["HANDLERS", "PREY", "SPARES"]
