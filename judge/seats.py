"""A seat whose person answers at the table itself."""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply


class Person:
    """Marks a seat whose answers come through `Table.submit`."""

    kind = "human"
    name = "human"

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Never called: the graph interrupts instead."""
        raise NotImplementedError

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """A person reacts through `Table.request_reaction`."""
        return None
