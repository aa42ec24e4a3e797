"""The wolves' nights: the pack's bite, extra bites, infection, the girl at the window."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless
from players.builtin.policies.moon import PREY, SPARES

PREY_NOISE, OPEN_NOISE = 2.2, 0.8
"""How far wolves stray from the seat worth most: hidden gods make them guess, less so where cards are turned."""
STUBBORN = 0.6  # how often the clumsiest wolf holds to its own idea, whatever the pack agreed on
HUNTED = 0.5  # suspicion from which good hunters kill
WORTH = {
    "seer": 2.4, "little-girl": 2.2, "witch": 1.6, "medium": 1.4, "guard": 1.2, "bodyguard": 1.2, "fox": 1.2,
    "raven": 0.8, "piper": 0.8, "bear-tamer": 0.8, "mason": 0.6, "cupid": 0.4, "villager": -0.2, "elder": -1.0,
    "hunter": -0.8, "idiot": -0.6, "rusty-knight": -0.8,
}  # fmt: skip
"""What a claimed card is worth as prey: information first, those that bite back last."""


def bite(mind: Mind, ask: Ask) -> Answer:
    """With the pack: the last ballot's favourite, else what was proposed in words, else its own idea."""
    if not mind.is_wolf:
        return hunt(mind, ask)
    ballots = mind.memory.told.bite_ballots
    stubborn = mind.random("stubborn").random() < STUBBORN * mind.persona.clumsy
    if stubborn and (own := favourite(mind, ask.targets)):
        return own
    if ballots:
        named = [(wolf, target) for wolf, target in sorted(ballots[-1].items()) if target in ask.targets]
        named = [(wolf, target) for wolf, target in named if target not in mind.bonded]
        votes = [target for _, target in named]
        if named:
            return max(named, key=lambda one: (votes.count(one[1]), -one[0]))[1]
    return prey(mind, ask.targets)


def hunt(mind: Mind, ask: Ask) -> Answer:
    """In the wolves' place for a night: a wolf, if there is one to be found; what a lower seat said comes first."""
    target = quarry(mind, ask.targets)
    return target if target else harmless(mind, ask)


def quarry(mind: Mind, legal: tuple[int, ...]) -> int:
    """Whom good hunters take, so that all name the same: a proposal, else the table's first suspect; 0 for nobody."""
    memory, spared = mind.memory, mind.bonded | mind.memory.told.hunters | {mind.me}
    for seat in sorted(memory.proposals):
        if memory.proposals[seat] in legal and memory.proposals[seat] not in spared:
            return memory.proposals[seat]
    pool = [seat for seat in legal if seat not in spared]
    sure = next((seat for seat in pool if memory.facts.wolf.get(seat)), 0)
    first = max(pool, key=lambda seat: (round(mind.public.wolf.get(seat, 0.0), 6), -seat), default=0)
    return sure or (first if mind.beliefs.wolf.get(first, 0.0) >= HUNTED else 0)


def prey(mind: Mind, legal: tuple[int, ...]) -> int | None:
    """Whom it would bite: what a lower wolf said tonight, else its own favourite."""
    memory = mind.memory
    for wolf in sorted(memory.proposals):
        if memory.proposals[wolf] in legal and memory.proposals[wolf] not in mind.bonded:
            return memory.proposals[wolf]
    return favourite(mind, legal)


def favourite(mind: Mind, legal: tuple[int, ...]) -> int | None:
    """The seat that is worth most to the village, as far as it can tell; None for nobody."""
    pool = [seat for seat in legal if seat != mind.me and seat not in mind.mates and seat not in mind.bonded]
    if not pool:
        return None
    rng = mind.random("prey")
    spread = (OPEN_NOISE if mind.open_cards else PREY_NOISE) * (1 + 4 * mind.persona.clumsy)
    best = max(pool, key=lambda seat: worth(mind, seat) + spread * rng.random())
    return None if any(worth(mind, best) < SPARES.get(card, worth(mind, best)) for card in cards_on(mind)) else best


def cards_on(mind: Mind) -> list[str]:
    """Event cards in force that change what prey is worth."""
    return [card for card in sorted(mind.memory.scene.cards) if card in PREY]


def worth(mind: Mind, seat: int) -> float:
    """What the pack gains by a seat's death: its card, its badge, and how little the table suspects it."""
    memory = mind.memory
    card = memory.held(seat) or memory.told.seen.get(seat) or memory.says.get(seat, "")
    gain = WORTH.get(card, 0.0) + sum(PREY[one](mind, seat) for one in cards_on(mind))
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
    """All must name the same one: who has the shortest way, so that few can hear it."""
    if ask.form == "flag":
        return True
    bitten = mind.memory.told.bitten[-1:] or [mind.me]

    def way(seat: int) -> int:
        return min((bitten[0] - seat) % mind.size, (seat - bitten[0]) % mind.size)

    return min(ask.targets, key=lambda seat: (way(seat), seat), default=None)


HANDLERS = {
    "touch-of-death.go": walk,
    "werewolf.bite": bite,
    "werewolf.fascinate": bite,
    "werewolf.catch": catch,
    "big-bad-wolf.bite": another,
    "widow-knife.bite": another,
    "infecting-wolf.infect": infect,
    "white-wolf.bite": white_bite,
}

__all__ = ["HANDLERS", "prey", "quarry", "worth"]
