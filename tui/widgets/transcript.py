"""The transcript: all that was said and told, followed only while the reader is at its end."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Click, Resize
from textual.widgets import Static

from tui.lines import Entry, Line, Row
from tui.sieve import Sieve
from tui.strings import Strings
from tui.widgets.bars import put
from tui.widgets.log import Log

MAX_LINES = 5000


class Newest(Static):
    """How many lines came in below; a click goes there."""

    def on_click(self, event: Click) -> None:
        event.stop()
        if isinstance(self.parent, Transcript):
            self.parent.newest()


class Transcript(Vertical):
    """Lines are kept as data and wrapped anew when the width changes. sieve: which of them are shown."""

    def __init__(self, strings: Strings, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.strings = strings
        self.lines: list[Line] = []
        self.sieve = Sieve()
        self.unread = 0
        self.following = True
        self._entries: list[Entry] = []
        self._rows: list[list[Row]] = []
        self._wrapped = 0

    def compose(self) -> ComposeResult:
        yield Log(id="log")
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
        over = len(self.lines) - MAX_LINES
        if not self._wrapped:
            del self.lines[: max(over, 0)]
            return
        entries = [Entry(line, self.strings) for line in lines]
        rows = [entry.rows(self._wrapped) for entry in entries]
        self._entries += entries
        self._rows += rows
        if over > MAX_LINES // 10:  # now and then, for it means showing all anew
            del self.lines[:over], self._entries[:over], self._rows[:over]
            log.show(self._kept())
        else:
            fresh = [
                row for line, several in zip(lines, rows, strict=True) if self.sieve.keeps(line) for row in several
            ]
            if not fresh:
                return
            log.append(fresh)
        if following:
            log.scroll_end(animate=False, immediate=True)
        else:
            self.unread += sum(map(self.sieve.keeps, lines))
            self._tell()

    def grow(self, line: Line) -> None:
        """Show a line that still grows, below all others; the next line that is added takes its place."""
        if self._wrapped and self.sieve.keeps(line):
            self.log_widget.grow(Entry(line, self.strings).rows(self._wrapped))
            if self.following:
                self.log_widget.scroll_end(animate=False, immediate=True)

    def replace(self, lines: Sequence[Line], strings: Strings) -> None:
        """Other lines in their stead (another language, something hidden)."""
        self.strings = strings
        self.lines, self._entries = list(lines), []
        self._rewrap(self.following)

    def sift(self, sieve: Sieve) -> None:
        """Show only what the sieve keeps; the end of it comes in sight."""
        self.sieve = sieve
        self.log_widget.needle = sieve.needle
        if self._wrapped:
            self.log_widget.show(self._kept())
        self.newest()

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

    @on(Log.Moved)
    def _moved(self, event: Log.Moved) -> None:
        event.stop()
        self.following = event.at_end  # as it was then: by now the room may have shrunk, which is no scrolling back
        if self.following:
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
        if not self._entries:
            self._entries = [Entry(line, self.strings) for line in self.lines]
        self._rows = [entry.rows(width) for entry in self._entries]
        log.show(self._kept())
        if following:
            self.newest()
        else:
            log.scroll_to(y=round(share * log.max_scroll_y), animate=False, immediate=True)
            self.following = False
        self._tell()

    def _kept(self) -> list[Row]:
        pairs = zip(self.lines, self._rows, strict=True)
        return [row for line, rows in pairs if self.sieve.keeps(line) for row in rows]

    def _tell(self) -> None:
        newest = self.query_one("#newest", Newest)
        newest.display = self.unread > 0
        put(newest, self.strings("new", n=self.unread))
