"""What the right panel and its pages say: the ballots, and what only this seat knows."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from engine.events import Event
from engine.views import View
from tui.lines import Labels, Line, phase_title
from tui.strings import Strings
from tui.votes import polls, written

LATEST = 24  # lines of ballots in the right panel


def side(votes: list[Text], notes: list[Text], strings: Strings) -> list[Text]:
    """The right panel: the latest ballots above the notes."""
    titles = Text(strings("votes.title"), "bold"), Text(strings("notes.title"), "bold")
    return [titles[0], *votes[-LATEST:], Text(""), titles[1], *notes]


def votes(view: View, labels: Labels, strings: Strings, hide: bool) -> list[Text]:
    """All ballots of a view. hide: only those that everybody saw."""
    lines = [
        Text(line, "bold" if at == 0 else "")
        for poll in polls(view, strings, hide)
        for at, line in enumerate(written(poll, labels, strings))
    ]
    return lines or [Text(strings("votes.none"))]


def notes(view: View, lines_of: Callable[[Event, bool], list[Line]], strings: Strings, hide: bool) -> list[Text]:
    """What this seat was told in private, by night and day. lines_of: the lines of an event. hide: nothing of it."""
    if hide:
        return [Text(strings("hidden"))]
    kept: list[Text] = []
    last, private = "", {id(event) for event in view.private}
    for event, (phase, day) in zip(view.events, view.at, strict=True):
        told = lines_of(event, True) if id(event) in private else []
        title = phase_title(strings, phase, day).split(" · ")[0]
        if told and title != last:
            kept.append(Text(title, "bold"))
            last = title
        kept += [Text(line.text) for line in told]
    return kept or [Text(strings("notes.none"))]
