"""The picker: what may be chosen, and nothing else, by digits, arrows or mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click, Key
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from engine.asks import Answer
from tui.cells import fit

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to choose. key: what is typed for it."""

    key: str
    value: Answer
    words: str


class Picker(Widget, can_focus=True):
    """least, most: how many are chosen; both 1 and `single` for a plain choice. repeats: the same one again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "confirm", show=False),
        Binding("up", "move(-1, 1)", show=False),
        Binding("down", "move(1, 1)", show=False),
        Binding("left", "move(-1, 0)", show=False),
        Binding("right", "move(1, 0)", show=False),
        Binding("backspace", "take_back", show=False),
    ]

    class Chosen(Message):
        """The choice is made: one value, or the values in the order in which they were chosen."""

        def __init__(self, values: tuple[Answer, ...]) -> None:
            super().__init__()
            self.values = values

    class Changed(Message):
        """Another selection of a list, before it is confirmed. refused: it is not yet as long as it must be."""

        def __init__(self, values: tuple[Answer, ...], refused: bool) -> None:
            super().__init__()
            self.values, self.refused = values, refused

    class Spoken(Message):
        """Somebody began to type words instead."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self, items: Sequence[Item], *, single: bool = True, least: int = 1, most: int = 1, repeats: bool = False
    ) -> None:
        super().__init__(id="picker")
        self.items = tuple(items)
        self.single, self.least, self.most, self.repeats = single, least, most, repeats
        self.at: int | None = None if len(self.items) > 1 else 0
        self.chosen: list[int] = []
        self._typed = ""
        self._key_cells = max(len(item.key) for item in self.items) + 2

    # -- drawing

    def item_cells(self) -> int:
        """Cells of the widest item: its key in brackets, its words, a mark."""
        return max(cell_len(self._label(item, False)) for item in self.items) + 2

    def columns(self, width: int) -> int:
        """How many items stand side by side."""
        return max(width // self.item_cells(), 1)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the items need at this width."""
        return -(-len(self.items) // self.columns(width))

    def render(self) -> Text:
        """The grid of items; the one under the cursor is reversed and pointed at."""
        width = self.content_size.width
        columns, cells = self.columns(width), min(self.item_cells(), max(width, 1))
        text = Text(no_wrap=True)
        for at, item in enumerate(self.items):
            if at and at % columns == 0:
                text.append("\n")
            style = "reverse bold" if at == self.at else "bold" if at in self.chosen else ""
            text.append("▸" if at == self.at else " ", style=style)
            text.append(fit(self._label(item, at in self.chosen), cells - 2), style=style)
            text.append(" ")
        return text

    def _label(self, item: Item, chosen: bool) -> str:
        mark = "" if self.single else "✓ " if chosen else "  "
        return f"{f'[{item.key}]':>{self._key_cells}} {mark}{item.words}"

    # -- choosing

    def on_key(self, event: Key) -> None:
        """Digits and letters go to their item; a number of two digits is typed in two keys."""
        typed = event.character or ""
        if typed == " " and not self.single and self.at is not None:
            event.stop()
            self._toggle(self.at)
        elif typed and typed.lower() in "0123456789" + LETTERS and self._type(typed.lower()):
            event.stop()
        elif typed and typed.isprintable() and (typed == "/" or typed.isalpha()):
            event.stop()
            self.post_message(self.Spoken("" if typed == "/" else typed))

    def _type(self, char: str) -> bool:
        keys = [item.key for item in self.items]
        for typed in (self._typed + char, char):
            if typed in keys or any(key.startswith(typed) for key in keys):
                break
        else:
            self._typed = ""
            return False
        self._typed = typed
        if typed in keys:
            self.at = keys.index(typed)
            longer = any(key != typed and key.startswith(typed) for key in keys)
            if not longer:
                self._typed = ""
                if not self.single:
                    self._toggle(self.at)
            self.refresh()
        return True

    def on_click(self, event: Click) -> None:
        """A click moves there; a second one, or one in a list, chooses."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        columns = self.columns(self.content_size.width)
        column = offset.x // self.item_cells()
        at = offset.y * columns + column
        if column >= columns or at >= len(self.items):
            return
        event.stop()
        again, self.at = self.at == at and len(self.items) > 1, at
        if not self.single:
            self._toggle(at)
        elif again:
            self.action_confirm()
        self.refresh()

    def action_move(self, by: int, rows: int) -> None:
        """The cursor goes by so many items, or rows."""
        self._typed = ""
        step = by * (self.columns(self.content_size.width) if rows else 1)
        if self.at is None:
            self.at = 0 if by > 0 else len(self.items) - 1
        elif 0 <= self.at + step < len(self.items):
            self.at += step
        self.refresh()

    def action_take_back(self) -> None:
        """The last chosen of a list is chosen no more."""
        if self.chosen:
            self.chosen.pop()
            self._changed()

    def action_confirm(self) -> None:
        """The choice stands."""
        self._typed = ""
        if self.single:
            if self.at is not None:
                self.post_message(self.Chosen((self.items[self.at].value,)))
            return
        if self.at is not None and self.items[self.at].value is None:
            self.post_message(self.Chosen((None,)))
            return
        if self.least <= len(self.chosen) <= self.most:
            self.post_message(self.Chosen(self._values()))
        else:
            self._changed(refused=True)

    def _toggle(self, at: int) -> None:
        self.at = at
        if self.items[at].value is None:
            self.chosen.clear()
        elif at in self.chosen and not self.repeats:
            self.chosen.remove(at)
        elif len(self.chosen) < self.most:
            self.chosen.append(at)
        elif self.most == 1:
            self.chosen = [at]
        self._changed()

    def _changed(self, refused: bool = False) -> None:
        self.refresh()
        self.post_message(self.Changed(self._values(), refused))

    def _values(self) -> tuple[Answer, ...]:
        return tuple(self.items[at].value for at in self.chosen)
