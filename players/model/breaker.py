"""When a server may be asked: not while it is down, not before it said."""

from __future__ import annotations

from collections.abc import Callable

LONGEST = 60.0  # seconds between two tries of a server that is down


class Breaker:
    """Opens after so many failures in a row; then one request at a time tries whether the server is back.

    Shared by all questions to a server, so that a dead one is not hammered and a rate limit holds for all.
    """

    def __init__(self, limit: int, first: float, clock: Callable[[], float]) -> None:
        """limit: failures in a row. first: seconds before the first try, doubled for each later one."""
        self._limit, self._first, self._clock = limit, max(first, 0.05), clock
        self._failures = 0
        self._until = 0.0
        self._trying = False
        self.down_since: float | None = None

    def wait(self) -> float:
        """Seconds before a request may go; 0 if it may go now."""
        left = self._until - self._clock()
        if left > 0:
            return left
        return self._first if self.down_since is not None and self._trying else 0.0

    def sent(self) -> None:
        """A request goes."""
        self._trying = self.down_since is not None

    def good(self) -> None:
        """The server answered, well or badly."""
        self._failures, self._until, self.down_since, self._trying = 0, 0.0, None, False

    def limited(self, seconds: float) -> None:
        """The server wants no request for so long."""
        self._failures, self.down_since, self._trying = 0, None, False
        self._until = max(self._until, self._clock() + seconds)

    def bad(self) -> None:
        """The server failed, or was too late."""
        self._failures, self._trying = self._failures + 1, False
        if self._failures >= self._limit:
            now = self._clock()
            self.down_since = now if self.down_since is None else self.down_since
            doubled = self._first * 2 ** min(10, self._failures - self._limit)
            self._until = now + min(LONGEST, doubled)

    def aborted(self) -> None:
        """The request was cancelled: it tells nothing."""
        self._trying = False

    def dead(self, after: float) -> bool:
        """Whether the server has been down for so many seconds."""
        return self.down_since is not None and self._clock() - self.down_since >= after
