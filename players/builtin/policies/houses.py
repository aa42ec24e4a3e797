"""What a house asks of its owner: mercy, fire, the razor."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.pack import worth

MERCY = 0.35  # suspicion up to which the lord reprieves
RAZOR = 0.9  # belief from which a barber dares: a mistake costs his own life
WANTED = 1.0  # worth as prey from which a seat's house is set on fire to save it


def reprieve(mind: Mind, ask: Ask) -> Answer:
    """Himself, his own, and one that looks innocent; nobody has begged where he is condemned himself."""
    begging = mind.memory.scene.begging
    if not begging or begging in mind.bonded:
        return True
    if begging in mind.mates:
        return begging not in mind.abandoned
    return not mind.is_wolf and mind.beliefs.wolf.get(begging, 1.0) <= MERCY


def burn(mind: Mind, ask: Ask) -> Answer:
    """The house of whom the wolves want most, from the night on which that is plain: the fire saves its owner."""
    owner = mind.memory.scene.owner
    prey = {house: worth(mind, owner[house]) for house in ask.choices if owner.get(house) in mind.alive}
    prey = {house: value for house, value in prey.items() if owner[house] != mind.me and value >= WANTED}
    return max(prey, key=lambda house: (prey[house], house)) if prey and mind.day > 1 else None


def shave(mind: Mind, offer: Ask) -> int:
    """Whom a barber shaves unasked, 0 for nobody: by what he knows, not by what he pretends. A wolf never does, as a
    villager's death would be its own."""
    if mind.is_wolf:
        return 0
    target = max(offer.targets, key=lambda seat: mind.beliefs.wolf.get(seat, 0.0), default=0)
    return target if mind.beliefs.wolf.get(target, 0.0) >= RAZOR and target not in mind.bonded else 0


HANDLERS = {"lord.reprieve": reprieve, "arsonist.burn": burn}

__all__ = ["HANDLERS", "shave"]
