"""How fast a table is shown; nothing in the game knows of it."""

from __future__ import annotations

import asyncio

from rich.cells import cell_len

from engine.events import Said

SPEEDS = {"slow": 1.8, "normal": 1.0, "fast": 0.35, "instant": 0.0}
STEP_SECONDS = 0.7  # that an event stays alone on the screen at normal speed
CELLS_A_SECOND = 40
LONGEST_READ = 4.0


class Pace:
    """How fast things are shown. Pausing holds the next step back; nothing in the game knows of it."""

    def __init__(self, speed: str = "normal") -> None:
        self.speed = speed
        self._going = asyncio.Event()
        self._going.set()
        self._steps = 0
        self._hurry = asyncio.Event()

    @property
    def paused(self) -> bool:
        """Whether steps are held back."""
        return not self._going.is_set()

    def toggle(self) -> None:
        """Pause or go on."""
        if self.paused:
            self._going.set()
        else:
            self._going.clear()

    def step(self) -> None:
        """Show one more step and stay paused; without a pause, cut the present wait short."""
        if self.paused:
            self._steps += 1
            self._going.set()
        self._hurry.set()

    def shift(self, by: int) -> None:
        """Faster or slower."""
        names = list(SPEEDS)
        self.speed = names[min(max(names.index(self.speed) + by, 0), len(names) - 1)]
        self._hurry.set()

    @property
    def typing(self) -> float:
        """How long things take, as a share of normal speed; 0 where they come at once (also step by step)."""
        return 0.0 if self._steps else SPEEDS[self.speed]

    async def tick(self, seconds: float) -> bool:
        """Wait so long, and while paused. Returns whether nobody is in a hurry."""
        self._hurry.clear()
        try:
            await asyncio.wait_for(self._hurry.wait(), seconds)
        except TimeoutError:
            await self.gate()
            return True
        return False

    async def gate(self) -> None:
        """Wait while paused."""
        await self._going.wait()

    async def rest(self, seconds: float) -> None:
        """Wait for so many seconds at normal speed, then hold if only a step was asked for."""
        if self._steps:
            self._steps -= 1
            if not self._steps:
                self._going.clear()
            return
        self._hurry.clear()
        wait = seconds * SPEEDS[self.speed]
        if wait:
            try:
                await asyncio.wait_for(self._hurry.wait(), wait)
            except TimeoutError:
                return
        else:
            await asyncio.sleep(0)


def reading(event: Said) -> float:
    """How long it takes to read a speech, in seconds at normal speed."""
    return min(cell_len(event.text) / CELLS_A_SECOND, LONGEST_READ)
