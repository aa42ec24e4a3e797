"""Rows of text that scroll. Only the rows in sight are ever drawn, so five thousand of them cost what twenty do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.lines import Row


class Log(ScrollView, can_focus=False):
    """rows: the text, one row each. tail: rows below that are not there for good. needle: what is marked everywhere."""

    # The bar is always there: its coming and going would change the width, and with it every line. No row is too wide,
    # but while a window becomes narrower the old ones are, and a second bar would come and go.
    DEFAULT_CSS = "Log { overflow-y: scroll; overflow-x: hidden; }"

    class Moved(Message):
        """It was scrolled."""

        def __init__(self, at_end: bool) -> None:
            super().__init__()
            self.at_end = at_end

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: list[Row] = []
        self.tail: list[Row] = []
        self.needle = ""

    def show(self, rows: Iterable[Row]) -> None:
        """These rows and no others."""
        self.rows, self.tail = list(rows), []
        self._fit()

    def append(self, rows: Sequence[Row]) -> None:
        """More rows below."""
        self.rows += rows
        self.tail = []
        self._fit()

    def grow(self, rows: list[Row]) -> None:
        """These below for now, in the place of those that were there for now."""
        self.tail = rows
        self._fit()

    def _fit(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, len(self.rows) + len(self.tail))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row in sight."""
        at, width = y + self.scroll_offset.y, self.scrollable_content_region.width
        beyond = at - len(self.rows)
        if beyond >= len(self.tail):
            return Strip.blank(width, self.rich_style)
        text = (self.rows[at] if beyond < 0 else self.tail[beyond]).drawn()
        if self.needle:
            text.highlight_words([self.needle], "reverse", case_sensitive=False)
        return Strip(text.render(self.app.console)).crop_extend(0, width, self.rich_style).apply_style(self.rich_style)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The transcript follows only while its end is in sight."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Moved(self.is_vertical_scroll_end))
