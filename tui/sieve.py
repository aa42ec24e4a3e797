"""Which lines of a transcript somebody wants to see."""

from __future__ import annotations

from dataclasses import dataclass

from tui.lines import PHASE, Line

TOPICS = ("talk", "vote", "death")


@dataclass(frozen=True, slots=True)
class Sieve:
    """topic: one of TOPICS, empty for all. seat: lines by or about it, 0 for all. needle: words that must stand there.

    The phases stay as long as nothing is searched for, so that one knows when a thing was.
    """

    topic: str = ""
    seat: int = 0
    needle: str = ""

    @property
    def open(self) -> bool:
        """Whether it keeps everything."""
        return not (self.topic or self.seat or self.needle)

    def keeps(self, line: Line) -> bool:
        """Whether a line passes."""
        if self.needle and self.needle.casefold() not in f"{line.head}{line.text}".casefold():
            return False
        if line.kind == PHASE:
            return not self.needle
        return (not self.topic or line.topic == self.topic) and (not self.seat or self.seat in line.seats)
