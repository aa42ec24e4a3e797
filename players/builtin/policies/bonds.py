"""Choices that settle with whom a seat wins, or what it is: cupid, hybrid, wild child, dog-wolf, thief and so on."""

from __future__ import annotations

from engine.asks import Answer, Ask
from players.builtin.beliefs import WOLF_CARDS
from players.builtin.mind import Mind
from players.builtin.policies.aims import harmless

POWERS = (
    "seer", "witch", "guard", "bodyguard", "fox", "bear-tamer", "little-girl", "raven", "medium", "hunter", "idiot",
    "stuttering-judge", "rusty-knight", "elder", "actor", "cupid", "scapegoat", "piper",
)  # fmt: skip
"""Cards from the most useful down: what a thief, an actor or a servant would rather have."""


LINKS_NOBODY = 0.9


def rank(card: str) -> int:
    """A card's place among the useful ones; unknown cards come last."""
    return POWERS.index(card) if card in POWERS else len(POWERS)


def link(mind: Mind, ask: Ask) -> Answer:
    """Any two, now and then itself with another; where it may, it mostly links nobody, as one bite then takes two."""
    rng = mind.random("link")
    if ask.can_pass and rng.random() < LINKS_NOBODY:
        return None
    legal = list(ask.targets)
    if mind.me in legal and len(legal) > 2 and rng.random() < 0.3:
        return tuple(sorted((mind.me, rng.choice([s for s in legal if s != mind.me]))))
    others = [seat for seat in legal if seat != mind.me]
    return tuple(sorted(rng.sample(others, 2))) if len(others) > 1 else harmless(mind, ask)


def affair(mind: Mind, ask: Ask) -> Answer:
    """One of the lovers and a third, drawn."""
    rng = mind.random("affair")
    pair = [seat for seat in ask.targets if seat in mind.memory.told.linked and ask.first >> seat & 1]
    others = [seat for seat in ask.targets if not ask.first >> seat & 1 and seat != mind.me]
    return (rng.choice(pair), rng.choice(others)) if pair and others else harmless(mind, ask)


def model(mind: Mind, ask: Ask) -> Answer:
    """A seat to stand by: nothing is known of anybody yet, later one that is trusted."""
    others = [seat for seat in ask.targets if seat != mind.me] or list(ask.targets)
    if mind.day <= 1:
        return mind.random("model").choice(others)
    return min(others, key=lambda seat: (mind.grade(seat), seat))


def side(mind: Mind, ask: Ask) -> Answer:
    """The dog-wolf follows its temper."""
    return "wolves" if mind.steady("side") < 0.5 else "village"


def clan(mind: Mind, ask: Ask) -> Answer:
    """The clan that is done away with sooner: the one with fewer others in it."""
    clans = mind.memory.told.clans
    return min(ask.choices, key=lambda name: (len([s for s in clans.get(name, ()) if s != mind.me]), name))


def charm(mind: Mind, ask: Ask) -> Answer:
    """Those that will be there in the end: neither prey nor suspects. A charm on one who dies soon is lost."""
    memory = mind.memory

    def doomed(seat: int) -> float:
        public = mind.public.wolf.get(seat, 0.5)
        marked = memory.says.get(seat) in ("seer", "witch", "medium") or seat == mind.sheriff
        return abs(public - 0.35) + (0.4 if marked else 0.0)

    rng = mind.random("charm")
    ranked = sorted(ask.targets, key=lambda seat: doomed(seat) + 0.3 * rng.random())
    if ask.form == "seat":
        return ranked[0] if ranked else None
    return tuple(sorted(ranked[: ask.most]))


def swap(mind: Mind, ask: Ask) -> Answer:
    """The most useful of the two cards; it rather is a wolf than nothing."""
    cards = mind.memory.told.cards

    def value(choice: str) -> tuple[float, str]:
        if choice == "keep":
            return (len(POWERS) + 0.5, choice)
        card = cards[int(choice[-1]) - 1] if choice[-1:].isdigit() and int(choice[-1]) <= len(cards) else ""
        wolfish = 1.5 if mind.steady("thief") < 0.5 else 6.5
        return (wolfish if card in WOLF_CARDS else float(rank(card)), choice)

    return min(ask.choices, key=value)


def act(mind: Mind, ask: Ask) -> Answer:
    """The best card of several; an actor takes it every night, as none is worth saving beyond his own death."""
    return min(ask.choices, key=lambda card: (rank(card), card))


def serve(mind: Mind, ask: Ask) -> Answer:
    """The card of a condemned seat that claims a power and is believed."""
    ballots = [b for b in mind.memory.ballots if b.day == mind.day]
    votes: dict[int, int] = {}
    for ballot in ballots:
        votes[ballot.target] = votes.get(ballot.target, 0) + 1
    condemned = max(votes, key=lambda seat: (votes[seat], -seat), default=0)
    says = mind.memory.says.get(condemned, "villager")
    return bool(condemned) and rank(says) < 8 and mind.beliefs.wolf.get(condemned, 1) < 0.4


HANDLERS = {
    "cupid.link": link,
    "cupid.affair": affair,
    "hybrid.support": model,
    "wild-child.model": model,
    "dog-wolf.side": side,
    "prejudiced.clan": clan,
    "piper.charm": charm,
    "thief.swap": swap,
    "actor.take": act,
    "double-you.choose": act,
    "devoted-servant.take": serve,
}

__all__ = ["HANDLERS", "rank"]
