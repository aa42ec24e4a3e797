"""The judge's voice: each event as its audience may hear it.

Public events are announcements; private ones speak to "you". Most kinds are a line of the catalogue with the event's
own fields as values (LINES); the others have a teller. A kind in none of LINES, TELLERS and SILENT raises, so a new
event cannot go untold by oversight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine import events as e
from engine.bits import EVERYONE, seats_of
from engine.events import Event
from engine.roles.kin import KinTalk
from engine.roles.werewolf import PackBallot, PackBite, PackTalk
from engine.roles.witch import WitchVictims
from engine.text import TEXT_LIMIT, clean
from prompts.moon import MOON
from prompts.texts import TextError, has, listed, raw, text
from prompts.words import (
    answer_by_kind,
    ask_name,
    camp_word,
    cause_word,
    deck_word,
    house_word,
    houses_word,
    role_word,
    seat_word,
    seats_word,
    step_word,
)

E = TypeVar("E", bound=Event)
Quote = Callable[[str], str]

LINES: dict[str, str] = {
    "clans": "clans",
    "actor.cards": "actor.cards",
    "high-villager": "high-villager",
    "role.dealt": "role.dealt",
    "role.now": "role.now",
    "powerless": "powerless",
    "thief.cards": "thief.cards",
    "cupid.linked": "cupid.linked",
    "lovers.link": "lovers.tell",
    "pack.meet": "pack.members",
    "pack.join": "pack.joined",
    "little-girl.saw": "girl.saw",
    "girl.noticed": "girl.caught",
    "charmed.you": "charmed.you",
    "charmed.circle": "charmed.circle",
    "infected.you": "infected.you",
    "wild-child.turned": "wild-child.turned",
    "hunter.blocked": "hunter.no",
    "revealed": "reveal",
    "infected": "infected",
    "charmed.named": "charmed",
    "raven.cursed": "raven",
    "village.powerless": "village-powerless",
    "badge.gone": "badge.gone",
    "tie": "vote.tie",
    "no-elimination": "vote.none",
    "second-vote": "second",
    "banned": "banned",
    "servant": "servant",
    "exploded": "explode",
    "ruling": "ruling",
    "returned": "knock.saved",
    "deck": "deck",
}
"""Event kind -> line. Values: every field by its name, and s, t, list, r, camp made from them (see `_values`)."""

WORDS: dict[str, Callable[[Any, str], str]] = {"camp": camp_word, "house": house_word, "houses": houses_word}
"""Fields whose value in a line is their words."""

SILENT: frozenset[str] = frozenset()
"""Kinds that are deliberately never told."""

TELLERS: dict[str, Callable[[Any, str, Quote], str | None]] = {}


def tells(kind: type[E]) -> Callable[[Callable[[E, str, Quote], str | None]], Callable[[E, str, Quote], str | None]]:
    """Decorator: this function tells events of a kind."""

    def keep(teller: Callable[[E, str, Quote], str | None]) -> Callable[[E, str, Quote], str | None]:
        TELLERS[kind.kind] = teller
        return teller

    return keep


def narrate(event: Event, lang: str, quote: Quote = str) -> str | None:
    """The judge's line for an event; None where there is nothing to say.

    quote: how words of players are set off (prompts put them in quotation marks). Raises TextError for a kind that is
    neither told nor declared silent, and for a language that does not exist.
    """
    kind = event.kind
    teller = TELLERS.get(kind)
    if teller is not None:
        return teller(event, lang, lambda words: quote(clean(words[:TEXT_LIMIT])))
    if kind in SILENT:
        return None
    line = LINES.get(kind) or _line(event, lang)
    if not line:
        raise TextError(f"no line tells events of kind {kind!r}")
    return text(lang, f"lines.{line}", **_values(event, lang))


def _line(event: Event, lang: str) -> str:
    """The line of this kind, or the one for what a field says: `.none` (null or nobody), `.yes`, `.no`, a name."""
    for name in event.__struct_fields__:
        value = getattr(event, name)
        end = "none" if value is None or value == () else value
        end = ("yes" if value else "no") if isinstance(value, bool) else end
        if isinstance(end, str) and end.isascii() and has(lang, f"lines.{event.kind}.{end}"):
            return f"{event.kind}.{end}"
    return event.kind if has(lang, f"lines.{event.kind}") else ""


def overheard(event: Event, audience: int, lang: str) -> str | None:
    """An event as the judge's log shows it: a private one names those who were told. audience: the event's mask."""
    line = narrate(event, lang)
    if line is None or audience == EVERYONE:
        return line
    return text(lang, "lines.aside", list=seats_word(seats_of(audience & ~1) or (0,), lang), text=line)


def narrated() -> frozenset[str]:
    """The kinds that have a teller, a line or silence."""
    return frozenset(TELLERS) | frozenset(LINES) | SILENT


def _values(event: Event, lang: str) -> dict[str, object]:
    """An event's fields as values of a line: seats give s, t and list; roles, camps and decks their words."""
    values: dict[str, object] = {}
    for name in event.__struct_fields__:
        value = getattr(event, name)
        values[name] = value
        if name in ("seat", "target", "partner"):
            values["s"] = value
        elif name == "seats":
            values |= {"list": seats_word(value, lang), **dict(zip(("s", "t"), value, strict=False))}
        elif name == "a":
            values["list"] = seats_word(value, lang)
        elif name == "b":
            values["list2"] = seats_word(value, lang)
        elif name == "role":
            values["r"] = role_word(value, lang)
        elif name in ("roles", "cards"):
            values |= dict(zip(("r", "r2"), (role_word(role, lang) for role in value), strict=False))
            values["roles"] = listed(lang, [role_word(role, lang) for role in value])
        elif name in WORDS:
            values[name] = WORDS[name](value, lang)
        elif name == "wolves":
            values["pack"] = seats_word(value, lang)
        elif name == "card" and has(lang, f"events.{value.removeprefix('event.')}.text"):
            values |= {part: raw(lang, f"events.{value.removeprefix('event.')}.{part}") for part in ("name", "text")}
        elif name == "variant":
            values["variant"] = raw(lang, f"events.variant.{value}")
        elif name == "question":
            values["question"] = raw(lang, f"asks.spiritualism.ask.{value}")
        elif name == "counts":
            values["deck"] = deck_word(value, lang)
    return values


