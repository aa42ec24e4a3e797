"""The transcript's lines: what each event of a view looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from engine.events import Event, Phase, Said
from engine.text import clean
from tui.cells import Breaks, fit
from tui.data import data
from tui.strings import Strings
from tui.words import Words

JUDGE, SPEECH, PRIVATE, PHASE = "judge", "speech", "private", "phase"
GLYPHS = {JUDGE: "▪", SPEECH: "›", PRIVATE: "✱", PHASE: "─"}
STYLES = {JUDGE: "", SPEECH: "", PRIVATE: "magenta", PHASE: "bold"}
HEADS = {JUDGE: "", SPEECH: "bold", PRIVATE: "bold magenta", PHASE: "bold"}
SEAT_STYLES = ("cyan", "green", "yellow", "bright_blue", "bright_cyan", "bright_green", "bright_yellow", "blue")
NAME_CELLS = 16
SEAT_FIELDS = ("seat", "seats", "target", "to", "partner")


@dataclass(frozen=True, slots=True)
class Line:
    """One entry. head: who speaks, in front of the text. seat: whose colour it has, 0 for none.

    topic: talk, vote or death, empty for anything else. seats: whom it is by or about.
    """

    kind: str
    text: str
    head: str = ""
    seat: int = 0
    topic: str = ""
    seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Labels:
    """Names of seats, as the table gave them; untrusted like all text of people."""

    words: Words
    names: Mapping[int, str]

    def name(self, seat: int) -> str:
        """The name alone, empty if there is none."""
        return clean(self.names.get(seat, ""))[:NAME_CELLS]

    def seat(self, seat: int) -> str:
        """Seat number with the name."""
        return f"{self.words.seat(seat)} {self.name(seat)}".rstrip()

    def seats(self, seats: tuple[int, ...]) -> str:
        """Seat numbers without names."""
        return " ".join(map(self.words.seat, seats))


def phase_title(strings: Strings, phase: str, day: int) -> str:
    """Where the game is: the day or night, and the phase by day."""
    if phase == "setup" or not day:
        return strings("before")
    if phase == "night":
        return strings("night", day=day)
    return f"{strings('day', day=day)} · {strings.get(f'phase.{phase}', phase)}"


def line_of(event: Event, private: bool, labels: Labels, strings: Strings, words: str | None = None) -> list[Line]:
    """The lines of one event: none if it is not spoken of. words: instead of the catalogue's, where there are some."""
    if isinstance(event, Said) and event.how != "gesture":
        return [said(event, labels, strings)]
    told = words or labels.words.narrate(event)
    kind = PRIVATE if private else JUDGE
    lines = [Line(kind, clean(told), topic=data().topics.get(event.kind, ""), seats=about(event))] if told else []
    if isinstance(event, Phase):
        lines.insert(0, Line(PHASE, phase_title(strings, event.name, event.number)))
    return lines


def about(event: Event) -> frozenset[int]:
    """The seats that an event speaks of."""
    found: set[int] = set()
    for name in SEAT_FIELDS:
        value = getattr(event, name, None)
        found |= {value} if type(value) is int else set(value) if isinstance(value, tuple) else set()
    for voter, target in getattr(event, "ballots", {}).items():
        found |= {voter, *([target] if target is not None else [])}
    return frozenset(found)


def said(event: Said, labels: Labels, strings: Strings) -> Line:
    """A speech, with who speaks and on what occasion."""
    head = labels.seat(event.seat)
    head = head[0].upper() + head[1:]
    how = strings.get(f"how.{event.how}")
    asked = strings("line.question", seat=labels.words.seat(event.to)) if event.to else ""
    beside = " · ".join(filter(None, (how, asked)))
    head += f" ({beside})" if beside else ""
    return Line(SPEECH, clean(event.text) or strings("line.silent"), head + ": ", event.seat, "talk", about(event))


class Row(NamedTuple):
    """One row of a line on the screen, not yet drawn. head: how many of its characters belong to the line's head."""

    line: Line
    text: str
    first: bool = True
    head: int = 0

    @property
    def plain(self) -> str:
        """As it is read, without styles."""
        return self.text if self.line.kind == PHASE else f"{GLYPHS[self.line.kind] if self.first else ' '} {self.text}"

    def drawn(self) -> Text:
        """With its styles. Nothing in it is read as markup."""
        line = self.line
        if line.kind == PHASE:
            return Text(self.text, "bold", no_wrap=True)
        colour = SEAT_STYLES[(line.seat - 1) % len(SEAT_STYLES)] if line.seat else ""
        style = f"{HEADS[line.kind]} {colour}".strip()
        text = Text(no_wrap=True, style=STYLES[line.kind])
        text.append(f"{GLYPHS[line.kind]} " if self.first else "  ", style=style)
        text.append(self.text[: self.head], style=style)
        text.append(self.text[self.head :])
        return text


class Entry:
    """A line, and where it may be broken: its rows at any width are found without reading it again."""

    __slots__ = ("breaks", "head", "line")

    def __init__(self, line: Line, strings: Strings) -> None:
        head = f"{strings('line.private')} " if line.kind == PRIVATE and not line.head else line.head
        self.line, self.head = line, len(head.rstrip())
        self.breaks = Breaks(head + line.text)

    def rows(self, width: int) -> list[Row]:
        """Rows of at most that many cells, hanging under the glyph."""
        if self.line.kind == PHASE:
            return [Row(self.line, ruler(self.line.text, width))]
        made, left = [], self.head
        for at, text in enumerate(self.breaks.rows(width - 2)):
            made.append(Row(self.line, text, not at, left))
            left = max(left - len(text) - 1, 0)
        return made


def ruler(title: str, width: int) -> str:
    """A phase's title between two rules."""
    title = f"── {title} "
    return fit(title, width) if cell_len(title) > width else title + "─" * (width - cell_len(title))
