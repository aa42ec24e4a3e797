"""The shelf: every game that was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from prompts.words import camp_word
from tui.boards import saved_words
from tui.house import Saved
from tui.strings import Strings


class RecordsScreen(Screen[tuple[str, str] | None]):
    """Gives (what, game): replay or after."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("a", "after", show=False),
    ]

    def __init__(self, games: Sequence[Saved], strings: Strings) -> None:
        super().__init__()
        self.games, self.strings = games, strings

    def compose(self) -> ComposeResult:
        yield Static(self.strings("records.title"), markup=False, classes="top")
        made = [Option(self._words(game)) for game in self.games]
        yield OptionList(*(made or [Option(self.strings("records.none"), disabled=True)]), id="records", markup=False)
        yield Static(self.strings("records.keys"), markup=False, classes="bottom")

    def on_mount(self) -> None:
        self.query_one("#records").focus()

    def _words(self, game: Saved) -> Text:
        state = self.strings(f"records.state.{game.state}")
        won = ", ".join(camp_word(camp, self.strings.lang) for camp in game.winners)
        return Text.assemble((saved_words(game, self.strings), "bold"), f"  {won or state}  ", (game.name[:60], "dim"))

    def _at(self) -> Saved | None:
        at = self.query_one("#records", OptionList).highlighted
        return self.games[at] if at is not None and self.games else None

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        game = self._at()
        if game is not None and game.state != "broken":
            self.dismiss(("replay", game.name))

    def action_after(self) -> None:
        """What became of it, if it is over."""
        game = self._at()
        if game is None:
            return
        if game.state == "finished":
            self.dismiss(("after", game.name))
        else:
            self.notify(self.strings("records.after.only"), markup=False)

    def action_back(self) -> None:
        """Back."""
        self.dismiss(None)