# ---------------------------------------------------------------- tables


def number(votes: float) -> str:
    """2, 1.5."""
    return str(int(votes)) if float(votes).is_integer() else f"{votes:g}"


def ballot_table(
    ballots: Mapping[int, int | None], totals: Mapping[int, float] | None, lang: str, voids: tuple[int, ...] = ()
) -> str:
    """A count as people read it: 3号←1号、5号（3票）；弃权：2号. Most votes first."""
    by_target: dict[int, list[int]] = {target: [] for target in totals or ()}
    for voter, target in sorted(ballots.items()):
        if target is not None and voter not in voids:
            by_target.setdefault(target, []).append(voter)
    weight = {target: (totals or {}).get(target, len(voters)) for target, voters in by_target.items()}
    rows = []
    for target in sorted(by_target, key=lambda target: (-weight[target], target)):
        voters = raw(lang, "names.list-separator").join(map(str, by_target[target]))
        count = text(lang, "names.vote-count", n=number(weight[target])) if totals is not None else ""
        line = "lines.row" if count else "lines.row.bare"
        rows.append(text(lang, line if voters else "lines.row.empty", s=target, voters=voters, count=count))
    idle = [voter for voter, target in sorted(ballots.items()) if target is None and voter not in voids]
    if idle:
        rows.append(text(lang, "names.abstained", list=seats_word(idle, lang)))
    if voids:
        rows.append(text(lang, "names.voids", list=seats_word(voids, lang)))
    return raw(lang, "names.clause").join(rows) if rows else raw(lang, "names.no-ballots")


def role_table(cards: tuple[str, ...], lang: str) -> str:
    """Every seat's card, seat 1 first."""
    rows = [text(lang, "lines.role-row", s=seat, r=role_word(role, lang)) for seat, role in enumerate(cards, 1)]
    return raw(lang, "names.list-separator").join(rows)


# ---------------------------------------------------------------- tellers


@tells(e.Phase)
def _phase(event: e.Phase, lang: str, quote: Quote) -> str | None:
    line = {"setup": "setup", "night": "night", "dawn": "dawn", "election": "election.open"}.get(event.name)
    line = line or {"day": "talk.open", "vote": "vote"}.get(event.name)
    return text(lang, f"lines.{line}", n=event.number) if line else None


