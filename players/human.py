"""A mark for a seat that a person plays: the table asks that person itself."""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply


class HumanPlayer:
    """Its answers come through the table; asked all the same, it does as little as may be and says so."""

    kind = "human"
    spec = "human"

    def __init__(self, name: str = "human") -> None:
        self.name = name

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """The quiet answer, marked as late."""
        return Reply(ask.quiet(), fallback="late")

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """A person reacts through the table."""
        return None
