"""What happened: event kinds, and who learns of them.

An event names only what its audience may know; the audience is kept beside it, never in it. Events of a single role
are declared in that role's file. Lists of seats ascend. Source of the kinds: the rulebook's procedure, part 8.
"""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Any, ClassVar

import msgspec

Seats = tuple[int, ...]
KINDS: dict[str, type[Event]] = {}


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="kind"):
    """Base of all events. A subclass is declared with `tag=` its kind and listed in KINDS by `registered`."""

    kind: ClassVar[str]
    camp_now: ClassVar[str] = ""
    """The camp that a seat learns, by being told this alone, that it now belongs to."""

    def fields(self) -> dict[str, Any]:
        """The event as plain data with its kind, as rule cases and records show it."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def registered(cls: type[Event]) -> type[Event]:
    """Class decorator: makes the kind known to records and views."""
    tag = cls.__struct_config__.tag
    assert isinstance(tag, str)
    cls.kind = tag
    KINDS[tag] = cls
    return cls


def decode(data: bytes | str) -> Event:
    """An event from its JSON. Raises msgspec.ValidationError."""
    event: Event = _decoder().decode(data)
    return event


def from_fields(plain: object) -> Event:
    """An event from plain data as `fields` gives it. Raises msgspec.ValidationError."""
    event: Event = msgspec.convert(plain, _union(), strict=False)
    return event


@cache
def _union() -> Any:
    """The union of all kinds, those that the cards declare included."""
    from engine.registry import load

    load()
    return reduce(or_, KINDS.values())


@cache
def _decoder() -> Any:
    return msgspec.json.Decoder(_union(), strict=False)


# ---------------------------------------------------------------- the table and the cards


@registered
class Deck(Event, frozen=True, tag="deck"):
    """The published deck: how many of each card, a thief's extra cards included."""

    counts: dict[str, int]


@registered
class Phase(Event, frozen=True, tag="phase"):
    """A phase begins: setup, night, dawn, election, day, vote."""

    name: str
    number: int


@registered
class Step(Event, frozen=True, tag="step"):
    """The judge calls a card at night, held or not. state: open or close."""

    role: str
    state: str


@registered
class RoleDealt(Event, frozen=True, tag="role.dealt"):
    """The card dealt to a seat, told to that seat."""

    seat: int
    role: str
    camp: str


@registered
class RoleNow(Event, frozen=True, tag="role.now"):
    """The card a seat now holds, after it changed."""

    seat: int
    role: str
    camp: str


@registered
class Intent(Event, frozen=True, tag="intent"):
    """An answer given in the dark, for its giver and the judge."""

    seat: int
    ask: str
    answer: Any


@registered
class Powerless(Event, frozen=True, tag="powerless"):
    """This seat's card has lost its power."""

    seat: int


# ---------------------------------------------------------------- eliminations


@registered
class Eliminated(Event, frozen=True, tag="eliminated"):
    """A seat is out, with the first cause. In the night only the judge learns it."""

    seat: int
    cause: str


@registered
class Dawn(Event, frozen=True, tag="dawn"):
    """The night's dead, told without cause; grief: pairs (griever, partner) where the ruleset tells them."""

    seats: Seats
    grief: tuple[Seats, ...] = ()


@registered
class Yesterday(Event, frozen=True, tag="dawn.yesterday"):
    """The seats eliminated on the day before, told again at dawn."""

    seats: Seats


@registered
class Revealed(Event, frozen=True, tag="revealed"):
    """A card is turned."""

    seat: int
    role: str


@registered
class Shot(Event, frozen=True, tag="shot"):
    """A hunter's shot: the hunter, then the target; the hunter alone when he does not shoot."""

    seats: Seats


@registered
class Ruling(Event, frozen=True, tag="ruling"):
    """The judge puts a seat out."""

    seats: Seats


@registered
class Returned(Event, frozen=True, tag="returned"):
    """These seats are brought back and play on."""

    seats: Seats


# ---------------------------------------------------------------- talk and vote


@registered
class Said(Event, frozen=True, tag="said"):
    """Somebody spoke, or kept silent (empty text). how: speech, words, plea, election, gesture, interjection."""

    seat: int
    text: str
    how: str
    to: int | None = None


@registered
class Ballots(Event, frozen=True, tag="ballots"):
    """An exile ballot: who named whom (null: nobody), void ballots, and the votes per seat.

    Where the table's ballots are secret only the votes per seat are told.
    """

    ballots: dict[int, int | None]
    voids: Seats
    totals: dict[int, float]


@registered
class OpenBallot(Event, frozen=True, tag="ballot.open"):
    """A seat votes alone and openly before the others."""

    seat: int
    target: int | None


@registered
class Tie(Event, frozen=True, tag="tie"):
    """These seats share the most votes."""

    seats: Seats


@registered
class NoElimination(Event, frozen=True, tag="no-elimination"):
    """The vote put nobody out. reason: tie, void, no-votes, idiot."""

    reason: str


# ---------------------------------------------------------------- the sheriff


@registered
class Candidates(Event, frozen=True, tag="election.candidates"):
    """Who stands for sheriff, after the candidacies and after the withdrawals."""

    seats: Seats


@registered
class ElectionCount(Event, frozen=True, tag="election.count"):
    """An election ballot and its count."""

    ballots: dict[int, int | None]
    totals: dict[int, int]


@registered
class ElectionVoid(Event, frozen=True, tag="election.void"):
    """An election without a result. then: again (now), next-day, or lost (no sheriff in this game)."""

    then: str


@registered
class Sheriff(Event, frozen=True, tag="sheriff"):
    """Who holds the badge now; null: nobody."""

    seat: int | None


@registered
class BadgeGone(Event, frozen=True, tag="badge.gone"):
    """The badge leaves the game."""


@registered
class Side(Event, frozen=True, tag="side"):
    """On which side of the sheriff the talk begins."""

    seat: int
    side: str


@registered
class Summary(Event, frozen=True, tag="summary"):
    """Whom the sheriff calls for (null: nobody)."""

    seat: int | None


# ---------------------------------------------------------------- the end


@registered
class Over(Event, frozen=True, tag="over"):
    """The game is over: winning camps, winning seats, and every seat's final card and camp, seat 1 first."""

    winners: tuple[str, ...]
    seats: Seats
    roles: tuple[str, ...]
    camps: tuple[str, ...]