STEPS = {
    "guard": "guard.ask", "seer": "seer.ask", "bodyguard": "bodyguard.ask", "raven": "raven.ask", "fox": "fox.ask",
    "gypsy": "gypsy.ask", "piper": "piper.ask", "actor": "actor.ask", "big-bad-wolf": "big.ask",
    "white-wolf": "white.ask", "widow-knife": "widow.ask", "wolves": "wolves.open", "pack": "pack.meet",
    "wild-child": "child.open", "dog-wolf": "dog.open", "prejudiced": "old-man.open",
    "stuttering-judge": "stutter.open", "sisters-talk": "sisters.talk", "brothers-talk": "brothers.talk",
}  # fmt: skip
"""Night step -> the line that calls it, where it is not `<step>.open`."""


@tells(e.Step)
def _step(event: e.Step, lang: str, quote: Quote) -> str:
    if event.state == "close":
        return text(lang, "lines.close", r=step_word(event.role, lang))
    line = STEPS.get(event.role, f"{event.role}.open")
    return text(
        lang, f"lines.{line}" if has(lang, f"lines.{line}") else "lines.step.open", r=step_word(event.role, lang)
    )


@tells(e.Intent)
def _intent(event: e.Intent, lang: str, quote: Quote) -> str:
    answer = tuple(event.answer) if isinstance(event.answer, list) else event.answer
    words = answer_by_kind(event.ask, answer, lang)
    free = isinstance(answer, str) and not has(lang, f"asks.{event.ask}.{answer}")
    return text(lang, "lines.intent", ask=ask_name(event.ask, lang), answer=quote(words) if free else words)


@tells(e.Eliminated)
def _eliminated(event: e.Eliminated, lang: str, quote: Quote) -> str | None:
    if event.cause in ("explode", "ruling", "shot"):
        return None  # the event before it has said so
    line = {"vote": "vote.out", "grief": "grief", "scapegoat": "scapegoat"}.get(event.cause, "out")
    return text(lang, f"lines.{line}", s=event.seat, cause=cause_word(event.cause, lang))


@tells(e.Dawn)
def _dawn(event: e.Dawn, lang: str, quote: Quote) -> str:
    if not event.seats:
        return raw(lang, "lines.dawn.peace")
    told = [text(lang, "lines.dawn.dead", list=seats_word(event.seats, lang))]
    told += [text(lang, "lines.grief.pair", s=pair[0], t=pair[1]) for pair in event.grief]
    return raw(lang, "names.joint").join(told)


@tells(e.Yesterday)
def _yesterday(event: e.Yesterday, lang: str, quote: Quote) -> str:
    if not event.seats:
        return raw(lang, "lines.yesterday.none")
    return text(lang, "lines.yesterday", list=seats_word(event.seats, lang))


@tells(e.Shot)
def _shot(event: e.Shot, lang: str, quote: Quote) -> str:
    if len(event.seats) < 2:
        return text(lang, "lines.no-shot", s=event.seats[0])
    return text(lang, "lines.shot", s=event.seats[0], t=event.seats[1])


@tells(e.Said)
def _said(event: e.Said, lang: str, quote: Quote) -> str:
    if event.how == "gesture" and has(lang, f"names.gesture.{event.text}"):
        return text(lang, "lines.said", s=event.seat, text=raw(lang, f"names.gesture.{event.text}"))
    if not event.text:
        return text(lang, "lines.said.nothing", s=event.seat)
    if event.to is not None:
        return text(lang, "lines.said.to", s=event.seat, t=event.to, text=quote(event.text))
    if event.how == "speech" or not has(lang, f"names.how.{event.how}"):
        return text(lang, "lines.said", s=event.seat, text=quote(event.text))
    return text(lang, "lines.said.how", s=event.seat, how=raw(lang, f"names.how.{event.how}"), text=quote(event.text))


@tells(e.Ballots)
def _ballots(event: e.Ballots, lang: str, quote: Quote) -> str:
    return text(lang, "lines.votes", table=ballot_table(event.ballots, event.totals, lang, event.voids))


@tells(e.Candidates)
def _candidates(event: e.Candidates, lang: str, quote: Quote) -> str:
    if not event.seats:
        return raw(lang, "lines.election.nobody")
    return text(lang, "lines.election.running", list=seats_word(event.seats, lang))


@tells(e.ElectionCount)
def _election_count(event: e.ElectionCount, lang: str, quote: Quote) -> str:
    return text(lang, "lines.election.votes", table=ballot_table(event.ballots, event.totals, lang))


