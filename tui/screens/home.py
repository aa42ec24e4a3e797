"""Home: where every game begins, and where one comes back to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.boards import saved_words
from tui.house import House, Saved
from tui.strings import Strings

ITEMS = ("new", "lesson", "continue", "records", "rules", "settings", "language", "help", "quit")


class HomeScreen(Screen[None]):
    """A menu. What is chosen goes to the app as `Chosen`."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(at), f"choose('{item}')", show=False) for at, item in enumerate(ITEMS, 1)),
        Binding("f1", "choose('help')", show=False),
        Binding("f7", "choose('language')", show=False),
        Binding("q", "choose('quit')", show=False),
    ]

    class Chosen(Message):
        """One of ITEMS."""

        def __init__(self, item: str) -> None:
            super().__init__()
            self.item = item

    def __init__(self, house: House, strings: Strings) -> None:
        super().__init__()
        self.house, self.strings = house, strings
        self.stopped: Sequence[Saved] = ()

    def compose(self) -> ComposeResult:
        yield Static("", markup=False, id="home-top", classes="top")
        with Horizontal(id="home-body"):
            yield OptionList(id="home-menu", markup=False)
            with VerticalScroll(id="home-about", can_focus=False):
                yield Static("", markup=False, id="home-blurb")
        yield Static("", markup=False, id="home-keys", classes="bottom")

    def on_mount(self) -> None:
        self.query_one("#home-menu").focus()

    def on_screen_resume(self) -> None:
        """The shelf may have changed."""
        self.stopped = [game for game in self.house.games() if game.state == "running"]
        self.renew()

    def speak(self, strings: Strings) -> None:
        """Another language."""
        self.strings = strings
        self.renew()

    def renew(self) -> None:
        """Write everything anew."""
        say = self.strings
        self.query_one("#home-top", Static).update(say("home.title"))
        self.query_one("#home-blurb", Static).update(say("home.blurb"))
        self.query_one("#home-keys", Static).update(say("home.keys"))
        menu = self.query_one("#home-menu", OptionList)
        at = menu.highlighted
        menu.clear_options()
        for number, item in enumerate(ITEMS, 1):
            words = say(f"home.{item}")
            if item == "continue" and self.stopped:
                words = say("home.continue.what", what=saved_words(self.stopped[0], say))
            idle = item == "continue" and not self.stopped
            menu.add_option(Option(Text.assemble((f" {number} ", "bold"), " ", words), id=item, disabled=idle))
        menu.highlighted = at if at is not None else 0

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(str(event.option_id)))

    def action_choose(self, item: str) -> None:
        """By key."""
        if item != "continue" or self.stopped:
            self.post_message(self.Chosen(item))
