"""The death queue (procedure.md 5): waves with all that follows at once, then decisions, run to a fixed point."""

from __future__ import annotations

from collections.abc import Iterable

from engine.bits import EVERYONE, mask_of, seats_of
from engine.events import Revealed
from engine.facts import Death
from engine.flow import victory
from engine.rule import Flow
from engine.rules.table import Reveal
from engine.state import State


def chain(s: State, first: Iterable[Death]) -> Flow[list[Death]]:
    """Eliminate these seats at once, with everything their deaths bring. Returns all the deaths, in order.

    The night keeps decisions (shots) for the dawn, except where the ruleset has them at once. They come in the order
    of elimination, in one wave by ascending seat.
    """
    before = len(s.deaths)
    deaths = fall(s, first)
    if s.phase == "night" and not s.at_once:
        s.pending += deaths
        return deaths
    if len(deaths) == 1:
        return (yield from reactions(s, deaths))
    yield from reactions(s, sorted(deaths, key=lambda death: (death.wave, death.seat)))
    return s.deaths[before:]


def put_out(s: State, first: Iterable[Death], window: str) -> Flow[list[Death]]:
    """A chain on its own in the middle of a phase: then the win check, and the badge and whatever else passes on."""
    deaths = yield from chain(s, first)
    victory.check(s, window)
    for hook in s.on.after_chain:
        yield from hook(deaths)
    return deaths


def reactions(s: State, deaths: list[Death]) -> Flow[list[Death]]:
    """The decisions these deaths call for, one at a time, each with its own chain; then the chain is over."""
    known = len(s.deaths)
    s.chains += 1
    for death in deaths:
        for react in s.on.reacts:
            yield from react(death)
    s.chains -= 1
    whole = [*deaths, *s.deaths[known:]]
    if not s.chains:  # a shot's own chain is part of the one in which it was fired
        for over in s.on.chain_over:
            over(whole)
    return whole


def fall(s: State, first: Iterable[Death]) -> list[Death]:
    """Waves until nothing follows; a wave's deaths are one instant."""
    deaths: list[Death] = []
    wave, number = with_partners(s, first), 0
    while wave:
        number += 1
        for death in wave:
            death.wave = number
            s.eliminate(death)
            if s.phase != "night":
                show_card(s, death)
        deaths += wave
        follow = [death for hook in s.on.follows for death in hook(wave)]
        wave = with_partners(s, follow) if follow else []
        if s.waves:
            victory.check(s, "wave")
    return deaths


def with_partners(s: State, first: Iterable[Death]) -> list[Death]:
    """The wave: each seat once and still living, its grief partners right after it."""
    struck: dict[int, Death] = {}
    for death in first:
        if s.living >> death.seat & 1:
            death = diverted(s, death)
            struck.setdefault(death.seat, death)
    going = mask_of(tuple(struck))
    wave: list[Death] = []
    for death in struck.values():
        ring = [death]
        for each in ring:
            for partner in partners(s, each):
                if not s.living & ~going & 1 << partner.seat:
                    continue
                partner = diverted(s, partner)
                if not going >> partner.seat & 1:
                    going |= 1 << partner.seat
                    ring.append(partner)
        wave += ring
    return wave


def partners(s: State, death: Death) -> list[Death]:
    """Who goes with this death at once: not for grief while lovers do not grieve."""
    bound = [partner for hook in s.on.partners for partner in hook(death)]
    return bound if s.grieving else [partner for partner in bound if partner.cause != "grief"]


def diverted(s: State, death: Death) -> Death:
    """The death that comes in a death's place, where a rule says so."""
    for hook in s.on.instead:
        other: Death | None = hook(death)
        if other is not None:
            return other
    return death


SHOWN_AS = {
    "vote": "vote",
    "scapegoat": "vote",
    "fascination": "vote",
    "grief": "grief",
    "explode": "explode",
    "shot": "shot",
    "razor": "shot",
}
"""Whose reveal option a cause falls under; all others under the night's."""


def show_card(s: State, death: Death) -> None:
    """Turn the card of a seat that is out, where the ruleset does."""
    reveal = s.opt(Reveal)
    cause = death.cause
    if cause == "ruling" or death.hidden:
        return
    for hook in s.on.shown_to:
        to = hook(death)
        if to is not None:
            if to:
                turn_cards(s, death.seat, to)
            return
    if getattr(reveal, SHOWN_AS.get(cause, "night")) == "card":
        turn_cards(s, death.seat)


def turn_cards(s: State, seat: int, to: int = EVERYONE) -> None:
    """Turn what lies before a seat, for these seats: its card, or what a rule has it show."""
    for card in s.cards_of(seat):
        s.emit(Revealed(seat, card), to)


def announce(s: State) -> tuple[int, ...]:
    """The fallen become out. Returns them, ascending."""
    fallen = seats_of(s.fallen)
    s.fallen = 0
    return fallen
