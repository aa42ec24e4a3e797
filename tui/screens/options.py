"""Every option of a ruleset, with a search; Enter gives it its next value, or asks for one."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.rules.ruleset import SetupError, load_ruleset
from tui.boards import EMPTY, RuleOption, given, rule_options, taken_words
from tui.screens.dialogs import InputScreen
from tui.strings import Strings


class OptionsScreen(Screen[dict[str, str]]):
    """Gives the overrides."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
    ]

    def __init__(self, ruleset: str, overrides: dict[str, str], strings: Strings) -> None:
        super().__init__()
        self.ruleset, self.overrides, self.strings = ruleset, dict(overrides), strings
        self.shown: list[RuleOption] = []

    def compose(self) -> ComposeResult:
        yield Static(self.strings("options.title"), markup=False, classes="top")
        yield Input(placeholder=self.strings("options.find"), id="options-find", compact=True)
        yield OptionList(id="options-list", markup=False)
        yield Static("", markup=False, id="options-wrong")
        yield Static(self.strings("options.keys"), markup=False, classes="bottom")

    def on_mount(self) -> None:
        self.renew()
        self.query_one("#options-find").focus()

    def renew(self) -> None:
        """The options that the search finds."""
        wanted = self.query_one("#options-find", Input).value.casefold()
        listed = self.query_one("#options-list", OptionList)
        at = listed.highlighted or 0
        self.shown = [
            option
            for option in rule_options(self.ruleset, self.overrides, self.strings)
            if wanted in f"{option.id} {option.words}".casefold()
        ]
        listed.clear_options()
        listed.add_options([Option(self._words(option)) for option in self.shown])
        if self.shown:
            listed.highlighted = min(at, len(self.shown) - 1)

    def _words(self, option: RuleOption) -> Text:
        value = self.strings.get(f"options.{option.value}", option.value)
        mark = "✎ " if option.changed else "  "
        return Text.assemble((mark, "bold"), (f"{option.id} = {value}", "bold"), f"  {option.words}")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.renew()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._switch()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._switch()

    def _switch(self) -> None:
        at = self.query_one("#options-list", OptionList).highlighted
        if at is None or not self.shown:
            return
        option = self.shown[at]
        if not option.values:
            self._write(option)
            return
        after = option.values[(option.values.index(option.value) + 1) % len(option.values)]
        if self._give(option, after):
            self.query_one("#options-wrong", Static).update("")
        else:
            self.query_one("#options-wrong", Static).update(self.strings("options.clash", option=option.id))

    def _write(self, option: RuleOption) -> None:
        """A number or a list is written."""
        say = self.strings
        takes = taken_words(option.id, say)

        def wrong(line: str) -> str:
            return "" if self._give(option, line) else say("options.wrong", what=takes)

        text = f"{option.words}\n{say('options.takes', what=takes)}"
        value = "" if option.value == EMPTY else option.value
        self.app.push_screen(InputScreen(option.id, text, value, wrong, say))

    def _give(self, option: RuleOption, after: str) -> bool:
        """Set an option. Returns whether it takes this value, beside the others as they are."""
        usual = next(o.value for o in rule_options(self.ruleset, {}, self.strings) if o.id == option.id)
        changed = {key: value for key, value in self.overrides.items() if key != option.id}
        if after != usual:
            changed[option.id] = after
        try:
            load_ruleset(self.ruleset).options(given(changed))
        except SetupError:
            return False
        self.overrides = changed
        self.renew()
        return True

    def action_move(self, by: int) -> None:
        """The list moves while somebody types."""
        listed = self.query_one("#options-list", OptionList)
        if by > 0:
            listed.action_cursor_down()
        else:
            listed.action_cursor_up()

    def action_back(self) -> None:
        """Take the changes along."""
        self.dismiss(self.overrides)
