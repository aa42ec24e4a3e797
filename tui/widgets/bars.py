"""The status line above and the key bar below."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Click
from textual.widget import Widget
from textual.widgets import Static

from tui.cells import fit
from tui.keys import KEYS, Key, shown
from tui.messages import KeyClicked
from tui.strings import Strings


def put(line: Static, words: str | Text) -> None:
    """Show these words; a line that shows them already is not laid out anew."""
    if line.content != words:
        line.update(words)


class Status(Widget):
    """One line: left where the game is, right what holds for this screen. The right side gives way."""

    left = ""
    right = ""

    def tell(self, left: str, right: str) -> None:
        """Show these."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.refresh()

    def render(self) -> Text:
        width = self.content_size.width
        left = fit(self.left, min(cell_len(self.left), width))
        room = width - cell_len(left) - 1
        right = self.right if cell_len(self.right) <= room else ""
        return Text(left + " " * (width - cell_len(left) - cell_len(right)) + right, no_wrap=True)


class KeyHint(Static):
    """One key: its name and what it does."""

    def __init__(self, key: Key, strings: Strings) -> None:
        self.key = key
        super().__init__(self.words(strings))
        self.set_class(bool(key.when), "-when")

    def words(self, strings: Strings) -> Text:
        """Name and label."""
        name, label = shown(self.key, strings)
        return Text.assemble((f"{name} ", "bold"), label)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(KeyClicked(self.key.action))


class KeyBar(Horizontal):
    """The keys of keys.KEYS that people need most; each may be clicked."""

    def __init__(self, strings: Strings, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.strings = strings

    def compose(self) -> ComposeResult:
        for key in KEYS:
            if key.bar:
                yield KeyHint(key, self.strings)

    def tell(self, strings: Strings, states: set[str]) -> None:
        """Show the keys that do something now, as far as there is room. states: reacting, over."""
        hints = [hint for hint in self.query(KeyHint) if not hint.key.when or hint.key.when in states]
        words = {hint: hint.words(strings) for hint in hints}
        for loses in sorted((hint for hint in hints if hint.key.yields), key=lambda hint: hint.key.yields):
            if sum(text.cell_len + 2 for text in words.values()) <= self.size.width:
                break
            del words[loses]
        for hint in self.query(KeyHint):
            hint.display = hint in words
            if hint in words and strings is not self.strings:
                hint.update(words[hint])
        self.strings = strings
