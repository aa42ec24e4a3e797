"""Speeches that come word by word: a model's while it is made, everybody else's at the pace of reading."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.events import Said
from tui.pace import Pace, reading

TICK = 0.06  # seconds between two drawings of a speech that grows


class Floor:
    """Who speaks now, and what was heard of it. Nothing but public words, or words for this seat, may come in here."""

    def __init__(self, pace: Pace, hear: Callable[[Said], None] | None) -> None:
        """hear: called with a speech as far as it has come."""
        self.pace, self._tell = pace, hear
        self._heard: Said | None = None

    def hear(self, said: Said) -> None:
        """So much has come from where it is made."""
        if self._tell is not None and said != self._heard:
            self._heard = said
            self._tell(said)

    async def speak(self, said: Said) -> None:
        """Let the rest of a speech come at the pace of reading, unless somebody is in a hurry."""
        heard, self._heard = self._heard, None
        begun = len(heard.text) if heard is not None and _opens(heard, said) else 0
        ticks = round(reading(said) * self.pace.typing / TICK)
        if self._tell is None or not said.text:
            return
        for at in range(1, ticks):
            upto = round(len(said.text) * at / ticks)
            if upto <= begun:
                continue
            if not self.pace.typing or not await self.pace.tick(TICK):
                return
            self._tell(msgspec.structs.replace(said, text=said.text[:upto]))


def _opens(heard: Said, said: Said) -> bool:
    """Whether what was heard is how the speech begins; a model that was asked again may have said something else."""
    return heard.seat == said.seat and said.text.startswith(heard.text)
