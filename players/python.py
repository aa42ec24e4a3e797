"""Seats written in Python by others: found through the entry point group `tianhei.players` (docs/players.md)."""

from __future__ import annotations

import asyncio
import inspect
from importlib.metadata import entry_points
from typing import Any, Protocol, cast

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply

GROUP = "tianhei.players"


class PythonSeat(Protocol):
    """What an entry point makes: a class or function that is called with the seat's own seed (an int).

    `answer` may be a plain function, which then runs in a thread of its own so that it may take its time, or a
    coroutine. It returns an answer that `ask.check` takes, or a whole Reply with beliefs, claims and reasoning.
    """

    def answer(self, view: View, ask: Ask) -> Any:
        """The answer of this seat."""
        ...


class PythonSeatError(ValueError):
    """There is no such entry point, or it makes no seat."""


class PythonPlayer:
    """One such seat. Whatever it raises is the table's to mark; it may also have `react(view, offers)`."""

    kind = "python"

    def __init__(self, seat: PythonSeat, name: str) -> None:
        self.seat, self.name, self.spec = seat, name, f"python:{name}"

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. Raises what the seat raises."""
        if inspect.iscoroutinefunction(self.seat.answer):
            given: object = await self.seat.answer(view, ask)
        else:
            given = await asyncio.to_thread(self.seat.answer, view, ask)
        return given if isinstance(given, Reply) else Reply(_listed(given))

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """The seat's own reaction, if it has any."""
        react = getattr(self.seat, "react", None)
        return None if react is None else react(view, offers)


def python_names() -> list[str]:
    """The seats that are installed."""
    return sorted(point.name for point in entry_points(group=GROUP))


def make_python_player(name: str, seed: int) -> PythonPlayer:
    """The installed seat of this name. Raises PythonSeatError."""
    points = entry_points(group=GROUP, name=name)
    if not points:
        known = ", ".join(python_names()) or "none is installed"
        raise PythonSeatError(f"there is no Python player {name!r}: {known}")
    try:
        seat = next(iter(points)).load()(seed)
    except Exception as error:
        raise PythonSeatError(f"the Python player {name!r} cannot be made: {type(error).__name__}: {error}") from error
    if not callable(getattr(seat, "answer", None)):
        raise PythonSeatError(f"the Python player {name!r} has no answer(view, ask)")
    return PythonPlayer(seat, name)


def _listed(given: object) -> Answer:
    """Lists are tuples here; the table checks everything else."""
    return cast(Answer, tuple(given) if isinstance(given, list) else given)
