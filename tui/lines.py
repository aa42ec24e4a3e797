"""The transcript's lines: what each event of a view looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from engine.events import Event, Phase, Said
from engine.text import clean
from tui.cells import fit, wrap
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


def line_of(event: Event, private: bool, labels: Labels, strings: Strings) -> list[Line]:
    """The lines of one event: none if it is not spoken of."""
    if isinstance(event, Said) and event.how != "gesture":
        return [said(event, labels, strings)]
    told = labels.words.narrate(event)
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


def drawn(line: Line, width: int, strings: Strings) -> list[Text]:
    """A line as rows of at most that many cells, hanging under its glyph. Nothing in it is read as markup."""
    if line.kind == PHASE:
        return [ruler(line.text, width)]
    head = f"{strings('line.private')} " if line.kind == PRIVATE else line.head
    rows = wrap(head + line.text, width - 2)
    colour = SEAT_STYLES[(line.seat - 1) % len(SEAT_STYLES)] if line.seat else ""
    out, left = [], len(head.rstrip())
    for at, row in enumerate(rows):
        text = Text(no_wrap=True, style=STYLES[line.kind])
        text.append(f"{GLYPHS[line.kind]} " if at == 0 else "  ", style=f"{HEADS[line.kind]} {colour}".strip())
        text.append(row[:left], style=f"{HEADS[line.kind]} {colour}".strip())
        text.append(row[left:])
        left = max(left - len(row) - 1, 0)
        out.append(text)
    return out


def ruler(title: str, width: int) -> Text:
    """A phase's title between two rules."""
    title = f"── {title} "
    return Text(fit(title, width) if cell_len(title) > width else title + "─" * (width - cell_len(title)), "bold")
