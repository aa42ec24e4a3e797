"""Reactions: what a seat does unasked, beside the pending asks."""

from __future__ import annotations

from collections.abc import Sequence

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies.aims import AIMS, follow
from players.builtin.policies.houses import shave
from players.builtin.speech import speak

INTERJECTS = 0.5  # suspicion from which an idiot cannot hold its tongue
EXPLODES = 0.25  # how often an exposed wolf takes the day with it


def react(mind: Mind, offers: Sequence[Ask]) -> tuple[str, Answer] | None:
    """The reaction it takes now, or None."""
    for offer in offers:
        if offer.seat != mind.me or mind.memory.phase not in ("election", "day"):
            continue
        if offer.kind == "werewolf.explode":
            if explodes(mind):
                return offer.kind, True
        elif offer.kind == "day.interject":
            if words := interjects(mind):
                return offer.kind, words
        elif offer.kind == "barber.shave":
            if target := shave(mind, offer):
                return offer.kind, target
        elif offer.kind in AIMS and offer.form == "seat" and (target := _worth_it(mind, offer)):
            return offer.kind, target
    return None


def interjects(mind: Mind) -> str:
    """A revealed idiot calls in when its suspect has just been spoken for: at most once a day, and only what is new."""
    if mind.memory.interjected == mind.day:
        return ""
    last = mind.memory.heard[-1:]
    spoken_for = last and last[0].day == mind.day and last[0].claim.act in ("vouch", "agree", "defend")
    about = (last[0].claim.target or last[0].speaker) if last else 0
    if not spoken_for or about != mind.suspect or mind.outlook.wolf.get(about, 0.0) < INTERJECTS:
        return ""
    return speak(mind, "day.interject")[0]


def _worth_it(mind: Mind, offer: Ask) -> int:
    """The target of a power that is used once: only a good one, so the bar of its aim holds though nobody asked."""
    aim = AIMS[offer.kind]
    target = follow(mind, offer, aim)
    if not isinstance(target, int) or isinstance(target, bool) or target in mind.bonded:
        return 0
    if aim.kind == "harm" and (mind.outlook.wolf.get(target, 0.0) < aim.bar or target in mind.mates):
        return 0
    if aim.kind == "look" and (target in mind.memory.facts.wolf or mind.is_wolf):
        return 0
    return target


def explodes(mind: Mind) -> bool:
    """A wolf that a believed check has exposed sometimes ends the day, so that the village does not talk on."""
    if mind.poses or not mind.mates or mind.goal != "wolves":
        return False
    exposed = any(
        result.target == mind.me and result.bad
        for seat, told in mind.memory.results.items()
        if mind.memory.alive(seat) and seat not in mind.mates
        for result in told
    )
    lost = exposed and mind.public.wolf.get(mind.me, 0) > 0.8
    return lost and mind.steady(f"explode{mind.day}") < EXPLODES


__all__ = ["explodes", "react"]
