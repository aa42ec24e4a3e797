"""Replay: any record, event by event, from any place; and playing on from there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Click, Resize
from textual.screen import Screen
from textual.widgets import Static

from tui import roster
from tui.lines import Labels, Line, line_of, phase_title
from tui.screens.dialogs import ChoiceScreen, ConfirmScreen
from tui.screens.pages import place
from tui.screens.table import NARROW
from tui.strings import Strings
from tui.tape import Tape
from tui.widgets.bars import Status
from tui.widgets.picker import Item
from tui.widgets.transcript import Transcript
from tui.words import Words

Branch = Callable[[int, int], None]
"""Plays on after so many decisions, as that seat."""
BIG_STEP = 10


class Scrubber(Static):
    """Where in the record one is; a click goes there."""

    def on_click(self, event: Click) -> None:
        event.stop()
        screen = self.screen
        if isinstance(screen, ReplayScreen) and self.size.width > 1:
            screen.go(round(screen.tape.size * event.x / (self.size.width - 1)))


class ReplayScreen(Screen[None]):
    """upto: how many events have happened. seat: from where they are seen."""

    CSS_PATH = ["table.tcss", "replay.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("right,l,space", "step(1)", show=False),
        Binding("left,h", "step(-1)", show=False),
        Binding("shift+right,L", f"step({BIG_STEP})", show=False),
        Binding("shift+left,H", f"step(-{BIG_STEP})", show=False),
        Binding("pagedown,n", "phase(1)", show=False),
        Binding("pageup,p", "phase(-1)", show=False),
        Binding("home", "ends(0)", show=False),
        Binding("end", "ends(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("v", "place", show=False),
        Binding("b", "branch", show=False),
        Binding("f7", "language", show=False),
    ]

    def __init__(self, tape: Tape, words: Callable[[str], Words], lang: str, branch: Branch | None = None) -> None:
        super().__init__()
        self.tape, self.words_of, self.branch = tape, words, branch
        self.strings = Strings(lang)
        names = {sitter.seat: sitter.name for sitter in tape.record.header.players if sitter.kind == "model"}
        self.names = names
        self.labels = Labels(words(self.strings.lang), names)
        self.seat: int | None = None
        self.upto = tape.counts[0]

    def compose(self) -> ComposeResult:
        yield Status(id="status")
        with Horizontal(id="body"):
            with VerticalScroll(id="roster", can_focus=False):
                yield Static("", markup=False, id="roster-rows")
            yield Transcript(self.strings, id="transcript")
        yield Scrubber("", markup=False, id="scrubber")
        yield Static("", markup=False, id="replay-keys")

    def on_mount(self) -> None:
        self.rewrite()

    # -- moving

    def go(self, upto: int) -> None:
        """Be after so many events."""
        upto = min(max(upto, self.tape.counts[0]), self.tape.size)
        if upto > self.upto:
            self.query_one(Transcript).add(self._lines(self.upto, upto))
            self.upto = upto
            self.renew()
        elif upto < self.upto:
            self.upto = upto
            self.rewrite()

    def action_step(self, by: int) -> None:
        """So many events that this place learned of."""
        self._among(self.tape.stops(self.seat), by)

    def action_phase(self, by: int) -> None:
        """The next or last phase."""
        self._among([*self.tape.phases(self.seat), self.tape.size], by)

    def _among(self, stops: list[int], by: int) -> None:
        at = bisect_right(stops, self.upto) + by - 1 if by > 0 else bisect_left(stops, self.upto) + by
        self.go(stops[min(max(at, 0), len(stops) - 1)])

    def action_ends(self, end: int) -> None:
        """The first or the last event."""
        self.go(self.tape.size if end else 0)

    def action_scroll(self, by: int) -> None:
        """Read back, or on."""
        self.query_one(Transcript).page(by)

    # -- from where, and playing on

    def action_place(self) -> None:
        """Choose from where it is seen."""
        self._choose("replay.place", self.tape.places(), self._seen_from)

    def _seen_from(self, seat: int | None) -> None:
        self.seat = seat
        self.rewrite()

    def action_branch(self) -> None:
        """Play on from here as any seat."""
        say = self.strings
        if self.branch is None or self.tape.secret or self.tape.decisions(self.upto) >= len(self.tape.game.decisions):
            self.notify(say("replay.no-branch"), markup=False)
            return
        self._choose("replay.branch", tuple(range(1, self.tape.setup.size + 1)), self._sure)

    def _sure(self, seat: int | None) -> None:
        if not seat:
            return
        say = self.strings
        text = say("replay.branch.text", seat=self.labels.seat(seat))
        screen = ConfirmScreen(say("replay.branch"), text, say("replay.branch.yes"), say("confirm.no"))
        self.app.push_screen(screen, lambda sure: self._play_on(seat) if sure else None)

    def _play_on(self, seat: int) -> None:
        if self.branch is not None:
            self.branch(self.tape.decisions(self.upto), seat)

    def _choose(self, title: str, places: tuple[int | None, ...], then: Callable[[int | None], None]) -> None:
        say = self.strings
        keys = {None: "p", 0: "j"}
        made = [Item(keys.get(seat, str(seat)), seat, place(seat, self.labels, say)) for seat in places]

        def chosen(item: Item | None) -> None:
            if item is not None:
                then(item.value if type(item.value) is int else None)

        self.app.push_screen(ChoiceScreen(say(title), made, say), chosen)

    def action_language(self) -> None:
        """The next language."""
        self.strings = self.strings.other()
        self.labels = Labels(self.words_of(self.strings.lang), self.names)
        self.rewrite()

    def action_back(self) -> None:
        """Back."""
        self.dismiss(None)

    # -- drawing

    def _lines(self, start: int, upto: int) -> list[Line]:
        told = self.tape.told(self.seat, start, upto)
        return [line for event, private in told for line in line_of(event, private, self.labels, self.strings)]

    def rewrite(self) -> None:
        """Everything from the beginning."""
        transcript = self.query_one(Transcript)
        transcript.following = True
        transcript.replace(self._lines(0, self.upto), self.strings)
        self.renew()

    def renew(self) -> None:
        """Everything but the transcript."""
        view, say = self.tape.view(self.seat, self.upto), self.strings
        where = phase_title(say, "over" if view.over else view.phase, view.day)
        seen = say("seen-as", seat=place(self.seat, self.labels, say))
        self.query_one(Status).tell(f"{say('replay.title')} · {where}", f"{seen} · {self.upto}/{self.tape.size}")
        width = self.query_one("#roster").scrollable_content_region.width
        rows = [roster.drawn(row, width) for row in roster.rows(view, self.labels, say)]
        self.query_one("#roster-rows", Static).update(Text("\n").join(rows))
        self.query_one("#scrubber", Static).update(self._bar())
        self.query_one("#replay-keys", Static).update(say("replay.keys"))

    def _bar(self) -> Text:
        width = max(self.query_one("#scrubber").size.width - 1, 1)
        done = round(width * self.upto / max(self.tape.size, 1))
        return Text("━" * done + "●" + "─" * (width - done), no_wrap=True)

    def on_resize(self, event: Resize) -> None:
        """Less room for the roster in a narrow window."""
        self.set_class(event.size.width < NARROW, "-narrow")
        self.call_after_refresh(self.renew)
