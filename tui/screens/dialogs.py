"""Dialogs: a question with two answers, and a page to read. Each returns a typed result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from engine.asks import Answer, Ask
from engine.views import View
from tui.lines import Labels
from tui.messages import Decided
from tui.strings import Strings
from tui.widgets.askform import AskForm
from tui.widgets.picker import Item, Picker

LONGEST_LINE = 400


class ConfirmScreen(ModalScreen[bool]):
    """A question whose careful answer has the focus."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n", "answer(False)", show=False),
        Binding("y", "answer(True)", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, text: str, yes: str, no: str) -> None:
        super().__init__()
        self.words = (title, text, yes, no)

    def compose(self) -> ComposeResult:
        title, text, yes, no = self.words
        with Vertical(classes="dialog"):
            yield Static(title, markup=False, classes="dialog-title")
            yield Static(text, markup=False, classes="dialog-text")
            with Horizontal(classes="dialog-buttons"):
                yield Button(Text(f"{no} (n)"), id="no")
                yield Button(Text(f"{yes} (y)"), id="yes", variant="warning")

    def on_mount(self) -> None:
        self.query_one("#no", Button).focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """By key."""
        self.dismiss(answer)


class InputScreen(ModalScreen[str | None]):
    """A line to write, taken once `check` finds nothing wrong with it. Gives the line, or None."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, title: str, text: str, value: str, check: Callable[[str], str], strings: Strings) -> None:
        """check: what is wrong with a line, in words; empty if nothing is."""
        super().__init__()
        self.words, self.value, self.check, self.strings = (title, text), value, check, strings

    def compose(self) -> ComposeResult:
        title, text = self.words
        with Vertical(classes="dialog"):
            yield Static(title, markup=False, classes="dialog-title")
            yield Static(text, markup=False, classes="dialog-text")
            yield Input(self.value, max_length=LONGEST_LINE, compact=True, id="line")
            yield Static("", markup=False, id="line-wrong")
            yield Static(self.strings("line.keys"), markup=False, classes="dialog-close")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _given(self, event: Input.Submitted) -> None:
        event.stop()
        line = event.value.strip()
        wrong = self.check(line)
        if wrong:
            self.query_one("#line-wrong", Static).update(wrong)
        else:
            self.dismiss(line)

    def action_close(self) -> None:
        """Nothing is changed."""
        self.dismiss(None)


class QuitScreen(ConfirmScreen):
    """Leaving keeps the game."""

    def __init__(self, strings: Strings) -> None:
        super().__init__(*(strings(f"quit.{part}") for part in ("title", "text", "yes", "no")))


class HandoverScreen(ModalScreen[None]):
    """Between two people at one terminal. It covers everything; only the one named should go on."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "go", show=False)]

    def __init__(self, seat: str, strings: Strings) -> None:
        super().__init__()
        self.seat, self.strings = seat, strings

    def compose(self) -> ComposeResult:
        say = self.strings
        with Vertical(classes="dialog"):
            yield Static(say("hand.title", seat=self.seat), markup=False, classes="dialog-title")
            yield Static(say("hand.text", seat=self.seat), markup=False, classes="dialog-text")
            with Horizontal(classes="dialog-buttons"):
                yield Button(Text(say("hand.go", seat=self.seat)), id="go", variant="primary")

    def on_mount(self) -> None:
        self.query_one("#go", Button).focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(None)

    def action_go(self) -> None:
        """By key."""
        self.dismiss(None)


class ChoiceScreen(ModalScreen[Item | None]):
    """One of a few things, by digit, arrow or mouse."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, title: str, items: Sequence[Item], strings: Strings) -> None:
        super().__init__()
        self.title_words, self.items, self.strings = title, items, strings

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self.title_words, markup=False, classes="dialog-title")
            yield Picker(self.items)
            yield Static(self.strings("choice.keys"), markup=False, classes="dialog-close")

    def on_mount(self) -> None:
        self.query_one(Picker).focus()

    @on(Picker.Chosen)
    def _chosen(self, event: Picker.Chosen) -> None:
        event.stop()
        self.dismiss(next(item for item in self.items if item.value == event.values[0]))

    def action_close(self) -> None:
        """Nothing is chosen."""
        self.dismiss(None)


class PageScreen(ModalScreen[None]):
    """A page to read: help, rules, votes, what is known to this seat alone."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,f1,f2,f3,f4,f5", "close", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str | Text], close: str) -> None:
        super().__init__()
        self.words = (title, lines, close)

    def compose(self) -> ComposeResult:
        title, lines, close = self.words
        with Vertical(classes="dialog page"):
            yield Static(title, markup=False, classes="dialog-title")
            with VerticalScroll(classes="page-text"):
                yield Static(Text("\n").join(Text(x) if isinstance(x, str) else x for x in lines), markup=False)
            yield Static(close, markup=False, classes="dialog-close")

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


class ReactScreen(ModalScreen[tuple[Ask, Answer] | None]):
    """A reaction: which, where there are several, and then its own form. A plain yes is asked about as final."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, offers: Sequence[Ask], view: View, labels: Labels, strings: Strings) -> None:
        super().__init__()
        self.offers, self.view = offers, view
        self.labels, self.strings = labels, strings

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog", id="react"):
            yield Static(self.strings("react.title"), markup=False, classes="dialog-title")
            if len(self.offers) == 1:
                yield self._form(self.offers[0])
            else:
                for at, ask in enumerate(self.offers):
                    yield Button(Text(self.labels.words.ask_name(ask.kind)), id=f"offer-{at}")
            yield Static(self.strings("close"), markup=False, classes="dialog-close")

    def _form(self, ask: Ask) -> AskForm:
        return AskForm(ask, self.view, self.labels, self.strings)

    @on(Button.Pressed)
    async def _offer(self, event: Button.Pressed) -> None:
        event.stop()
        ask = self.offers[int(str(event.button.id).removeprefix("offer-"))]
        await self.query(Button).remove()
        await self.query_one("#react", Vertical).mount(self._form(ask), after=0)

    @on(Decided)
    def _decided(self, event: Decided) -> None:
        event.stop()
        self.dismiss((event.ask, event.answer))

    def action_close(self) -> None:
        """Nothing is done."""
        self.dismiss(None)
