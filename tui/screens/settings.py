"""The model's server and its key, tested live; and the language."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Select, Static

from tui.house import Connection, House, HouseError
from tui.strings import Strings

LONGEST = 2000


class SettingsScreen(Screen[str]):
    """Gives the language chosen."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("ctrl+t", "test", show=False, priority=True),
        Binding("ctrl+s", "save", show=False, priority=True),
    ]

    def __init__(self, house: House, strings: Strings) -> None:
        super().__init__()
        self.house, self.strings = house, strings

    def compose(self) -> ComposeResult:
        say, now = self.strings, self.house.connection
        yield Static(say("settings.title"), markup=False, classes="top")
        with VerticalScroll(id="settings-body", can_focus=False):
            with Horizontal(classes="row"):
                yield Label(Text(say("settings.model")), classes="row-label")
                yield Input(now.model, id="set-model", max_length=200, compact=True)
            with Horizontal(classes="row"):
                yield Label(Text(say("settings.url")), classes="row-label")
                yield Input(
                    now.base_url,
                    placeholder=say("settings.url.hint"),
                    id="set-url",
                    max_length=LONGEST,
                    compact=True,
                )
            with Horizontal(classes="row"):
                yield Label(Text(say("settings.key")), classes="row-label")
                yield Input(
                    "", placeholder=self._key(now), password=True, id="set-key", max_length=LONGEST, compact=True
                )
            with Horizontal(classes="row"):
                yield Label(Text(say("settings.lang")), classes="row-label")
                langs = [(Text("中文"), "zh"), (Text("English"), "en")]
                yield Select(langs, value=say.lang, allow_blank=False, id="set-lang", compact=True)
            with Horizontal(classes="row"):
                yield Button(Text(say("settings.test")), id="set-test", compact=True)
                yield Button(Text(say("settings.save")), id="set-save", variant="success", compact=True)
            yield Static("", markup=False, id="set-told")
            yield Static(say("settings.note"), markup=False, id="set-note")
        yield Static(say("settings.keys"), markup=False, classes="bottom")

    def _key(self, now: Connection) -> str:
        say = self.strings
        where = say(f"settings.key.{now.key or 'none'}")
        return f"{where} · {say('settings.key.hint')}"

    def on_mount(self) -> None:
        self.query_one("#set-model").focus()

    def given(self) -> tuple[Connection, str]:
        """What the form says, and a new key or nothing."""
        model, url, key = (self.query_one(f"#set-{name}", Input).value.strip() for name in ("model", "url", "key"))
        return Connection(model, url, self.house.connection.key), key

    @on(Button.Pressed, "#set-test")
    def _on_test(self) -> None:
        self.action_test()

    @on(Button.Pressed, "#set-save")
    def _on_save(self) -> None:
        self.action_save()

    @work(exclusive=True)
    async def action_test(self) -> None:
        """Ask the server."""
        say, told = self.strings, self.query_one("#set-told", Static)
        told.update(say("settings.testing"))
        try:
            await self.house.check(*self.given())
        except HouseError as error:
            told.update(say("settings.bad", reason=str(error)))
        else:
            told.update(say("settings.good"))

    def action_save(self) -> None:
        """Keep them."""
        told = self.query_one("#set-told", Static)
        try:
            self.house.keep(*self.given(), str(self.query_one("#set-lang", Select).value))
        except HouseError as error:
            told.update(self.strings("settings.bad", reason=str(error)))
            return
        self.dismiss(str(self.query_one("#set-lang", Select).value))

    def action_back(self) -> None:
        """Nothing is kept."""
        self.dismiss(self.strings.lang)
