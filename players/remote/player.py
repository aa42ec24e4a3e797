"""The player of a remote seat: puts each ask on the seat's line and waits, for as long as the table allows."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Player, Reply
from players.remote.line import Line, Question

Absent = Literal["builtin", "wait", "default"]


class RemotePlayer:
    """A person or program at the other end of a line.

    seconds: time for one answer; None for no limit. grace: seconds that a dropped line may take to come back. absent:
    what then happens, until it does: a substitute plays (`builtin`), the least is done (`default`), or all wait.
    """

    kind = "remote"
    patience: float | None = None
    """The table sets no limit of its own: this player keeps its deadlines."""

    def __init__(
        self,
        line: Line,
        substitute: Player,
        *,
        seconds: float | None = 120.0,
        grace: float = 30.0,
        absent: Absent = "builtin",
        name: str = "remote",
    ) -> None:
        self.line, self.substitute = line, substitute
        self.seconds, self.grace, self.absent = seconds, grace, absent
        self.name, self.spec = name, "remote"

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """The client's answer, or the substitute's, marked as such."""
        self.line.show(view)
        question = self.line.pose(ask, view, self.seconds)
        why = "gone"
        try:
            why = await self._wait(question)
            if why == "answered":
                return Reply(question.future.result())
        finally:
            self.line.close(question, why)
        if why == "absent" and self.absent == "builtin":
            reply = await self.substitute.reply(view, ask, offers)
            return msgspec.structs.replace(reply, fallback="late")
        return Reply(ask.quiet(), fallback="late")

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """A client reacts through its line."""
        return None

    async def _wait(self, question: Question) -> str:
        """answered, late, absent, or gone (taken back by the table)."""
        line, loop = self.line, asyncio.get_running_loop()
        while not question.future.done():
            line.moved.clear()
            until = self._until(question)
            if until is not None and until <= loop.time():
                return "late" if line.present else "absent"
            moved = asyncio.ensure_future(line.moved.wait())
            try:
                left = None if until is None else until - loop.time()
                either: set[asyncio.Future[Any]] = {question.future, moved}
                await asyncio.wait(either, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                moved.cancel()
        return "gone" if question.future.cancelled() else "answered"

    def _until(self, question: Question) -> float | None:
        """When waiting ends, by the event loop's clock; None for never."""
        if self.line.present:
            return question.until
        if self.absent == "wait":
            if question.until is not None and self.seconds is not None:  # the clock stands still meanwhile
                question.until = asyncio.get_running_loop().time() + self.seconds
            return None
        limits = [self.line.left_at + self.grace, *([] if question.until is None else [question.until])]
        return min(limits)
