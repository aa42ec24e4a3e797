"""One's own notes: a suspicion for every seat, and free text."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import OptionList, Static, TextArea
from textual.widgets.option_list import Option

from tui.lines import Labels
from tui.sheet import TEXT_LIMIT, Sheet
from tui.strings import Strings


class SheetScreen(Screen[None]):
    """Changes the sheet in place."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+n", "back", show=False, priority=True),
        Binding("tab", "other", show=False, priority=True),
    ]

    def __init__(self, sheet: Sheet, seats: int, labels: Labels, strings: Strings) -> None:
        super().__init__()
        self.sheet, self.seats, self.labels, self.strings = sheet, seats, labels, strings

    def compose(self) -> ComposeResult:
        yield Static(self.strings("sheet.title"), markup=False, classes="top")
        with Horizontal(id="rules-body"):
            yield OptionList(*map(self._row, range(1, self.seats + 1)), id="sheet-seats", markup=False)
            yield TextArea(self.sheet.text, id="sheet-text", soft_wrap=True)
        yield Static(self.strings("sheet.keys"), markup=False, classes="bottom")

    def on_mount(self) -> None:
        self.query_one("#sheet-seats").focus()

    def _row(self, seat: int) -> Option:
        mark = self.sheet.marks.get(seat, "")
        return Option(Text.assemble((f"{self.labels.seat(seat)}  ", "bold"), self.strings(f"sheet.{mark or 'none'}")))

    @on(OptionList.OptionSelected)
    def _turned(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.sheet.turn(event.option_index + 1)
        event.option_list.replace_option_prompt_at_index(event.option_index, self._row(event.option_index + 1).prompt)

    @on(TextArea.Changed)
    def _written(self, event: TextArea.Changed) -> None:
        event.stop()
        self.sheet.text = event.text_area.text[:TEXT_LIMIT]

    def action_other(self) -> None:
        """From the seats to the text and back."""
        here = self.focused is self.query_one("#sheet-text")
        self.query_one("#sheet-seats" if here else "#sheet-text").focus()

    def action_back(self) -> None:
        """Back to the table."""
        self.dismiss(None)
