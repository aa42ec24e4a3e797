"""The end: all cards, the nights, the votes, and what a record tells of the rest; beside the table or by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from tui import after
from tui.lines import Labels
from tui.reveal import Section
from tui.screens.dialogs import ChoiceScreen
from tui.share import FORMS, saved
from tui.strings import Strings
from tui.tape import Tape
from tui.widgets.picker import Item
from tui.words import Words


class RevealScreen(Screen[str]):
    """Sections one under the other; Esc goes back, Enter does not: it may still be meant for the last ask. Gives
    `replay` if that was asked for."""

    CSS_PATH = "reveal.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f5,q", "close", show=False)]

    def __init__(self, sections: Sequence[Section], strings: Strings) -> None:
        super().__init__()
        self.sections, self.strings = sections, strings

    def compose(self) -> ComposeResult:
        yield Static(Text(self.strings("reveal.title")), id="reveal-top")
        with VerticalScroll(id="reveal-body"):
            yield from self._parts()
        yield Static(Text(self.keys()), id="reveal-keys")

    def _parts(self) -> ComposeResult:
        for title, lines in self.sections:
            yield Static(Text(title), classes="reveal-title")
            yield Static(Text("\n").join(lines), classes="reveal-part")

    def keys(self) -> str:
        """The line of keys."""
        return f"{self.strings('close')}   ^Q {self.strings('key.quit')}"

    def on_mount(self) -> None:
        self.query_one("#reveal-body").focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss("")


class AfterScreen(RevealScreen):
    """The end of a game that has a record: with claims, beliefs and turning points, to be saved and replayed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "save", show=False),
        Binding("r", "replay", show=False),
        Binding("f7", "language", show=False),
    ]

    def __init__(
        self,
        tape: Tape,
        seat: int | None,
        words: Callable[[str], Words],
        lang: str,
        share: Path | None,
        names: dict[int, str] | None = None,
    ) -> None:
        """share: the folder for what is saved. Raises ValueError for a game that may go on."""
        self.tape, self.seat, self.words_of, self.share = tape, seat, words, share
        self.names = names or {}
        strings = Strings(lang)
        self.labels = Labels(words(strings.lang), self.names)
        super().__init__(after.sections(tape, seat, self.labels, strings), strings)

    def keys(self) -> str:
        """The line of keys."""
        return self.strings("after.keys")

    def action_save(self) -> None:
        """Choose a form and save."""
        say = self.strings
        if self.share is None:
            self.notify(say("after.no-share"), markup=False)
            return
        made = [Item(str(at), form, say(f"after.save.{form}")) for at, form in enumerate(FORMS, 1)]
        self.app.push_screen(ChoiceScreen(say("after.save"), made, say), self._save)

    def _save(self, item: Item | None) -> None:
        if item is None or self.share is None:
            return
        say = self.strings
        try:
            path = saved(self.share, str(item.value), list(self.sections), self.tape, self.labels, say)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.notify(say("after.failed", reason=reason), severity="error", markup=False)
            return
        self.notify(say("after.saved", path=path), markup=False, timeout=10)

    def action_replay(self) -> None:
        """Look at it event by event."""
        self.dismiss("replay")

    async def action_language(self) -> None:
        """The next language."""
        self.strings = self.strings.other()
        self.labels = Labels(self.words_of(self.strings.lang), self.names)
        self.sections = after.sections(self.tape, self.seat, self.labels, self.strings)
        body = self.query_one("#reveal-body", VerticalScroll)
        await body.remove_children()
        await body.mount_all(self._parts())
        self.query_one("#reveal-top", Static).update(Text(self.strings("reveal.title")))
        self.query_one("#reveal-keys", Static).update(Text(self.keys()))
