"""The Textual app, and the one function by which the command line starts it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from tui.pace import Pace
from tui.screens.dialogs import QuitScreen
from tui.screens.table import TableScreen
from tui.session import TableFactory
from tui.strings import Strings
from tui.words import Words

SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")
PATIENCE = 3.0  # seconds for leaving in order after a signal


class GameApp(App[int]):
    """What every app of ours does: leave in order on signals, and crash without telling secrets."""

    TITLE = "天黑"
    ENABLE_COMMAND_PALETTE = False  # it offers a way out that does not ask, and screenshots of what others may not see
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang
        self.failure: BaseException | None = None
        self.guards: list[threading.Timer] = []

    def listen(self) -> None:
        """Textual does not restore the terminal on these signals by itself."""
        loop = asyncio.get_running_loop()
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None:
                # In tests and on Windows there is no main-thread loop to hang them on.
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self._on_signal, 128 + number)

    def _on_signal(self, code: int) -> None:
        # Where the terminal is gone, Textual can wait for ever to write its farewell; the game is kept at any moment.
        guard = threading.Timer(PATIENCE, os._exit, (code,))
        guard.daemon = True
        guard.start()
        self.guards.append(guard)
        self.stopped(code)

    def stopped(self, code: int) -> None:
        """Leave in order, with this exit code."""
        self.exit(code, return_code=code)

    def _fatal_error(self) -> None:
        """Textual's own crash report prints local variables, and with them every seat's secrets."""
        # A worker's failure comes wrapped.
        self.failure = getattr(self._exception, "error", None) or self._exception
        self._close_messages_no_wait()

    def started(self) -> int | None:
        """Run until it is left; no timer outlives it."""
        try:
            return self.run()
        finally:
            for guard in self.guards:
                guard.cancel()


class PlayApp(GameApp):
    """The people of one terminal at one table."""

    def __init__(
        self,
        factory: TableFactory,
        *,
        seat: int | None,
        lang: str,
        words: Callable[[str], Words],
        names: Mapping[int, str] | None = None,
        speed: str = "normal",
        people: tuple[int, ...] = (),
        share: Path | None = None,
        notes: Path | None = None,
    ) -> None:
        super().__init__(lang)
        self.pace = Pace(speed)
        self.table = TableScreen(
            factory, seat, names or {}, words, lang, self.pace, people=people, share=share, notes=notes
        )

    async def on_mount(self) -> None:
        self.listen()
        await self.push_screen(self.table)

    async def action_quit(self) -> None:
        """Asks, from anywhere; asked twice, it leaves."""
        if isinstance(self.screen, QuitScreen):
            self.exit(0)
            return
        self.push_screen(QuitScreen(self.table.strings), lambda sure: self.exit(0) if sure else None)


def run_play(  # what the command line knows about the game that it hands over
    table_factory: TableFactory,
    *,
    seat: int | None,
    lang: str,
    words: Callable[[str], Words] | None = None,
    names: Mapping[int, str] | None = None,
    speed: str = "normal",
    resume: str = "",
    people: tuple[int, ...] = (),
    share: Path | None = None,
    notes: Path | None = None,
) -> int:
    """Play at a table until it is over or the human leaves. Returns the process's exit code.

    Raises what the factory raises. Later failures are told on standard error, with exit code 1.

    table_factory: makes the table when the app runs. names: by seat, as everybody may see them. speed: slow, normal,
    fast or instant. resume: how to go on later, told after leaving. seat: None only watches. people: all the seats at
    this terminal, where there are several. share, notes: the folder and the file for what is saved.
    """
    if words is None:
        from tui.catalogue import CatalogueWords

        words = CatalogueWords
    app = PlayApp(
        table_factory,
        seat=seat,
        lang=lang,
        words=words,
        names=names,
        speed=speed,
        people=people,
        share=share,
        notes=notes,
    )
    code = app.started()
    if app.failure is not None and not app.table.ready:
        raise app.failure  # no game was opened; the command line knows what to say
    return farewell(app, code, resume)


def farewell(app: PlayApp, code: int | None, resume: str) -> int:
    """Say how to go on, unless the game is over. Returns the exit code."""
    say = Strings(app.table.strings.lang)
    session = app.table.session
    if app.failure is not None:
        sys.stderr.write(say("quit.crash", error=reason(app.failure)) + "\n")
    elif app.table.ready and session.over:
        return code or 0
    else:
        sys.stderr.write(say("quit.kept") + "\n")
    if resume:
        sys.stderr.write(say("quit.resume", how=resume) + "\n")
    return 1 if app.failure is not None else code or app.return_code or 0


def reason(failure: BaseException) -> str:
    """What went wrong, without what a message might hold of the game: only the record's own errors are quoted."""
    from judge.record import RecordError

    return str(failure) if isinstance(failure, RecordError) else type(failure).__name__
