"""The whole game as one procedure (procedure.md 3.1)."""

from __future__ import annotations

from engine.events import Over
from engine.facts import GameOver, NightFalls
from engine.flow.dawn import dawn
from engine.flow.election import election
from engine.flow.night import night, setup
from engine.flow.talk import day
from engine.flow.vote import vote
from engine.roles.sheriff import ElectionOptions
from engine.rule import Flow
from engine.rules.table import Win
from engine.state import State

ORDERS = {
    "before-announcement": (election, dawn, day, vote),
    "before-talk": (dawn, election, day, vote),
    "after-talk": (dawn, day, election, vote),
}
"""The phases of daylight by where the election stands."""


def play(s: State) -> Flow[None]:
    """Setup, then nights and days until somebody has won."""
    try:
        yield from setup(s)
        while True:
            yield from night(s)
            yield from daylight(s)
    except GameOver as over:
        finish(s, over.winners)


def daylight(s: State) -> Flow[None]:
    """From waking up to dark; a self-explosion cuts it short."""
    try:
        for phase in ORDERS[s.opt(ElectionOptions).when]:
            yield from phase(s)
    except NightFalls:
        pass
    for hook in s.on.day_over:
        hook()
    last = s.deaths[-1] if s.deaths else None
    if s.day - (max(last.night, last.by_day) if last else 0) >= s.opt(Win).stall:
        raise GameOver(())


def finish(s: State, winners: tuple[str, ...]) -> None:
    """Announce the result and turn all cards."""
    s.phase = "over"
    for hook in s.on.finishes:
        hook()
    s.emit(
        Over(
            winners,
            tuple(seat.number for seat in s.seats[1:] if has_won(s, seat.number, winners)),
            tuple(seat.role for seat in s.seats[1:]),
            tuple(seat.camp for seat in s.seats[1:]),
        )
    )


def has_won(s: State, seat: int, winners: tuple[str, ...]) -> bool:
    """A seat's own result: its camp's, unless a rule ties it to somebody else's."""
    for hook in s.on.result:
        own = hook(seat, winners)
        if own is not None:
            return bool(own)
    return s.seats[seat].camp in winners
