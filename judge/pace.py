"""What the table shows, one public step after another, so that the length of a night tells nothing.

A step that asks nobody ends in the same instant in which it began. At a paced table its events are shown one by one
all the same, with the same pause, and a silent night step lasts as long as the steps did in which somebody was asked.
"""

from __future__ import annotations

import asyncio
import time
from statistics import median

from engine.bits import EVERYONE
from engine.events import Step
from engine.game import Game
from engine.views import View

LONGEST_COVER = 20.0  # seconds that a silent step waits at most
REMEMBERED = 12  # waits that the cover is the median of


class Shown:
    """How far the log has been shown, and the views up to there."""

    def __init__(self, game: Game, upto: int) -> None:
        self._game, self.upto = game, upto
        self._views: dict[int, View] = {}
        self._waits: list[float] = []
        self._opened = time.monotonic()
        self._asked = False

    def view(self, seat: int | None) -> View:
        """What a seat has been shown: `game.view(seat)` as of the last public step that was narrated."""
        key = -1 if seat is None else seat
        view = self._views.setdefault(key, View(seat, self._game.setup))
        view.read(self._game.events[: self.upto], self._game.audiences[: self.upto])
        return view

    def advance(self) -> bool:
        """Show everything up to and with the next public event. Returns whether there was one."""
        events, audiences = self._game.events, self._game.audiences
        while self.upto < len(events):
            self.upto += 1
            if audiences[self.upto - 1] == EVERYONE:
                return True
        return False

    def skip(self) -> None:
        """Show everything."""
        self.upto = len(self._game.events)

    def asked(self) -> None:
        """Somebody was asked in the step that is open."""
        self._asked = True

    async def cover(self) -> None:
        """Call after each public event: times the night's steps, and holds a silent one open for as long as usual."""
        event = self._game.events[self.upto - 1]
        if not isinstance(event, Step):
            return
        if event.state == "open":
            self._opened, self._asked = time.monotonic(), False
        elif self._asked:
            self._waits = [*self._waits, time.monotonic() - self._opened][-REMEMBERED:]
        elif self._waits:
            await asyncio.sleep(min(median(self._waits), LONGEST_COVER))
