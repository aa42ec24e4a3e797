"""The form of an ask: its question, and a picker or a text line that can give legal answers only."""

from __future__ import annotations

import re

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key
from textual.widgets import Input, Static

from engine.asks import Answer, Ask, IllegalAnswer, Question
from engine.text import TEXT_LIMIT, clean
from engine.views import View
from tui.lines import Labels
from tui.messages import Decided
from tui.strings import Strings
from tui.typed import Unclear, understood
from tui.widgets.picker import LETTERS, Item, Picker

TO = re.compile(r"\s*[@＠]\s*(\d+)\s*号?\s*[:：,，]?\s*(.*)", re.DOTALL)


class AskForm(Vertical):
    """Posts Decided once the answer fits the mask."""

    def __init__(self, ask: Ask, view: View, labels: Labels, strings: Strings) -> None:
        super().__init__()
        self.ask, self.labels, self.strings = ask, labels, strings
        self.title = labels.words.ask_title(ask, view)
        self.about = labels.words.ask_hint(ask.kind)
        self._silent = False

    def compose(self) -> ComposeResult:
        title = Text.assemble((self.title, "bold"), ("  " + self.about if self.about else "", "dim"))
        yield Static(title, classes="ask-title")
        if self.ask.form == "text":
            yield Input(placeholder=self.strings("input.placeholder"), max_length=TEXT_LIMIT, id="talk")
        else:
            several = self.ask.form in ("seats", "names")
            yield Picker(
                items(self.ask, self.labels, self.strings),
                single=not several,
                least=self.ask.least,
                most=self.ask.most,
                repeats=self.ask.repeats,
            )
            yield Input(placeholder=self.strings("typed.placeholder"), max_length=200, id="typed", compact=True)
        yield Static(self._hint(()), markup=False, classes="ask-hint")

    def on_mount(self) -> None:
        self._hide_typed()
        self.take_focus()

    def take_focus(self) -> None:
        """The keys go to the form."""
        typed = self.query("#typed")
        typing = bool(typed) and typed.first().display
        self.query_one("#talk" if self.ask.form == "text" else "#typed" if typing else "#picker").focus()

    def _hide_typed(self) -> None:
        for line in self.query("#typed").results(Input):
            line.display = False

    @on(Picker.Spoken)
    def _begins(self, event: Picker.Spoken) -> None:
        """Words instead of a choice."""
        event.stop()
        line = self.query_one("#typed", Input)
        line.display = True
        line.select_on_focus = False
        line.value = event.text
        line.cursor_position = len(event.text)
        line.focus()
        self.hint(self.strings("typed.hint"))

    def key_escape(self, event: Key) -> None:
        """Back from words to the list."""
        for line in self.query("#typed").results(Input):
            if line.display:
                event.stop()
                self._hide_typed()
                self.again()

    def _understand(self, text: str) -> None:
        try:
            answer = understood(text, self.ask, self.strings.lang)
        except Unclear as back:
            self.hint(str(back), wrong=True)
            return
        self._decide(answer)

    def again(self) -> None:
        """The answer was taken back: the form is as it was before it."""
        self._silent = False
        self._hide_typed()
        self.hint(self._hint(()))
        self.take_focus()

    def hint(self, words: str, wrong: bool = False) -> None:
        """Say something under the form."""
        line = self.query_one(".ask-hint", Static)
        line.update(words)
        line.set_class(wrong, "-wrong")

    def _hint(self, values: tuple[Answer, ...]) -> str:
        ask, say = self.ask, self.strings
        if ask.form == "text":
            return say("hint.text.to", seats=self.labels.seats(ask.targets)) if ask.seats else say("hint.text")
        if ask.form in ("seats", "names"):
            chosen = ", ".join(self.labels.words.option(ask, value) for value in values)
            key = "hint.several.order" if ask.repeats else "hint.several"
            return say(key, chosen=chosen or say("hint.chosen.none"), many=self._many())
        return say("hint.one.pass" if ask.can_pass and ask.form != "flag" else "hint.one")

    def _many(self) -> str:
        least, most = self.ask.least, self.ask.most
        return str(least) if least == most else f"{least}–{most}"

    @on(Picker.Changed)
    def _picking(self, event: Picker.Changed) -> None:
        event.stop()
        if event.refused:
            self.hint(self.strings("hint.count", many=self._many()), wrong=True)
        else:
            self.hint(self._hint(event.values))

    @on(Picker.Chosen)
    def _picked(self, event: Picker.Chosen) -> None:
        event.stop()
        several = self.ask.form in ("seats", "names") and event.values != (None,)
        self._decide(event.values if several else event.values[0])  # type: ignore[arg-type]  # as the form has them

    @on(Input.Changed)
    def _typing(self, event: Input.Changed) -> None:
        event.stop()
        if self._silent and event.value:
            self.again()

    @on(Input.Submitted)
    def _spoken(self, event: Input.Submitted) -> None:
        event.stop()
        text = clean(event.value)
        if event.input.id == "typed":
            self._understand(text)
            return
        if not text and not self._silent:
            self._silent = True
            self.hint(self.strings("hint.silent"))
            return
        self._decide(self._question(text) if self.ask.seats else text or None)

    def _question(self, text: str) -> Answer:
        found = TO.fullmatch(text)
        return Question(found[2], int(found[1])) if found else text or None

    def _decide(self, answer: Answer) -> None:
        try:
            checked = self.ask.check(answer)
        except IllegalAnswer as error:
            # The only thing that a person can get wrong here is whom a question is put to; say it in their language.
            wrong = isinstance(answer, Question)
            self.hint(self._hint(()) if wrong else self.strings("hint.illegal", reason=error.reason), wrong=True)
            return
        self.post_message(Decided(self.ask, checked))


def items(ask: Ask, labels: Labels, strings: Strings) -> list[Item]:
    """What an ask lets choose: seats by number, names by digit or, beside seats, by letter; 0 passes."""
    words = labels.words
    if ask.form == "flag":
        return [Item("1", True, strings("ask.yes")), Item("0", False, strings("ask.no"))]
    with_seats = ask.form in ("seat", "seats")
    made = [Item(str(seat), seat, labels.name(seat) or words.seat(seat)) for seat in ask.targets] if with_seats else []
    keys = LETTERS if made else [str(at) for at in range(1, len(ask.choices) + 1)]
    for key, choice in zip(keys, ask.choices if ask.form != "seats" else (), strict=False):
        made.append(Item(key, choice, words.option(ask, choice)))
    if ask.can_pass:
        made.append(Item("0", None, words.option(ask, None) or strings("ask.pass")))
    return made
