"""The rules, with a search: what the judge would be asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from judge.desk import Advice, passages, ranked
from tui.strings import Strings

FOUND = 6  # passages that a question brings up


@dataclass(frozen=True, slots=True)
class Chapter:
    """A title, and what makes its text once it is opened. ruleset, options: of which table the rules desk is asked.

    advise: asks the judge of a table, with the question and the language; None where there is no table.
    """

    title: str
    text: Callable[[], str]
    ruleset: str
    options: Mapping[str, Any] = field(default_factory=dict)
    advise: Callable[[str, str], Awaitable[Advice]] | None = None

    def found(self, question: str, lang: str) -> list[str]:
        """The passages that answer a question, each under its heading."""
        lines: list[str] = []
        for passage in ranked(question, passages(self.ruleset, self.options, lang))[:FOUND]:
            lines += [f"# {passage.heading}", passage.text, ""]
        return lines


class RulesScreen(Screen[None]):
    """Chapters beside the text; a question typed above keeps the lines that speak of it."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f4", "back", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, chapters: Sequence[Chapter], strings: Strings) -> None:
        super().__init__()
        self.chapters, self.strings = chapters, strings
        self.at = 0

    def compose(self) -> ComposeResult:
        yield Static(self.strings("rules.title"), markup=False, classes="top")
        yield Input(placeholder=self.strings("rules.find"), id="rules-find", compact=True)
        with Horizontal(id="rules-body"):
            made = [Option(Text(chapter.title)) for chapter in self.chapters]
            listed = OptionList(*made, id="rules-list", markup=False)
            listed.display = len(self.chapters) > 1
            yield listed
            with VerticalScroll(id="rules-text"):
                yield Static("", markup=False, id="rules-page")
        asks = any(chapter.advise is not None for chapter in self.chapters)
        yield Static(self.strings("rules.keys.ask" if asks else "rules.keys"), markup=False, classes="bottom")

    def on_mount(self) -> None:
        self.renew()
        self.query_one("#rules-list" if len(self.chapters) > 1 else "#rules-text").focus()

    def renew(self) -> None:
        """The chapter, or its lines that answer the question."""
        chapter = self.chapters[self.at]
        lines = chapter.text().splitlines()
        question = self.query_one("#rules-find", Input).value
        if question.strip():
            lines = chapter.found(question, self.strings.lang) or [self.strings("rules.nothing")]
        self._show(lines)

    def _show(self, lines: Sequence[str]) -> None:
        made = [Text(line.lstrip("# "), "bold") if line.startswith("#") else Text(line) for line in lines]
        self.query_one("#rules-page", Static).update(Text("\n").join(made))
        self.query_one("#rules-text").scroll_home(animate=False)

    @on(OptionList.OptionHighlighted)
    def _chapter(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.at = event.option_index
        self.renew()

    @on(Input.Changed)
    def _asked(self, event: Input.Changed) -> None:
        event.stop()
        self.renew()

    @on(Input.Submitted)
    def _put(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip() and self.chapters[self.at].advise is not None:
            self._consult(self.chapters[self.at], event.value)

    @work(exclusive=True, group="desk")
    async def _consult(self, chapter: Chapter, question: str) -> None:
        """The judge's answer above what the search finds."""
        if chapter.advise is None:
            return
        say = self.strings
        self._show([say("rules.asked")])
        advice = await chapter.advise(question, say.lang)
        if self.query_one("#rules-find", Input).value != question:
            return  # something else is being asked by now
        found = chapter.found(question, say.lang)
        if advice.by == "model" and advice.passage is not None:
            source = advice.passage
            self._show([f"# {say('rules.answer')}", advice.answer, "", f"# {source.heading}", source.text, "", *found])
        else:
            self._show(found or [say("rules.nothing")])

    def action_page(self, by: int) -> None:
        """Read on."""
        text = self.query_one("#rules-text", VerticalScroll)
        text.scroll_relative(y=by * (text.size.height - 1), animate=False)

    def action_back(self) -> None:
        """Back."""
        self.dismiss(None)
