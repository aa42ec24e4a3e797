"""What every event card shares: its class, its place in the deck, and the words of the page (new-moon.md 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import ClassVar, Literal, cast

from engine.bits import next_seat, seats_of
from engine.events import Event, Seats, registered
from engine.facts import Death
from engine.new_moon.options import EventsOptions
from engine.roles.sheriff import SheriffOffice
from engine.rule import RULES, Flow, Role, Rule
from engine.state import State

Lasts = Literal["once", "now", "night", "round", "game"]
WOLF_CAUSES = ("bite", "extra-bite", "caught")


@registered
class EventCard(Event, frozen=True, tag="event.card"):
    """An event card is turned; its text holds from now on."""

    card: str


@registered
class EventOver(Event, frozen=True, tag="event.over"):
    """An event card's time is over."""

    card: str


@registered
class Away(Event, frozen=True, tag="away"):
    """These seats leave the village until tomorrow's news."""

    seats: Seats


@registered
class Back(Event, frozen=True, tag="back"):
    """These seats are back in the village."""

    seats: Seats


@registered
class NoVote(Event, frozen=True, tag="no-vote"):
    """This seat has lost its vote of today."""

    seat: int


class Card(Rule):
    """An event card: a rule in force from the event step of a dawn until its class says that it is over.

    once: over when it was played. now: to the end of that day's vote. night: the next night. round: to the next event
    step. game: to the end.
    """

    lasts: ClassVar[Lasts] = "once"
    full_only: ClassVar[bool] = False
    """Whether only the deck of 36 holds it."""
    variant: ClassVar[str] = ""
    """The whole-game variant that it brings; where that is on, the card is left out."""
    slot: ClassVar[str] = ""
    """What it puts in the place of the usual: of two such cards the later drawn holds."""
    open_condition: ClassVar[bool] = True
    """Whether everybody can tell if the card may be played; else that would tell of cards or causes of death."""
    ends_aloud: ClassVar[bool] = True
    early = 60

    @classmethod
    def playable(cls, s: State) -> bool:
        """Whether the card can be played now."""
        return True

    def play(self) -> Flow[None]:
        """In the event step."""
        yield from ()

    def over(self) -> None:
        """Its time is over."""

    # -- words of the page

    def voice(self, seat: int) -> int:
        """Who answers for a dead seat: it, or the judge where the table has it so."""
        return seat if self.opt(EventsOptions).dead_names else 0

    def bar(self, seat: int) -> None:
        """The seat loses its vote of today."""
        self.s.mark("no-vote", 1 << seat)
        self.s.emit(NoVote(seat))


@cache
def cards() -> dict[str, type[Card]]:
    """Every event card by id, sorted."""
    from engine.registry import load

    load()
    found = {rule.id: rule for rule in RULES if issubclass(rule, Card)}
    return dict(sorted(found.items()))


def at_home(s: State) -> int:
    """Living seats that are not away."""
    return s.living & ~s.away


def dead(s: State) -> list[Death]:
    """The eliminations that still hold, in order."""
    last = {death.seat: death for death in s.deaths}
    return [death for death in s.deaths if last[death.seat] is death and not s.living >> death.seat & 1]


def last_dead(s: State) -> int:
    """The seat eliminated last, of those still out; 0: nobody is."""
    gone = dead(s)
    return gone[-1].seat if gone else 0


def wolf_victims(s: State) -> list[Death]:
    """The dead whom wolves killed, in order."""
    return [death for death in dead(s) if death.cause in WOLF_CAUSES]


def left_of_the_dead(s: State) -> int:
    """The first living seat clockwise from the last dead; the lowest one while nobody is dead."""
    home = at_home(s)
    after = last_dead(s) or s.size
    return next_seat(home, after, s.size) or next(iter(seats_of(home)), 0)


def beside(s: State, seat: int) -> Seats:
    """The two nearest living neighbours of a seat, or the one that there is, or none."""
    sides = {next_seat(s.living, seat, s.size, step) for step in (1, -1)}
    return tuple(sorted(sides - {0}))


def voters_now(s: State) -> int:
    """Who may vote today: bans and absences counted."""
    voters = at_home(s)
    for hook in s.on.votes:
        voters = hook(voters)
    return voters


def votable(s: State) -> int:
    """Who can be voted for at all."""
    return s.narrowed("day.vote", 0, at_home(s))


def leave(s: State, seats: int) -> None:
    """These seats are outside the game for a while; public."""
    s.away |= seats
    s.mark("away", seats)
    s.emit(Away(seats_of(seats)))


def come_back(s: State, seats: int) -> None:
    """They are back, those that still live; public."""
    s.away &= ~seats
    s.unmark("away", seats)
    if seats & s.living:
        s.emit(Back(seats_of(seats & s.living)))


def office(s: State) -> SheriffOffice | None:
    """The sheriff's office, where the table has one."""
    return cast("SheriffOffice | None", s.rules.get("sheriff"))


def card_in_force(s: State, role: type[Role]) -> type[Role]:
    """A role's card, whose rule is brought in if the deck had none."""
    if role.id not in s.rules:
        s.bring_in([role])
    return role


def strip_marks(s: State, seats: int) -> None:
    """All marks of these seats go."""
    for name in s.marks:
        s.unmark(name, seats)


def add_death(deaths: list[Death], seat: int, cause: str) -> None:
    """One more death of the night; already decided when the others were still open, so its cause comes first."""
    struck = next((death for death in deaths if death.seat == seat), None)
    if struck is None:
        deaths.append(Death(seat, [cause]))
    else:
        struck.causes.insert(0, cause)


def most_named(named: Iterable[int]) -> tuple[int, ...]:
    """The seats named most often, ascending."""
    count: dict[int, int] = {}
    for seat in named:
        count[seat] = count.get(seat, 0) + 1
    most = max(count.values(), default=0)
    return tuple(sorted(seat for seat, got in count.items() if got == most))
