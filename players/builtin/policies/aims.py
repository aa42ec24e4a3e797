"""Asks that need no more than an aim: whom to hurt, whom to help, what to look at, yes or no. Plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.asks import Answer, Ask
from players.builtin.mind import Mind

Kind = Literal["harm", "help", "look", "mate", "yes", "no", "pass", "first"]


@dataclass(frozen=True, slots=True)
class Aim:
    """kind: what to do. bar: harm only seats believed wolves from here on, where a pass is legal. open: everyone sees
    the answer, so that a wolf answers as it pretends to think."""

    kind: Kind
    bar: float = 0.0
    open: bool = True


AIMS: dict[str, Aim] = {
    # cards
    "raven.curse": Aim("harm", 0.34),
    "guard.soundproof": Aim("help", open=False),
    "idiot.reveal": Aim("yes"),
    # buildings
    "priest.confess": Aim("look"),
    "barber.shave": Aim("harm", 0.9),
    "quack.heal": Aim("help"),
    "teacher.forbid": Aim("harm", 0.45),
    "rumour-monger.mark": Aim("harm", 0.34),
    "castle.beg": Aim("yes"),
    "vagabond.accept": Aim("yes"),
    "magistrate.house": Aim("first"),
    "magistrate.guest": Aim("help"),
    # event cards
    "executioner.elect": Aim("help"),
    "executioner.heir": Aim("help"),
    "influences.first": Aim("help"),
    "in-any-case.seat": Aim("help"),
    "specter.name": Aim("harm", open=False),
    "spiritualism.medium": Aim("help"),
    "thief.swap-seat": Aim("look", open=False),
}


def follow(mind: Mind, ask: Ask, aim: Aim) -> Answer:
    """The answer that serves the aim, in whatever form the ask takes."""
    match aim.kind:
        case "yes" | "no":
            return aim.kind == "yes" if ask.form == "flag" else harmless(mind, ask)
        case "pass":
            return harmless(mind, ask)
        case "first":
            return ask.choices[0] if ask.choices else harmless(mind, ask)
    if not ask.seats:
        return harmless(mind, ask)
    ranked = ranking(mind, ask, aim)
    if ask.form == "seats":
        many = [seat for seat in ranked[: ask.most] if _worth_it(mind, ask, aim, seat)]
        return tuple(sorted(many)) if len(many) >= ask.least else harmless(mind, ask, ranked)
    first = ranked[0] if ranked else 0
    return first if first and _worth_it(mind, ask, aim, first) else harmless(mind, ask, ranked)


def ranking(mind: Mind, ask: Ask, aim: Aim) -> list[int]:
    """The legal seats, best first for this aim."""
    if aim.kind == "harm":
        seats = [seat for seat in ask.targets if seat != mind.me] or list(ask.targets)
        return sorted(seats, key=lambda seat: (-wish(mind, seat, aim.open), seat))
    if aim.kind == "look":
        fresh = [seat for seat in ask.targets if seat not in mind.memory.facts.wolf]
        return sorted(fresh or ask.targets, key=lambda seat: (-mind.grade(seat), seat))
    return sorted(ask.targets, key=lambda seat: (wish(mind, seat, aim.open) - 2.0 * (seat == mind.me), seat))


def wish(mind: Mind, seat: int, open_: bool) -> float:
    """How much it wants a seat gone: openly by what it shows, in the dark by what it is."""
    if mind.is_wolf and not open_:
        return -9.0 if seat in mind.mates or seat in mind.bonded else -mind.grade(seat)
    return mind.grade(seat)


def harmless(mind: Mind, ask: Ask, ranked: list[int] | None = None) -> Answer:
    """A pass where that is legal, else the mildest answer: the least wanted of a ranking, or a seeded draw."""
    if ask.can_pass:
        return ask.quiet()
    if ranked and ask.form == "seat":
        return ranked[0]
    if ranked and ask.form == "seats":
        return tuple(sorted(ranked[: ask.least]))
    return ask.random(mind.random(ask.kind))


def _worth_it(mind: Mind, ask: Ask, aim: Aim, seat: int) -> bool:
    if aim.kind != "harm" or not ask.can_pass:
        return True
    if mind.is_wolf and not aim.open:
        return seat not in mind.mates
    return mind.outlook.wolf.get(seat, 0.0) >= aim.bar and seat not in mind.bonded


__all__ = ["AIMS", "Aim", "follow", "harmless", "ranking", "wish"]
