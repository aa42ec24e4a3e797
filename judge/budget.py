"""What a game's model calls took, and how much they may take."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from players.base import Call


class Tokens(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tokens of a game's calls: sent (of them served from the provider's cache), and received."""

    sent: int = 0
    cached: int = 0
    received: int = 0

    def more(self, calls: Iterable[Call]) -> Tokens:
        """With these calls as well."""
        sent, cached, received = self.sent, self.cached, self.received
        for call in calls:
            sent, cached = sent + call.tokens_in, cached + call.tokens_cached
            received += call.tokens_out
        return Tokens(sent, cached, received)


NO_TOKENS = Tokens()


class Budget(msgspec.Struct, frozen=True):
    """What one game may take. tokens: sent and received together. cost: in the currency of the prices.

    price: the cost of so many tokens sent, received and cached. None is no limit.
    """

    tokens: int | None = None
    cost: float | None = None
    price: Callable[[int, int, int], float] | None = None

    def cost_of(self, taken: Tokens) -> float | None:
        """What it cost, if there is a price."""
        return self.price(taken.sent, taken.received, taken.cached) if self.price else None

    def spent(self, taken: Tokens) -> str:
        """Why the game must end now, in words; empty while it may go on."""
        if self.tokens is not None and taken.sent + taken.received >= self.tokens:
            return f"the budget of {self.tokens} tokens is spent"
        cost = self.cost_of(taken)
        if self.cost is not None and cost is not None and cost >= self.cost:
            return f"the budget of {self.cost:g} is spent ({cost:.4f})"
        return ""