@tells(e.ElectionVoid)
def _election_void(event: e.ElectionVoid, lang: str, quote: Quote) -> str:
    return raw(lang, "lines.election.tie.again" if event.then == "again" else f"lines.election.void.{event.then}")


@tells(e.Sheriff)
def _sheriff(event: e.Sheriff, lang: str, quote: Quote) -> str:
    return raw(lang, "lines.sheriff.none") if event.seat is None else text(lang, "lines.sheriff", s=event.seat)


@tells(e.Side)
def _side(event: e.Side, lang: str, quote: Quote) -> str:
    return text(lang, f"lines.side.{event.side}", s=event.seat)


@tells(e.Summary)
def _summary(event: e.Summary, lang: str, quote: Quote) -> str:
    return raw(lang, "lines.summary.none") if event.seat is None else text(lang, "lines.summary", s=event.seat)


@tells(e.Over)
def _over(event: e.Over, lang: str, quote: Quote) -> str:
    table = role_table(event.roles, lang)
    if not event.winners:
        return text(lang, "lines.draw", table=table)
    if event.winners == ("fox",):
        return text(lang, "lines.fox.win", table=table)
    return text(lang, "lines.end", camp=listed(lang, [camp_word(camp, lang) for camp in event.winners]), table=table)


@tells(PackTalk)
def _pack_talk(event: PackTalk, lang: str, quote: Quote) -> str:
    return text(lang, "lines.pack.said", s=event.seat, text=quote(event.text))


@tells(KinTalk)
def _kin_talk(event: KinTalk, lang: str, quote: Quote) -> str:
    return text(lang, "lines.kin.talk", s=event.seat, text=quote(event.text))


@tells(PackBallot)
def _pack_ballot(event: PackBallot, lang: str, quote: Quote) -> str:
    return text(lang, "lines.pack.ballot", table=ballot_table(event.ballots, None, lang))


@tells(PackBite)
def _pack_bite(event: PackBite, lang: str, quote: Quote) -> str:
    return raw(lang, "lines.wolves.none") if event.target is None else text(lang, "lines.wolves.bite", s=event.target)


@tells(WitchVictims)
def _witch_victims(event: WitchVictims, lang: str, quote: Quote) -> str:
    if not event.seats:
        return raw(lang, "lines.witch.none")
    return text(lang, "lines.witch.told", list=seats_word(event.seats, lang))


def _checked(event: Any, lang: str, quote: Quote) -> str:
    """A check's result: a side, a camp, a wolf or not, or the card."""
    result = event.result
    for group in ("side", "camp", "wolf"):
        if has(lang, f"lines.seer.{group}.{result}"):
            return text(lang, f"lines.seer.{group}.{result}", s=event.seat)
    return text(lang, "lines.seer.card", s=event.seat, r=role_word(result, lang))


TELLERS |= MOON
TELLERS["seer.result"] = _checked
TELLERS["medium.result"] = lambda event, lang, quote: text(lang, f"lines.medium.tell.{event.result}", s=event.seat)
TELLERS["fox.result"] = lambda event, lang, quote: raw(lang, f"lines.fox.tell.{'yes' if event.wolf else 'no'}")
TELLERS["witch.potion"] = lambda event, lang, quote: raw(lang, f"lines.witch.potion.{event.potion}")
TELLERS["double-you.roles"] = lambda event, lang, quote: text(
    lang, "lines.double-you.roles", table=role_table(event.roles, lang)
)


def _two_cards(event: Any, lang: str, quote: Quote) -> str:
    """Everyone's two cards, seat 1 first."""
    pairs = enumerate(zip(event.first, event.second, strict=True), 1)
    hands = [(seat, listed(lang, [role_word(card, lang) for card in two])) for seat, two in pairs]
    rows = [text(lang, "lines.role-row", s=seat, r=hand) for seat, hand in hands]
    return text(lang, "lines.double-you.cards", table=raw(lang, "names.clause").join(rows))


TELLERS["double-you.cards"] = _two_cards
TELLERS["bear.growl"] = lambda event, lang, quote: raw(lang, "lines.growl" if event.heard else "lines.quiet")

__all__ = ["LINES", "SILENT", "ballot_table", "narrate", "narrated", "overheard", "role_table", "seat_word"]
