"""What may go out at once, and what may be spent: a throttle for each server and model, and a purse.

Time comes from an injected clock that should only grow. If it jumps all the same, a jump back counts as no time and a
jump ahead fills the buckets, no further than they go: nothing waits for ever and nothing bursts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

import msgspec

from players.base import SeatDown

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]
DOWN, UP = 0.5, 1.0  # AIMD: a rate limit halves the window, a windowful of answers adds one
CALM = 1.0  # seconds in which all rate limits count as one
LONGEST_WAIT = 5.0  # seconds; a waiter looks again at the latest then
LONGEST_REST = 60.0  # seconds that a server is left alone at its word; then one looks again


class Halt(SeatDown):
    """The campaign stops here and can go on later. reason: why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Diverged(SeatDown):
    """A game did not go as it went when its answers were paid for."""


class Took(msgspec.Struct, frozen=True):
    """What a question really took; nothing, if it never went.

    requests: in all. limited: how many of them met a rate limit. rest: seconds for which the server wants no more.
    """

    tokens: int = 0
    cost: float = 0.0
    requests: int = 0
    limited: int = 0
    rest: float = 0.0


class Bucket:
    """So many a second, saved up for at most `burst` seconds. May be overdrawn; then it is waited for."""

    def __init__(self, rate: float, clock: Clock, burst: float = 10.0) -> None:
        """rate: units a second."""
        self.rate, self._clock, self._burst = rate, clock, burst
        self._level, self._at = rate * min(1.0, burst), clock()

    def wait(self) -> float:
        """Seconds until something may be taken; 0 now."""
        now = self._clock()
        self._level = min(self.rate * self._burst, self._level + max(0.0, now - self._at) * self.rate)
        self._at = now
        return 0.0 if self._level > 0 else max(0.001, -self._level / self.rate)

    def take(self, amount: float) -> None:
        """Take, or with a negative amount give back."""
        self._level -= amount

    def rest(self, seconds: float) -> None:
        """Let nothing be taken for so long."""
        self.wait()
        self._level = min(self._level, -seconds * self.rate)


