"""The shelf: every game that was played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from tui.house import House, HouseError, Saved
from tui.screens.dialogs import ConfirmScreen, InputScreen
from tui.strings import Strings


class RecordsScreen(Screen[tuple[str, str] | None]):
    """Gives (what, game): replay or after."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("a", "after", show=False),
        Binding("n", "rename", show=False),
        Binding("d,delete", "delete", show=False),
    ]

    def __init__(self, house: House, strings: Strings) -> None:
        super().__init__()
        self.house, self.strings = house, strings
        self.games: Sequence[Saved] = house.games()

    def compose(self) -> ComposeResult:
        yield Static(self.strings("records.title"), markup=False, classes="top")
        yield OptionList(*self._rows(), id="records", markup=False)
        yield Static(self.strings("records.keys"), markup=False, classes="bottom")

    def on_mount(self) -> None:
        self.query_one("#records").focus()

    def _rows(self) -> list[Option]:
        made = [Option(self._words(game)) for game in self.games]
        return made or [Option(self.strings("records.none"), disabled=True)]

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

    def action_rename(self) -> None:
        """Another name, asked for in a dialog."""
        game, say = self._at(), self.strings
        if game is None:
            return

        def wrong(name: str) -> str:
            return self._failed(lambda: self.house.rename(game.name, name)) if name != game.name else ""

        text = say("records.rename.text")
        screen = InputScreen(say("records.rename"), text, game.name, wrong, say)
        self.app.push_screen(screen, lambda _: self._renew())

    def action_delete(self) -> None:
        """Take it off the shelf, once that is confirmed."""
        game, say = self._at(), self.strings
        if game is None:
            return
        what = f"{saved_words(game, say)}\n{game.name[:60]}"
        key = "records.delete.text" if game.state != "running" else "records.delete.running"
        screen = ConfirmScreen(
            say("records.delete"), say(key, what=what), say("records.delete.yes"), say("records.delete.no")
        )

        def done(sure: bool | None) -> None:
            if sure and (why := self._failed(lambda: self.house.delete(game.name))):
                self.notify(why, severity="error", markup=False, timeout=10)
            self._renew()

        self.app.push_screen(screen, done)

    def _failed(self, do: Callable[[], None]) -> str:
        """What went wrong, in words; empty if nothing did."""
        try:
            do()
        except HouseError as error:
            return self.strings("settings.bad", reason=str(error))
        return ""

    def _renew(self) -> None:
        self.games = self.house.games()
        listed = self.query_one("#records", OptionList)
        at = listed.highlighted
        listed.clear_options()
        listed.add_options(self._rows())
        if at is not None and self.games:
            listed.highlighted = min(at, len(self.games) - 1)

    def action_back(self) -> None:
        """Back."""
        self.dismiss(None)
