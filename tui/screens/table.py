"""The table: one seat's view of the game, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.widgets import Input, Static

from engine.events import Event
from engine.text import clean
from tui import keys, panels, roster
from tui.lines import PRIVATE, Labels, Line, phase_title, said
from tui.messages import Ended, Failed, Handed, Heard, KeyClicked, Moved, Posed, Shown, Unopened
from tui.pace import Pace
from tui.screens.answers import TableAnswers
from tui.screens.dialogs import ChoiceScreen, HandoverScreen
from tui.screens.pages import FindBar, place
from tui.session import Session, TableFactory
from tui.strings import Strings
from tui.widgets.askform import AskForm
from tui.widgets.bars import KeyBar, Status, put
from tui.widgets.picker import Item
from tui.widgets.transcript import Transcript
from tui.words import Words

NARROW, WIDE, LOW = 80, 120, 24
LEAST = (60, 20)


class TableScreen(TableAnswers):
    """Roster, transcript and the present ask."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings()
    AUTO_FOCUS = ""

    def __init__(
        self,
        factory: TableFactory,
        seat: int | None,
        names: Mapping[int, str],
        words: Callable[[str], Words],
        lang: str,
        pace: Pace,
        *,
        people: tuple[int, ...] = (),
        share: Path | None = None,
        notes: Path | None = None,
        coach: bool = False,
        lenient: bool = False,
    ) -> None:
        """words: the game's words by language. people: the seats at this terminal. share: the folder for what is saved.

        notes: the file of this seat's own notes. coach: tips as they are needed. lenient: a table that cannot be made
        is told as Unopened instead of ending the app.
        """
        super().__init__()
        self.factory, self.names, self.words_of = factory, names, words
        self.strings = Strings(lang)
        self.labels = Labels(words(self.strings.lang), names)
        self.pace = pace
        self.share, self.notes_file, self.coach, self.lenient = share, notes, coach, lenient
        self.session = Session(
            seat,
            pace,
            self._tell_shown,
            lambda: self._tell(Moved()),
            lambda ask: self._tell(Posed(ask)),
            people=people,
            hand=lambda to: self._tell(Handed(to)),
            hear=lambda part: self._tell(Heard(part, self.session.look_count)),
        )
        self.people = self.session.people
        self._history: list[tuple[Event, bool]] = []
        self._stale = False
        self._look = 0
        self._spent = ""

    def compose(self) -> ComposeResult:
        yield Status(id="status")
        with Horizontal(id="body"):
            with VerticalScroll(id="roster", can_focus=False):
                yield Static("", markup=False, id="roster-rows")
            with Vertical(id="middle"):
                with FindBar(id="findbar"):
                    yield Static("", markup=False, id="sieve")
                    yield Input(placeholder=self.strings("sieve.find"), id="find", compact=True)
                yield Transcript(self.strings, id="transcript")
            with VerticalScroll(id="side", can_focus=False):
                yield Static("", markup=False, id="side-text")
        yield Static("", markup=False, id="tip")
        with VerticalScroll(id="action", can_focus=False):
            yield Static("", markup=False, id="waiting")
            yield Static("", markup=False, id="offers")
        yield KeyBar(self.strings, id="keys")
        yield Static("", markup=False, id="tiny")

    def on_mount(self) -> None:
        self._play()

    # -- workers: they drive the table and tell this screen; they touch no widget

    @work(exclusive=True, group="game")
    async def _play(self) -> None:
        try:
            await self.session.open(self.factory)
        except Exception as error:
            if not self.lenient:
                raise
            self.post_message(Unopened(error))
            return
        if not self.names:
            self.names = self.session.names()
            self.labels = Labels(self.labels.words, self.names)
        self.set_class(not self.names, "-nameless")
        self.ready = True
        self._read()
        try:
            await self.session.play(lambda: self._tell(Ended()), lambda error: self._tell(Failed(error)))
        finally:
            await self.session.close()

    @work(exclusive=True, group="feed")
    async def _read(self) -> None:
        await self.session.read()

    def _tell(self, message: Message) -> None:
        self.post_message(message)

    def _tell_shown(self, event: Event, private: bool) -> None:
        self.post_message(Shown(event, private, self.session.look_count))

    @on(Shown)
    def _on_shown(self, event: Shown) -> None:
        if event.look != self.session.look_count:
            return  # told to another seat, before the screen was handed over
        if event.look != self._look:
            self._forget(event.look)
        self._history.append((event.event, event.private))
        self.query_one(Transcript).add(self._lines(event.event, event.private))
        self._renew_soon()

    @on(Heard)
    def _on_heard(self, event: Heard) -> None:
        if event.look == self.session.look_count:
            self.query_one(Transcript).grow(said(event.said, self.labels, self.strings))

    def _forget(self, look: int) -> None:
        """Another seat looks now: what was shown to the last one goes, also from the scrollback."""
        self._look = look
        self._history.clear()
        self.query_one(Transcript).replace([], self.strings)

    @on(Handed)
    def _on_handed(self, event: Handed) -> None:
        self._forget(self.session.look_count)
        seat = self.labels.seat(event.seat)
        self.app.push_screen(HandoverScreen(seat, self.strings), lambda _: self.look_from(event.seat))

    def look_from(self, seat: int | None, *, aside: bool = False) -> None:
        """See the table from elsewhere. aside: for a moment, out of turn."""
        self.session.look(seat, aside=aside)
        self._forget(self.session.look_count)
        self.renew()

    @on(Moved)
    def _on_moved(self) -> None:
        self._renew_soon()

    @on(Posed)
    async def _on_posed(self, event: Posed) -> None:
        await self.show_form(event.ask)
        self.renew()

    @on(Failed)
    def _on_failed(self, event: Failed) -> None:
        """The game stands still and is kept; the people decide."""
        say = self.strings
        made = [Item("1", "retry", say("fail.retry"))]
        if self.session.models():
            made.append(Item("2", "replace", say("fail.replace")))
        made.append(Item("0", "leave", say("fail.leave")))

        def chosen(item: Item | None) -> None:
            what = item.value if item is not None else "leave"
            if what == "leave":
                self.run_worker(self.app.action_quit())
                return
            if what == "replace":
                self.session.replace_models()
            self.session.go_on()

        self.app.push_screen(ChoiceScreen(say("fail.title", reason=clean(event.reason)), made, say), chosen)

    @on(Ended)
    async def _on_ended(self) -> None:
        await self.show_form(None)
        self.renew()
        self.action_reveal()

    # -- drawing

    def _lines(self, event: Event, private: bool) -> list[Line]:
        lines = self.lines_of(event, private)
        return [line for line in lines if line.kind != PRIVATE] if self.hidden else lines

    def _renew_soon(self) -> None:
        """Many events at once (a resumed game) make one drawing."""
        if not self._stale:
            self._stale = True
            self.call_later(self.renew)

    def renew(self) -> None:
        """Draw everything but the transcript and the form from the shown view."""
        self._stale = False
        if not self.ready or not self.is_attached:
            return
        view, say = self.session.shown, self.strings
        turn = () if view.over else self.session.turn()
        self._renew_status(turn)
        marks = {} if self.session.several else {seat: say(f"sheet.{m}") for seat, m in self.sheet.marks.items() if m}
        made = roster.rows(view, self.labels, say, turn, self.hidden, marks)
        tip = self.query_one("#tip", Static)
        words = self.tip()
        tip.display = bool(words)
        put(tip, words)
        width = self.query_one("#roster").scrollable_content_region.width
        put(self.query_one("#roster-rows", Static), Text("\n").join(roster.drawn(row, width) for row in made))
        if self.has_class("-wide"):
            side = panels.side(self._votes(), self._notes(), say)
            put(self.query_one("#side-text", Static), Text("\n").join(side))
        offers = self.session.offers()
        names = " · ".join(self.labels.words.ask_name(ask.kind) for ask in offers)
        bar = self.query_one("#offers", Static)
        bar.display = bool(offers)
        put(bar, say("react.bar", what=names))
        self._renew_waiting()
        states = {"reacting"} if offers or self.session.several else set()
        states |= {"playing"} if self.people else {"watching"}
        self.query_one(KeyBar).tell(say, states | ({"over"} if view.over else set()))

    def _renew_status(self, turn: tuple[int, ...]) -> None:
        view, say = self.session.shown, self.strings
        whose = "turn.night" if view.phase == "night" else "turn.lead" if self.session.judging else "turn.wait"
        if view.over:
            now = say("turn.over")
        elif self.session.posed is not None:
            now = say("turn.you")
        elif turn:
            now = say("turn.seat", seats=self.labels.seats(turn)) if len(turn) <= 2 else say("turn.all")
        else:
            now = say(whose)
        pace = say("paused") if self.pace.paused else say(f"speed.{self.pace.speed}")
        where = phase_title(say, "over" if view.over else view.phase, view.day)
        seen = say("seen-as", seat=place(self.session.seat, self.labels, say))
        if view.phase != "night" or view.over:
            self._spent = spent(self.session, say)  # by night its growth would tell whose card is called
        self.query_one(Status).tell(f"{where} · {now}", f"{self._spent}{seen} · {pace}")

    def _renew_waiting(self) -> None:
        view, say = self.session.shown, self.strings
        waiting = self.query_one("#waiting", Static)
        waiting.display = not self.query(AskForm)
        out = self.session.seat in view.out
        key = (
            "ask.over"
            if view.over
            else "ask.wait.judge"
            if self.session.judging
            else "ask.wait.out"
            if out
            else "ask.wait.night"
            if view.phase == "night"
            else "ask.wait"
        )
        put(waiting, say(key))

    # -- keys

    async def action_language(self) -> None:
        """The next language, for everything on the screen."""
        self.strings = self.strings.other()
        self.labels = Labels(self.words_of(self.strings.lang), self.names)
        self._rewrite()
        if self.ready and self.session.posed is not None:
            await self.show_form(self.session.posed)
        self.renew()

    def action_hide(self) -> None:
        """Hide or show what only this seat knows."""
        self.hidden = not self.hidden
        self._rewrite()
        self.renew()

    def _rewrite(self) -> None:
        lines = [line for event, private in self._history for line in self._lines(event, private)]
        self.query_one(Transcript).replace(lines, self.strings)

    def action_pause(self) -> None:
        """Hold the next step back, or go on."""
        self.pace.toggle()
        self.renew()

    def action_step(self) -> None:
        """One step."""
        self.pace.step()

    def action_speed(self, by: int) -> None:
        """Faster or slower."""
        self.pace.shift(by)
        self.renew()

    def action_page(self, by: int) -> None:
        """Read back, or on."""
        self.query_one(Transcript).page(by)

    def action_newest(self) -> None:
        """The end of the transcript."""
        self.query_one(Transcript).newest()

    @on(KeyClicked)
    async def _on_key_clicked(self, event: KeyClicked) -> None:
        event.stop()
        await self.run_action(event.action)

    def on_resize(self, event: Resize) -> None:
        """What there is room for; the order of loss is the right panel, then names, never the action panel."""
        width, height = event.size
        tiny = width < LEAST[0] or height < LEAST[1]
        self.set_class(tiny, "-tiny")
        self.set_class(width < NARROW, "-narrow")
        self.set_class(width >= WIDE, "-wide")
        self.set_class(height < LOW, "-low")
        if tiny:
            self.query_one("#tiny", Static).update(self.strings("tiny", w=width, h=height))
        self.call_after_refresh(self.renew)
        self.call_after_refresh(self.refocus)

    def on_descendant_blur(self) -> None:
        """A click beside the form, or a window too small to show it, must not leave the keys going nowhere."""
        self.call_later(self.refocus)

    def refocus(self) -> None:
        """The keys go to the form, unless they have somewhere to go."""
        if self.focused is None and not self.has_class("-tiny"):
            for form in self.query(AskForm):
                form.take_focus()


def spent(session: Session, say: Strings) -> str:
    """What the models took so far, in tokens and, where prices are set, in money; empty where none plays."""
    took, cost = session.tokens(), session.cost()
    if took is None:
        return ""
    told = [say("tokens", n=thousands(took.sent + took.received)), *([say("cost", n=f"{cost:.4g}")] if cost else [])]
    return " · ".join(told) + " · "


def thousands(tokens: int) -> str:
    """A count of tokens, short."""
    return str(tokens) if tokens < 1000 else f"{tokens / 1000:.1f}k"
