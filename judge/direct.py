"""Whole games without LangGraph: the same steps in a plain loop, for simulation and tests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.game import Game
from engine.setup import Setup
from judge.budget import NO_TOKENS, Tokens
from judge.course import MAX_DAYS, PATIENCE, Course
from judge.lines import SCHEMA, Header, Result, Sitter, Status
from judge.record import Sink, engine_version
from players.base import Player, SeatDown
from players.judge import AutoJudge


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. fallbacks: answers that were not the seats' own. calls: model calls made.

    faults: what was wrong with calls, by kind. substituted: fallbacks by reason.
    """

    status: Status
    winners: tuple[str, ...]
    days: int
    decisions: int
    calls: int
    fallbacks: int
    game: Game
    reason: str = ""
    faults: Mapping[str, int] = field(default_factory=dict)
    substituted: Mapping[str, int] = field(default_factory=dict)
    tokens: Tokens = NO_TOKENS


def seated(players: Mapping[int, Player], size: int) -> dict[int, Player]:
    """The players, with the automatic judge in seat 0 unless it is taken. Raises ValueError for an empty seat."""
    empty = [seat for seat in range(1, size + 1) if seat not in players]
    if empty:
        raise ValueError(f"nobody sits in seat {', '.join(map(str, empty))}")
    return {0: AutoJudge(), **players}


def header_of(
    setup: Setup, players: Mapping[int, Player], game_id: str, max_days: int = MAX_DAYS, created: str = ""
) -> Header:
    """The header of a new game."""
    sitters = tuple(Sitter(seat, player.kind, player.name, player.spec) for seat, player in sorted(players.items()))
    return Header(SCHEMA, engine_version(), game_id, setup, sitters, max_days, created)


def play_direct(
    setup: Setup,
    players: Mapping[int, Player],
    sink: Sink | None = None,
    *,
    max_days: int = MAX_DAYS,
    game_id: str = "",
    patience: float | None = PATIENCE,
) -> Outcome:
    """Play one game to its end. Without a sink no record is made.

    Players that all have `decide` are called without an event loop; else one is started (so not from a coroutine: use
    `play_direct_async` there). A game that exceeds max_days is `unfinished`. Raises SetupError, RecordError; an error
    in the rules themselves is raised after the record says `failed`.
    """
    if not all(hasattr(player, "decide") for player in players.values()):
        return asyncio.run(
            play_direct_async(setup, players, sink, max_days=max_days, game_id=game_id, patience=patience)
        )
    course = _begun(setup, players, sink, max_days, game_id, patience)
    try:
        while not course.over:
            course.volunteers()
            if not course.reacting:
                for ask in course.missing():
                    course.replies[ask.seat] = course.hear_now(ask)
            course.step()
    except Exception as error:
        fail(course, error)
        raise
    return _outcome(course, course.finish())


async def play_direct_async(
    setup: Setup,
    players: Mapping[int, Player],
    sink: Sink | None = None,
    *,
    max_days: int = MAX_DAYS,
    game_id: str = "",
    patience: float | None = PATIENCE,
) -> Outcome:
    """As `play_direct`, in a running event loop; seats asked together reply side by side.

    patience: seconds that a seat may take.
    """
    course = _begun(setup, players, sink, max_days, game_id, patience)
    try:
        while not course.over:
            course.volunteers()
            if not course.reacting:
                asks = course.missing()
                heard = await asyncio.gather(*map(course.hear, asks), return_exceptions=True)
                for ask, reply in zip(asks, heard, strict=True):
                    if isinstance(reply, BaseException):
                        raise reply
                    course.replies[ask.seat] = reply
            course.step()
    except Exception as error:
        fail(course, error)
        raise
    return _outcome(course, course.finish())


def fail(course: Course, error: Exception) -> None:
    """Let the record say that the game failed, unless the record itself is what fails."""
    if not course.unsaved:
        course.finish(str(error) if isinstance(error, SeatDown) else f"{type(error).__name__} in the rules")


def _begun(
    setup: Setup,
    players: Mapping[int, Player],
    sink: Sink | None,
    max_days: int,
    game_id: str,
    patience: float | None,
) -> Course:
    course = Course(Game(setup), seated(players, setup.size), sink, max_days=max_days, patience=patience)
    if sink is not None:
        sink.write([header_of(setup, players, game_id, max_days)])
    course.begin()
    return course


def _outcome(course: Course, result: Result) -> Outcome:
    return Outcome(
        result.status,
        result.winners,
        result.days,
        course.n,
        course.calls,
        course.fallbacks,
        course.game,
        result.reason,
        dict(course.faults),
        dict(course.substituted),
        course.tokens,
    )
