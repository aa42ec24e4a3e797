"""What one may open beside a running table: pages, filters, notes, hints. None of it touches the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from rich.text import Text
from textual import on
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Input, Static

from engine.events import Event
from judge.record import RecordError
from tui import panels, reveal
from tui.hints import Reasoner
from tui.judging import default_of, judge_lines
from tui.lines import Labels, Line, line_of
from tui.screens.dialogs import ChoiceScreen, PageScreen
from tui.screens.help import help_lines
from tui.screens.reveal import AfterScreen, RevealScreen
from tui.screens.rules import Chapter, RulesScreen
from tui.screens.sheet import SheetScreen
from tui.session import Session
from tui.sheet import Sheet, opened
from tui.sieve import TOPICS, Sieve
from tui.strings import Strings
from tui.tape import Tape
from tui.widgets.picker import Item
from tui.widgets.transcript import Transcript
from tui.words import Words


class FindBar(Horizontal):
    """The transcript's filter in words, and a line to search in."""


class TablePages(Screen[None]):
    """The part of the table screen that only reads."""

    session: Session
    strings: Strings
    labels: Labels
    names: Mapping[int, str]
    words_of: Callable[[str], Words]
    people: tuple[int, ...]
    share: Path | None
    notes_file: Path | None
    coach: bool
    hidden = False
    ready = False
    hints = False
    _sheet: Sheet | None = None
    _reasoner: Reasoner | None = None

    def renew(self) -> None:
        """Draw anew."""
        raise NotImplementedError

    def look_from(self, seat: int | None, *, aside: bool = False) -> None:
        """See the table from elsewhere."""
        raise NotImplementedError

    # -- pages

    def action_help(self) -> None:
        """Keys and marks."""
        self._page("help.title", help_lines(self.strings))

    def action_notes(self) -> None:
        """What only this seat knows."""
        self._page("notes.title", self._notes() if self.ready else [])

    def action_votes(self) -> None:
        """All ballots so far."""
        self._page("votes.title", self._votes() if self.ready else [])

    def _notes(self) -> list[Text]:
        return panels.notes(self.session.shown, self.lines_of, self.strings, self.hidden)

    def lines_of(self, event: Event, private: bool) -> list[Line]:
        """The lines of an event as they are told here; the judge's are in the language of the table."""
        session, say = self.session, self.strings
        if not session.judging:
            return line_of(event, private, self.labels, say, session.told(event, say.lang))
        game = session.table.game
        spoken = Labels(self.words_of(game.setup.lang), self.names)
        return judge_lines(event, game, spoken, say, session.told(event, game.setup.lang))

    def _votes(self) -> list[Text]:
        return panels.votes(self.session.shown, self.labels, self.strings, self.hidden)

    def _page(self, title: str, lines: list[Text]) -> None:
        self.app.push_screen(PageScreen(self.strings(title), lines, self.strings("close")))

    def action_rules(self) -> None:
        """The rules of this table, which may be asked about."""
        if self.ready:
            view = self.session.shown
            text = self.labels.words.rules(view, not self.hidden)
            advise = getattr(self.session.table, "advise", None)
            chapter = Chapter(self.strings("rules.title"), lambda: text, view.ruleset, view.options, advise)
            self.app.push_screen(RulesScreen([chapter], self.strings))

    # -- filters and search

    def action_topic(self) -> None:
        """Choose which lines are shown."""
        say = self.strings
        made = [Item("a", "", say("sieve.all"))]
        made += [Item(topic[0], topic, say(f"sieve.{topic}")) for topic in TOPICS]
        seats = range(1, self.session.shown.size + 1) if self.ready else ()
        made += [Item(str(seat), seat, self.labels.seat(seat)) for seat in seats]

        def chosen(item: Item | None) -> None:
            if item is None:
                return
            value = item.value
            seat = value if type(value) is int else 0
            self._sift(Sieve("" if seat else str(value), seat, self.query_one(Transcript).sieve.needle))

        self.app.push_screen(ChoiceScreen(say("sieve.title"), made, say), chosen)

    def action_find(self) -> None:
        """Search as one types."""
        bar = self.query_one(FindBar)
        bar.display = True
        self.query_one("#find", Input).focus()

    @on(Input.Changed, "#find")
    def _searched(self, event: Input.Changed) -> None:
        event.stop()
        now = self.query_one(Transcript).sieve
        self._sift(Sieve(now.topic, now.seat, event.value.strip()))

    @on(Input.Submitted, "#find")
    def _found(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_focus(None)
        self.refocus()

    def action_all(self) -> None:
        """Everything again."""
        find = self.query_one("#find", Input)
        with find.prevent(Input.Changed):
            find.value = ""
        self._sift(Sieve())
        if self.focused is find:
            self.set_focus(None)
        self.refocus()

    def _sift(self, sieve: Sieve) -> None:
        self.query_one(Transcript).sift(sieve)
        bar, say = self.query_one(FindBar), self.strings
        bar.display = not sieve.open or self.focused is self.query_one("#find")
        what = self.labels.words.seat(sieve.seat) if sieve.seat else say(f"sieve.{sieve.topic or 'all'}")
        self.query_one("#sieve", Static).update(say("sieve.now", what=what))

    def refocus(self) -> None:
        """The keys go to the form."""
        raise NotImplementedError

    # -- notes, hints, places

    @property
    def sheet(self) -> Sheet:
        """One's own notes."""
        if self._sheet is None:
            self._sheet = opened(self.notes_file)
        return self._sheet

    def action_sheet(self) -> None:
        """Write one's own notes."""
        if not self.ready:
            return

        def done(_: None) -> None:
            with suppress(OSError):  # notes are kept as far as the disk allows, and here in any case
                self.sheet.keep(self.notes_file)
            self.renew()

        screen = SheetScreen(self.sheet, self.session.shown.size, self.labels, self.strings)
        self.app.push_screen(screen, done)

    def action_aside(self) -> None:
        """Hints on or off; for who only watches, from where."""
        if not self.people:
            self.choose_place()
            return
        self.hints = not self.hints
        self.renew()

    def tip(self) -> str:
        """The coach's or the reasoner's word on what is asked now; empty if there is none."""
        ask, say = self.session.posed, self.strings
        told = []
        if self.coach:
            phase = "over" if self.session.shown.over else self.session.shown.phase
            key = f"coach.{ask.kind}" if ask is not None else f"coach.phase.{phase}"
            if tip := say.get(key) or (say.get(f"coach.form.{ask.form}") if ask is not None else ""):
                told.append(tip)
        if self.hints and ask is not None and self.session.judging:
            told.append(default_of(ask, self.labels, say))
        elif self.hints and ask is not None:
            if self._reasoner is None:
                self._reasoner = Reasoner()
            told.append(self._reasoner.hint(self.session.full, ask, self.labels, say))
        return "\n".join(told)

    def choose_place(self) -> None:
        """See the table from elsewhere, where nobody at this terminal plays."""
        if self.people or not self.ready:
            return
        say, size = self.strings, self.session.shown.size
        made = [Item("p", None, say("seen.public")), Item("j", 0, say("seen.judge"))]
        made += [Item(str(seat), seat, self.labels.seat(seat)) for seat in range(1, size + 1)]

        def chosen(item: Item | None) -> None:
            if item is not None:
                self.look_from(item.value if type(item.value) is int else None)

        self.app.push_screen(ChoiceScreen(say("replay.place"), made, say), chosen)

    # -- the end

    def action_reveal(self) -> None:
        """The truth, once the game is over and its end has been shown."""
        if not (self.ready and self.session.over and self.session.level):
            return
        tape = self._tape()
        seat = self.people[0] if len(self.people) == 1 else self.session.seat
        if tape is None:
            made = reveal.sections(self.session.table, seat, self.labels, self.strings)
            self.app.push_screen(RevealScreen(made, self.strings))
            return
        lang = self.strings.lang
        screen = AfterScreen(tape, seat, self.words_of, lang, self.share, dict(self.names))
        self.app.push_screen(screen, lambda what: self._replay(tape) if what == "replay" else None)

    def _tape(self) -> Tape | None:
        """The record of this game, if there is one that fits."""
        try:
            record = self.session.record()
            return Tape(record) if record is not None and record.result is not None else None
        except RecordError:
            return None

    def _replay(self, tape: Tape) -> None:
        from tui.screens.replay import ReplayScreen

        branch = getattr(self.app, "branch_of", None)
        screen = ReplayScreen(tape, self.words_of, self.strings.lang, branch(tape) if branch is not None else None)
        self.app.push_screen(screen)


def place(seat: int | None, labels: Labels, strings: Strings) -> str:
    """From where the table is seen."""
    return labels.words.seat(seat) if seat else strings("seen.public" if seat is None else "seen.judge")
