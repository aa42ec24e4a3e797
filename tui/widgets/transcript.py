"""The transcript: all that was said and told, followed only while the reader is at its end."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Click, Resize
from textual.widgets import RichLog, Static

from tui.lines import Line, drawn
from tui.strings import Strings

MAX_LINES = 5000


class Log(RichLog, can_focus=False):
    """A RichLog that tells its parent when it is scrolled."""

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Reaching the end clears the count of new lines; leaving it stops the following."""
        super().watch_scroll_y(old_value, new_value)
        if isinstance(self.parent, Transcript):
            self.parent.scrolled(self.is_vertical_scroll_end)


class Newest(Static):
    """How many lines came in below; a click goes there."""

    def on_click(self, event: Click) -> None:
        event.stop()
        if isinstance(self.parent, Transcript):
            self.parent.newest()


class Transcript(Vertical):
    """Lines are kept as data and wrapped anew when the width changes."""

    def __init__(self, strings: Strings, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.strings = strings
        self.lines: list[Line] = []
        self.unread = 0
        self.following = True
        self._wrapped = 0

    def compose(self) -> ComposeResult:
        yield Log(max_lines=MAX_LINES, min_width=1, wrap=False, markup=False, auto_scroll=False, id="log")
        yield Newest("", markup=False, id="newest")

    @property
    def log_widget(self) -> Log:
        """The scrolling part."""
        return self.query_one("#log", Log)

    def add(self, lines: Sequence[Line]) -> None:
        """Append; scroll along only if the end was in sight."""
        if not lines:
            return
        log = self.log_widget
        following = self.following
        self.lines += lines
        del self.lines[:-MAX_LINES]
        if not self._wrapped:
            return
        for line in lines:
            self._write(line)
        if following:
            log.scroll_end(animate=False, immediate=True)
        else:
            self.unread += len(lines)
            self._tell()

    def replace(self, lines: Sequence[Line], strings: Strings) -> None:
        """Other lines in their stead (another language, something hidden)."""
        self.strings = strings
        self.lines = list(lines)
        self._rewrap(self.following)

    def newest(self) -> None:
        """Go to the end."""
        self.following = True
        self.log_widget.scroll_end(animate=False, immediate=True)
        self.seen()

    def page(self, by: int) -> None:
        """Scroll by a page."""
        log = self.log_widget
        if by < 0:
            log.scroll_page_up(animate=False)
        else:
            log.scroll_page_down(animate=False)

    def scrolled(self, at_end: bool) -> None:
        """The log stands elsewhere now."""
        self.following = at_end
        if at_end:
            self.seen()

    def seen(self) -> None:
        """The reader has seen the end."""
        if self.unread:
            self.unread = 0
            self._tell()

    def on_resize(self, event: Resize) -> None:
        """Only another width needs another wrapping; at another height the end stays in sight."""
        self.call_after_refresh(self._resized, self.following)

    def _resized(self, following: bool) -> None:
        if self._width() != self._wrapped:
            self._rewrap(following)
        elif following:
            self.newest()

    def _width(self) -> int:
        return max(self.log_widget.scrollable_content_region.width, 0)

    def _rewrap(self, following: bool) -> None:
        log, width = self.log_widget, self._width()
        if not width:
            return
        share = log.scroll_y / log.max_scroll_y if log.max_scroll_y else 1.0
        self._wrapped = width
        log.clear()
        for line in self.lines:
            self._write(line)
        if following:
            self.newest()
        else:
            log.scroll_to(y=round(share * log.max_scroll_y), animate=False, immediate=True)
            self.following = False
        self._tell()

    def _write(self, line: Line) -> None:
        for text in drawn(line, self._wrapped, self.strings):
            self.log_widget.write(text, scroll_end=False)

    def _tell(self) -> None:
        newest = self.query_one("#newest", Newest)
        newest.display = self.unread > 0
        newest.update(self.strings("new", n=self.unread))
