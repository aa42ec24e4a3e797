"""The app that begins at home: menus, tables, records, and back again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on

from prompts import rulebook
from tui.app import GameApp, reason
from tui.boards import rulesets
from tui.house import House, HouseError, Opened, Plan
from tui.messages import Unopened
from tui.pace import Pace
from tui.screens.dialogs import PageScreen, QuitScreen
from tui.screens.help import help_lines
from tui.screens.home import HomeScreen
from tui.screens.newgame import NewGameScreen
from tui.screens.records import RecordsScreen
from tui.screens.rules import Chapter, RulesScreen
from tui.screens.settings import SettingsScreen
from tui.screens.table import TableScreen
from tui.strings import Strings
from tui.words import Words

if TYPE_CHECKING:
    from tui.tape import Tape

LESSON_RULES, LESSON_SEATS, LESSON_ROLE, LESSON_SEED = "tournament", 9, "seer", 20


class HomeApp(GameApp):
    """Home, and whatever is opened from there."""

    def __init__(self, house: House, *, words: Callable[[str], Words] | None = None, speed: str = "normal") -> None:
        super().__init__(house.lang)
        if words is None:
            from tui.catalogue import CatalogueWords

            words = CatalogueWords
        self.house, self.words_of, self.speed = house, words, speed
        self.strings = Strings(house.lang)
        self.home = HomeScreen(house, self.strings)

    async def on_mount(self) -> None:
        self.listen()
        await self.push_screen(self.home)

    # -- from the menu

    @on(HomeScreen.Chosen)
    def _chosen(self, event: HomeScreen.Chosen) -> None:
        event.stop()
        opens: dict[str, Callable[[], object]] = {
            "new": self._new,
            "lesson": self._lesson,
            "continue": self._continue,
            "records": self._records,
            "rules": self._rules,
            "settings": self._settings,
            "language": self._language,
            "help": self._help,
            "quit": lambda: self.exit(0),
        }
        opens[event.item]()

    def _new(self) -> None:
        self.push_screen(NewGameScreen(self.house, self.strings), lambda plan: self._play(plan) if plan else None)

    def _lesson(self) -> None:
        plan = Plan(
            LESSON_RULES, LESSON_SEATS, lang=self.strings.lang, seed=LESSON_SEED, me="1", role=LESSON_ROLE, coach=True
        )
        self._play(plan)

    def _continue(self) -> None:
        if self.home.stopped:
            self._sit(lambda: self.house.resume(self.home.stopped[0].name))

    def _records(self) -> None:
        def chosen(what: tuple[str, str] | None) -> None:
            if what is not None:
                self._open_record(*what)

        self.push_screen(RecordsScreen(self.house, self.strings), chosen)

    def _rules(self) -> None:
        lang = self.strings.lang
        chapters = [Chapter(title, _explainer(rules, lang), rules) for title, rules in rulesets(self.strings)]
        self.push_screen(RulesScreen(chapters, self.strings))

    def _settings(self) -> None:
        def done(lang: str | None) -> None:
            if lang and lang != self.strings.lang:
                self._language()

        self.push_screen(SettingsScreen(self.house, self.strings), done)

    def _language(self) -> None:
        self.strings = self.strings.other()
        self.home.speak(self.strings)

    def _help(self) -> None:
        say = self.strings
        lines = [say(f"home.help.{at}") + "\n" for at in range(1, 6)]
        self.push_screen(PageScreen(say("help.title"), [*lines, *help_lines(say)], say("close")))

    # -- tables and records

    def _play(self, plan: Plan) -> None:
        self._sit(lambda: self.house.begin(plan))

    def _sit(self, opening: Callable[[], Opened]) -> None:
        """Open a table; what is wrong is told at home."""
        try:
            opened = opening()
        except HouseError as error:
            self.notify(str(error), severity="error", markup=False, timeout=10)
            return
        self.push_screen(self.table_of(opened))

    def table_of(self, opened: Opened) -> TableScreen:
        """The screen of a table."""
        return TableScreen(
            opened.factory,
            opened.people[0] if opened.people else None,
            opened.names,
            self.words_of,
            opened.lang,
            Pace(self.speed),
            people=opened.people,
            share=opened.share,
            notes=opened.notes,
            coach=opened.coach,
            lenient=True,
        )

    @on(Unopened)
    async def _unopened(self, event: Unopened) -> None:
        event.stop()
        await self.go_home()
        self.notify(event.words or reason(event.error), severity="error", markup=False, timeout=10)

    def _open_record(self, what: str, name: str) -> None:
        try:
            record = self.house.record(name)
        except HouseError as error:
            self.notify(str(error), severity="error", markup=False, timeout=10)
            return
        from judge.record import RecordError
        from tui.tape import Tape

        try:
            tape = Tape(record)
        except RecordError as error:
            self.notify(str(error), severity="error", markup=False, timeout=10)
            return
        if what == "after":
            self._after(tape)
        else:
            self._replay(tape)

    def _after(self, tape: Tape) -> None:
        from tui.screens.reveal import AfterScreen

        seat = tape.people[0] if len(tape.people) == 1 else None
        screen = AfterScreen(tape, seat, self.words_of, self.strings.lang, self.house.share)
        self.push_screen(screen, lambda what: self._replay(tape) if what == "replay" else None)

    def _replay(self, tape: Tape) -> None:
        from tui.screens.replay import ReplayScreen

        if tape.secret:
            self.notify(self.strings("records.secret"), markup=False)
        self.push_screen(ReplayScreen(tape, self.words_of, self.strings.lang, self.branch_of(tape)))

    def branch_of(self, tape: Tape) -> Callable[[int, int], None]:
        """What plays on from a moment of this record."""

        def branch(after: int, seat: int) -> None:
            self.run_worker(self._branch(tape, after, seat))

        return branch

    async def _branch(self, tape: Tape, after: int, seat: int) -> None:
        await self.go_home()
        self._sit(lambda: self.house.branch(tape.record, after, seat))

    async def go_home(self) -> None:
        """Close everything that lies over the home screen."""
        while self.screen is not self.home and len(self.screen_stack) > 1:
            await self.pop_screen()

    async def action_quit(self) -> None:
        """From a game it asks and goes home; at home it leaves. Asked twice, it leaves."""
        table = next((screen for screen in self.screen_stack if isinstance(screen, TableScreen)), None)
        if table is None or isinstance(self.screen, QuitScreen):
            self.exit(0)
        elif table.ready and table.session.over:
            await self.go_home()
        else:
            self.push_screen(QuitScreen(table.strings), self._leave)

    async def _leave(self, sure: bool | None) -> None:
        if sure:
            await self.go_home()


def _explainer(ruleset: str, lang: str) -> Callable[[], str]:
    return lambda: rulebook.explain(ruleset, lang)


def run_home(house: House, speed: str = "normal") -> int:
    """Open the home screen. Returns the process's exit code; a crash is told on standard error."""
    app = HomeApp(house, speed=speed)
    code = app.started()
    if app.failure is not None:
        sys.stderr.write(Strings(house.lang)("quit.crash", error=reason(app.failure)) + "\n")
        return 1
    return code or app.return_code or 0
