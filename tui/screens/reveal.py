"""The reveal: all cards, the nights and the votes, beside the table to which one may go back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from tui.reveal import Section
from tui.strings import Strings


class RevealScreen(Screen[None]):
    """Sections one under the other; Esc goes back to the table."""

    CSS_PATH = "reveal.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f5,q,enter", "close", show=False)]

    def __init__(self, sections: Sequence[Section], strings: Strings) -> None:
        super().__init__()
        self.sections, self.strings = sections, strings

    def compose(self) -> ComposeResult:
        yield Static(Text(self.strings("reveal.title")), id="reveal-top")
        with VerticalScroll(id="reveal-body"):
            for title, lines in self.sections:
                yield Static(Text(title), classes="reveal-title")
                yield Static(Text("\n").join(lines), classes="reveal-part")
        yield Static(Text(f"{self.strings('close')}   ^Q {self.strings('key.quit')}"), id="reveal-keys")

    def on_mount(self) -> None:
        self.query_one("#reveal-body").focus()

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)
