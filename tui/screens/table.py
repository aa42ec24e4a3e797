"""The table: one seat's view of the game, and its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Static

from engine.asks import Answer, Ask, IllegalAnswer
from engine.events import Event
from tui import keys, panels, reveal, roster
from tui.data import data
from tui.lines import PRIVATE, Labels, Line, line_of, phase_title
from tui.messages import Decided, Ended, KeyClicked, Moved, Posed, Shown
from tui.screens.dialogs import ConfirmScreen, PageScreen, ReactScreen
from tui.screens.help import help_lines
from tui.screens.reveal import RevealScreen
from tui.session import Pace, Session, TableFactory
from tui.strings import Strings
from tui.widgets.askform import AskForm
from tui.widgets.bars import KeyBar, Status
from tui.widgets.transcript import Transcript
from tui.words import Words

NARROW, WIDE, LOW = 80, 120, 24
LEAST = (60, 20)


class TableScreen(Screen[None]):
    """Roster, transcript and the present ask."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings()
    AUTO_FOCUS = ""

    def __init__(
        self,
        factory: TableFactory,
        seat: int,
        names: Mapping[int, str],
        words: Callable[[str], Words],
        lang: str,
        pace: Pace,
    ) -> None:
        """words: the game's words by language."""
        super().__init__()
        self.factory, self.names, self.words_of = factory, names, words
        self.strings = Strings(lang)
        self.labels = Labels(words(self.strings.lang), names)
        self.pace = pace
        self.session = Session(
            seat, pace, self._tell_shown, lambda: self._tell(Moved()), lambda ask: self._tell(Posed(ask))
        )
        self.hidden = False
        self.ready = False
        self._history: list[tuple[Event, bool]] = []
        self._stale = False

    def compose(self) -> ComposeResult:
        yield Status(id="status")
        with Horizontal(id="body"):
            with VerticalScroll(id="roster", can_focus=False):
                yield Static("", markup=False, id="roster-rows")
            yield Transcript(self.strings, id="transcript")
            with VerticalScroll(id="side", can_focus=False):
                yield Static("", markup=False, id="side-text")
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
        await self.session.open(self.factory)
        if not self.names:
            self.names = self.session.names()
            self.labels = Labels(self.labels.words, self.names)
        self.set_class(not self.names, "-nameless")
        self.ready = True
        self._read()
        try:
            await self.session.play(lambda: self._tell(Ended()))
        finally:
            await self.session.close()

    @work(exclusive=True, group="feed")
    async def _read(self) -> None:
        await self.session.read()

    def _tell(self, message: Moved | Posed | Ended) -> None:
        self.post_message(message)

    def _tell_shown(self, event: Event, private: bool) -> None:
        self.post_message(Shown(event, private))

    @on(Shown)
    def _on_shown(self, event: Shown) -> None:
        self._history.append((event.event, event.private))
        self.query_one(Transcript).add(self._lines(event.event, event.private))
        self._renew_soon()

    @on(Moved)
    def _on_moved(self) -> None:
        self._renew_soon()

    @on(Posed)
    async def _on_posed(self, event: Posed) -> None:
        await self._form(event.ask)
        self.renew()

    @on(Ended)
    async def _on_ended(self) -> None:
        await self._form(None)
        self.renew()
        self.action_reveal()

    # -- drawing

    def _lines(self, event: Event, private: bool) -> list[Line]:
        lines = line_of(event, private, self.labels, self.strings)
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
        made = roster.rows(view, self.labels, say, turn, self.hidden)
        width = self.query_one("#roster").scrollable_content_region.width
        self.query_one("#roster-rows", Static).update(Text("\n").join(roster.drawn(row, width) for row in made))
        if self.has_class("-wide"):
            side = panels.side(self._votes(), self._notes(), say)
            self.query_one("#side-text", Static).update(Text("\n").join(side))
        offers = self.session.offers()
        names = " · ".join(self.labels.words.ask_name(ask.kind) for ask in offers)
        bar = self.query_one("#offers", Static)
        bar.display = bool(offers)
        bar.update(say("react.bar", what=names))
        self._renew_waiting()
        states = {"reacting"} if offers else set()
        self.query_one(KeyBar).tell(say, states | ({"over"} if view.over else set()))

    def _renew_status(self, turn: tuple[int, ...]) -> None:
        view, say = self.session.shown, self.strings
        whose = "turn.wait" if view.phase != "night" else "turn.night"
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
        seen = say("seen-as", seat=self.labels.words.seat(self.session.seat))
        self.query_one(Status).tell(f"{where} · {now}", f"{seen} · {pace}")

    def _renew_waiting(self) -> None:
        view, say = self.session.shown, self.strings
        waiting = self.query_one("#waiting", Static)
        waiting.display = not self.query(AskForm)
        out = self.session.seat in view.out
        key = (
            "ask.over"
            if view.over
            else "ask.wait.out"
            if out
            else "ask.wait.night"
            if view.phase == "night"
            else "ask.wait"
        )
        waiting.update(say(key))

    async def _form(self, ask: Ask | None) -> None:
        panel = self.query_one("#action", VerticalScroll)
        await panel.query(AskForm).remove()
        if ask is not None:
            form = AskForm(ask, self.session.shown, self.labels, self.strings)
            await panel.mount(form, before="#offers")
        else:
            self.set_focus(None)

    def _votes(self) -> list[Text]:
        return panels.votes(self.session.shown, self.labels, self.strings, self.hidden)

    def _notes(self) -> list[Text]:
        return panels.notes(self.session.shown, self.labels, self.strings, self.hidden)

    # -- answering

    @on(Decided)
    def _on_decided(self, event: Decided) -> None:
        event.stop()
        ask, answer = event.ask, event.answer
        if ask.kind not in data().confirm or answer is None or answer is False:
            self._submit(ask, answer)
            return
        several = answer if isinstance(answer, tuple) else (answer,)
        chosen = ", ".join(self.labels.seat(x) if type(x) is int else self.labels.words.option(ask, x) for x in several)
        title = self.labels.words.ask_title(ask, self.session.shown)
        self._confirm(
            self.strings("confirm.answer", what=title, answer=chosen), lambda: self._submit(ask, answer), self._again
        )

    def _confirm(self, text: str, then: Callable[[], object], otherwise: Callable[[], object]) -> None:
        say = self.strings
        screen = ConfirmScreen(say("confirm.title"), text, say("confirm.yes"), say("confirm.no"))

        def chosen(sure: bool | None) -> None:
            (then if sure else otherwise)()

        self.app.push_screen(screen, chosen)

    def _again(self) -> None:
        for form in self.query(AskForm):
            form.again()

    @work(group="form")
    async def _submit(self, ask: Ask, answer: Answer) -> None:
        try:
            stood = self.session.answer(ask, answer)
        except IllegalAnswer as error:
            self._refused(error.reason)
            return
        if stood:
            await self._form(None)
        self.renew()

    def _refused(self, reason: str) -> None:
        self.notify(self.strings("hint.illegal", reason=reason), severity="warning", markup=False)
        self._again()

    # -- keys

    def action_react(self) -> None:
        """A reaction, if one may be taken: its own form, and a confirmation."""
        offers = self.session.offers() if self.ready else ()
        if len(offers) == 1 and offers[0].form == "flag":
            self._sure((offers[0], True))
        elif offers:
            self.app.push_screen(ReactScreen(offers, self.session.shown, self.labels, self.strings), self._sure)

    def _sure(self, chosen: tuple[Ask, Answer] | None) -> None:
        if chosen is None or chosen[1] is None or chosen[1] is False:
            self._again()
            return
        ask, answer = chosen
        name = self.labels.words.ask_name(ask.kind)
        self._confirm(self.strings("confirm.react", what=name), lambda: self._react(ask, answer), self._again)

    @work(group="form")
    async def _react(self, ask: Ask, answer: Answer) -> None:
        try:
            taken = self.session.react(ask, answer)
        except IllegalAnswer as error:
            self._refused(error.reason)
            return
        if not taken:
            self.notify(self.strings("react.gone"), severity="warning", markup=False)
        self.renew()

    def action_help(self) -> None:
        """Keys and marks."""
        self._page("help.title", help_lines(self.strings))

    def action_notes(self) -> None:
        """What only this seat knows."""
        self._page("notes.title", self._notes() if self.ready else [])

    def action_votes(self) -> None:
        """All ballots so far."""
        self._page("votes.title", self._votes() if self.ready else [])

    def action_rules(self) -> None:
        """The rules of this table."""
        if self.ready:
            self._page("rules.title", [Text(self.labels.words.rules(self.session.shown, not self.hidden))])

    def action_reveal(self) -> None:
        """The truth, once the game is over and its end has been shown."""
        if self.ready and self.session.over and self.session.level:
            made = reveal.sections(self.session.table, self.session.seat, self.labels, self.strings)
            self.app.push_screen(RevealScreen(made, self.strings))

    def _page(self, title: str, lines: list[Text]) -> None:
        self.app.push_screen(PageScreen(self.strings(title), lines, self.strings("close")))

    async def action_language(self) -> None:
        """The next language, for everything on the screen."""
        self.strings = self.strings.other()
        self.labels = Labels(self.words_of(self.strings.lang), self.names)
        self._rewrite()
        if self.ready and self.session.posed is not None:
            await self._form(self.session.posed)
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
        self.call_after_refresh(self._refocus)

    def on_descendant_blur(self) -> None:
        """A click beside the form, or a window too small to show it, must not leave the keys going nowhere."""
        self.call_later(self._refocus)

    def _refocus(self) -> None:
        if self.focused is None and not self.has_class("-tiny"):
            for form in self.query(AskForm):
                form.take_focus()