class Throttle:
    """Questions to one model of one server.

    window: how many may be under way, from 1 to `most`; it halves when the server says 429 and grows again with every
    windowful of answers. While the server wants to be left alone (Retry-After), no question goes at all.
    """

    def __init__(
        self,
        most: int,
        *,
        requests: float | None = None,
        tokens: float | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """requests, tokens: at most so many a minute, where the server's limits are known."""
        self.most, self.window = most, float(most)
        self._clock, self._sleep = clock, sleep
        self._under_way = 0
        self._free = asyncio.Condition()
        self._halved = float("-inf")
        self._requests = Bucket(requests / 60, clock) if requests else None
        self._tokens = Bucket(tokens / 60, clock) if tokens else None
        self._rest = Bucket(1.0, clock)

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[None]:
        """One question with about so many tokens, when it may go."""
        async with self._free:
            await self._free.wait_for(lambda: self._under_way < max(1, int(self.window)))
            self._under_way += 1
        try:
            for bucket, amount in ((self._rest, 0), (self._requests, 1), (self._tokens, tokens)):
                if bucket is not None:
                    while (wait := bucket.wait()) > 0:
                        await self._sleep(min(wait, LONGEST_WAIT))
                    bucket.take(amount)
            yield
        finally:
            self._under_way -= 1
            async with self._free:
                self._free.notify_all()

    def learned(self, took: Took, thought: int) -> None:
        """What a question really took, and how many tokens were thought of."""
        if self._requests is not None:
            self._requests.take(took.requests - 1)
        if self._tokens is not None:
            self._tokens.take(took.tokens - thought)
        if took.rest > 0:
            self._rest.rest(min(took.rest, LONGEST_REST))
        if not took.limited:
            self.window = min(float(self.most), self.window + UP / max(1.0, self.window))
            return
        now = self._clock()
        if not 0 <= now - self._halved < CALM:
            self._halved, self.window = now, max(1.0, self.window * DOWN)


class Caps(msgspec.Struct, frozen=True):
    """What a campaign may take. models: likewise by model. None is no limit."""

    tokens: int | None = None
    cost: float | None = None
    models: dict[str, tuple[int | None, float | None]] = {}


class GameCaps(msgspec.Struct, frozen=True):
    """What one game may take; it ends unfinished where it has taken so much. None is no limit."""

    tokens: int | None = None
    cost: float | None = None


class Purse:
    """Reserves the worst case of every question before it goes, and settles what it really took.

    So the caps hold, however many questions are under way. What was spent by earlier runs is in it from the beginning.
    """

    def __init__(self, caps: Caps, spent: Mapping[str, tuple[int, float]]) -> None:
        self.caps = caps
        self._spent = {model: [float(tokens), cost] for model, (tokens, cost) in spent.items()}
        self._reserved: dict[str, list[float]] = {}
        self._settled = asyncio.Condition()

    def spent(self, model: str | None = None) -> tuple[float, float]:
        """Tokens and cost, of one model or of all."""
        return self._sum(self._spent, model)

    def _sum(self, of: Mapping[str, list[float]], model: str | None) -> tuple[float, float]:
        rows = [row for name, row in of.items() if model in (None, name)]
        return sum(row[0] for row in rows), sum(row[1] for row in rows)

    @asynccontextmanager
    async def reserve(self, model: str, tokens: int, cost: float) -> AsyncIterator[Callable[[int, float], None]]:
        """Hold so much until the block ends; call what it yields with what was really taken. Raises Halt.

        While others' reservations leave no room, it waits for them: most settle for less.
        """
        async with self._settled:
            while why := self._short(model, tokens, cost):
                if not any(row[0] for row in self._reserved.values()):
                    raise Halt(why)
                await self._settled.wait()
            held = self._reserved.setdefault(model, [0.0, 0.0])
            held[0], held[1] = held[0] + max(1, tokens), held[1] + cost

        def settle(taken: int, price: float) -> None:
            row = self._spent.setdefault(model, [0.0, 0.0])
            row[0], row[1] = row[0] + taken, row[1] + price

        try:
            yield settle
        finally:
            held[0], held[1] = held[0] - max(1, tokens), held[1] - cost
            async with self._settled:
                self._settled.notify_all()

    def _short(self, model: str, tokens: int, cost: float) -> str:
        """Which cap this would break; empty if none."""
        for what, name, (most_tokens, most_cost) in (
            ("the campaign", None, (self.caps.tokens, self.caps.cost)),
            (model, model, self.caps.models.get(model, (None, None))),
        ):
            spent, held = self._sum(self._spent, name), self._sum(self._reserved, name)
            if most_tokens is not None and spent[0] + held[0] + tokens > most_tokens:
                return f"the budget of {most_tokens} tokens for {what} has no room for more ({spent[0]:.0f} spent)"
            if most_cost is not None and spent[1] + held[1] + cost > most_cost:
                return f"the budget of {most_cost:g} for {what} has no room for more ({spent[1]:.4f} spent)"
        return ""


Settle = Callable[[Took], None]


class Gate:
    """What stands before every question: its turn, and the purse."""

    def __init__(self, throttle: Throttle, purse: Purse) -> None:
        self._throttle, self._purse = throttle, purse

    @asynccontextmanager
    async def question(self, account: str, tokens: int, cost: float) -> AsyncIterator[Settle]:
        """One question that takes so much at worst; call what it yields with what it took. Raises Halt."""
        async with self._throttle.turn(tokens), self._purse.reserve(account, tokens, cost) as pay:

            def settle(took: Took) -> None:
                pay(took.tokens, took.cost)
                self._throttle.learned(took, tokens)

            yield settle
