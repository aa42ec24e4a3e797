"""A seat that plays at random, within the mask."""

from __future__ import annotations

from random import Random

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply


class RandomPlayer:
    """Answers are drawn evenly from (seed, seat, how much the view holds, kind): a resumed game goes on the same."""

    kind = "random"
    spec = "random"

    def __init__(self, seed: int = 0, name: str = "random") -> None:
        self.seed, self.name = seed, name

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask."""
        return self.decide(view, ask, offers)

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        """The same without an event loop."""
        return Reply(ask.random(Random(f"{self.seed}:{ask.seat}:{ask.kind}:{len(view.events)}")))

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """No reaction: at random moments it would only make games short."""
        return None
