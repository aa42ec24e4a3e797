"""The table screen over whole games."""

from __future__ import annotations

import asyncio
import signal

import pytest
from rich.cells import cell_len
from textual.widgets import Static

from engine.asks import Answer, Ask
from engine.game import Game
from engine.setup import deal
from engine.views import View
from tests.tui.tables import MemoryTable, app_of, game_app, seeded, table_of, texts, to_ask, to_reveal, until
from tui import reveal, roster
from tui.app import PlayApp, farewell
from tui.catalogue import CatalogueWords
from tui.lines import Labels
from tui.screens.dialogs import ConfirmScreen, PageScreen, QuitScreen
from tui.screens.reveal import RevealScreen
from tui.session import PaceHook, Update
from tui.strings import Strings
from tui.widgets.log import Log
from tui.widgets.transcript import Transcript

HOSTILE = "[/b] [3号] [red]x[/red] \\[ {0} %s [@click=app.quit]y[/] [link=a]"


def shown(app: PlayApp) -> str:
    return "\n".join(texts(app))


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_a_whole_game(lang: str) -> None:
    app = game_app(lang=lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_reveal(app, pilot)
        told = "\n".join(str(widget.visual) for widget in app.screen.query(Static))
        for role in set(table_of(app).game.setup.seats):
            assert CatalogueWords(lang).role(role) in told
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.table)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, RevealScreen))
    assert table_of(app).closed


async def test_what_people_say_is_never_markup() -> None:
    def say(ask: Ask, view: View) -> Answer:
        return HOSTILE if ask.form == "text" else seeded(4, "zh")(ask, view)

    app = game_app(say=say)
    app.table.names = dict.fromkeys(range(1, 10), "[/b]")
    async with app.run_test(size=(120, 40)) as pilot:
        await to_ask(app, pilot, "day.vote")
        assert "[/b] [3号] [red]x[/red]" in shown(app)
        await pilot.press("f3", "escape", "f2")
        await to_reveal(app, pilot)


async def test_the_roster_is_aligned() -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        view = app.table.session.shown
        for width in (15, 21, 28, 40):
            rows = roster.rows(view, app.table.labels, app.table.strings, (2,))
            assert {roster.drawn(row, width).cell_len for row in rows} == {width}


@pytest.mark.parametrize("seed", range(6))
async def test_the_screen_shows_its_view_alone(seed: int) -> None:
    """Two deals that differ only among cards the seat cannot know look the same until something is told."""
    screens = []
    for swap in (False, True):
        setup = deal("tournament", 9, seed=seed, wish=(3, "villager"))
        cards = list(setup.seats)
        if swap:
            a, b = (cards.index("seer"), cards.index("werewolf"))
            cards[a], cards[b] = cards[b], cards[a]
        game = Game(type(setup)(setup.ruleset, tuple(cards), 1, "zh"))
        strings = Strings("zh")
        labels = Labels(CatalogueWords("zh"), {})
        rows = roster.rows(game.view(3), labels, strings)
        screens.append([roster.drawn(row, 28).plain for row in rows])
    assert screens[0] == screens[1]


async def test_the_reveal_is_closed_while_the_game_runs() -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        with pytest.raises(ValueError, match="closed"):
            reveal.truth(app.table.session.table)
        await pilot.press("f5")
        await pilot.pause()
        assert app.screen is app.table


async def test_resize_wraps_anew_and_small_is_said() -> None:
    app = game_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await to_ask(app, pilot, "day.vote")
        log = app.table.query_one(Log)
        wide = "".join(line.strip() for line in texts(app) if "──" not in line)
        for width, height in ((80, 24), (60, 20), (61, 24)):
            await pilot.resize_terminal(width, height)
            await until(pilot, lambda: max(map(cell_len, texts(app))) <= log.size.width)
            assert all(cell_len(line) <= log.size.width for line in texts(app))
            assert "".join(line.strip() for line in texts(app) if "──" not in line) == wide
            assert log.is_vertical_scroll_end
        await pilot.resize_terminal(59, 24)
        await until(pilot, lambda: app.table.query_one("#tiny").display)
        assert not app.table.query_one("#body").display
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: app.table.query_one("#body").display)
        await pilot.press("1", "enter")
        await until(pilot, lambda: table_of(app).answers[-1] == ("day.vote", 1))


async def test_reading_back_is_not_disturbed() -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        await pilot.press("pageup")
        log, transcript = app.table.query_one(Log), app.table.query_one(Transcript)
        await until(pilot, lambda: not log.is_vertical_scroll_end)
        top = log.scroll_y
        await pilot.press("1", "enter")
        await until(pilot, lambda: transcript.unread)
        assert log.scroll_y == top
        assert str(transcript.unread) in str(transcript.query_one("#newest", Static).visual)
        await pilot.press("ctrl+end")
        await until(pilot, lambda: transcript.unread == 0 and log.is_vertical_scroll_end)


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
@pytest.mark.parametrize("open_with", [[], ["f1"], ["f4"]])
async def test_quit_asks_and_keeps(key: str, open_with: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        await pilot.press(*open_with, key)
        await until(pilot, lambda: isinstance(app.screen, QuitScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, QuitScreen))
        assert app.is_running
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, QuitScreen))
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
    assert table_of(app).closed
    assert not table_of(app).over
    assert farewell(app, app.return_value, "tianhei resume here") == 0
    assert "tianhei resume here" in capsys.readouterr().err


async def test_explosion_on_one_key_with_confirmation() -> None:
    app = game_app(role="werewolf")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.speak")
        assert app.table.query_one("#offers").display
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.table)
        assert not table_of(app).reactions
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: table_of(app).reactions == [("werewolf.explode", True)])
        await until(pilot, lambda: 3 in app.table.session.shown.out)


async def test_no_explosion_for_others() -> None:
    app = game_app(role="seer")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.speak")
        await pilot.press("f8")
        await pilot.pause()
        assert app.screen is app.table
        assert not app.table.query_one("#offers").display


async def test_hiding_hides_everything_private() -> None:
    app = game_app(role="werewolf")
    async with app.run_test(size=(120, 40)) as pilot:
        await to_ask(app, pilot, "day.vote")
        before = shown(app)
        assert "狼人" in str(app.table.query_one("#roster-rows", Static).visual)
        await pilot.press("f9")
        await until(pilot, lambda: shown(app) != before)
        for part in ("#roster-rows", "#side-text"):
            assert "狼" not in str(app.table.query_one(part, Static).visual)
        assert "✱" not in shown(app)
        await pilot.press("f9")
        await until(pilot, lambda: shown(app) == before)


async def test_language_changes_in_play() -> None:
    app = game_app(lang="zh")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        await pilot.press("f7")
        await until(pilot, lambda: "Night 1" in shown(app))
        assert "天黑" not in shown(app)
        await pilot.press("1", "enter")
        await until(pilot, lambda: table_of(app).answers[-1] == ("day.vote", 1))


@pytest.mark.parametrize("key", ["f1", "f2", "f3", "question_mark"])
async def test_pages(key: str) -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, PageScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.table)


async def test_pause_holds_and_steps() -> None:
    app = game_app(role="villager")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        session = app.table.session
        await pilot.press("space")
        assert app.pace.paused
        seen = len(session.shown.events)
        session.answer(session.posed, 1)  # type: ignore[arg-type]  # an ask is posed
        await pilot.pause()
        await pilot.pause()
        assert len(session.shown.events) == seen
        await pilot.press("full_stop")
        await until(pilot, lambda: len(session.shown.events) == seen + 1)
        assert app.pace.paused
        await pilot.press("space")
        await until(pilot, lambda: len(session.shown.events) > seen + 1)


async def test_the_night_is_shown_whole() -> None:
    """While others are called, the public calls are held: their timing tells nothing."""
    gate = asyncio.Event()
    setup = deal("tournament", 9, seed=4, wish=(3, "villager"))

    class Slow(MemoryTable):
        async def run(self) -> tuple[Ask, ...]:
            for _ in range(4):
                self.game.answer({a.seat: self.say(a, self.game.view(a.seat)) for a in self.game.asks})
                self.update()
                await self.pace(self)
            await gate.wait()
            return await super().run()

    def make(update: Update, pace: PaceHook) -> MemoryTable:
        return Slow(setup, 3, seeded(4, "zh"), update, pace)

    app = app_of(make, seat=3)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.table.ready and len(table_of(app).game.decisions) == 4)
        session = app.table.session
        assert session.full.phase == "night"
        assert session.shown.events[-1].kind == "phase"
        assert len(session.full.events) > len(session.shown.events)
        gate.set()
        await to_ask(app, pilot)
        assert len(session.full.events) == len(session.shown.events)


async def test_a_signal_leaves_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        app.stopped(143)
        await until(pilot, lambda: not app.is_running)
    assert table_of(app).closed
    assert farewell(app, app.return_value, "") == 143
    assert capsys.readouterr().err


async def test_an_interrupt_from_outside_leaves_in_order_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as an exception in whatever happens to run, with exit code 0."""
    handled: dict[int, tuple[object, ...]] = {}
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "add_signal_handler", lambda number, _, *codes: handled.update({number: codes}))
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
    assert handled[signal.SIGINT] == (130,)


async def test_a_click_beside_the_form_keeps_the_keys() -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        await pilot.click("#log", offset=(5, 5))
        await pilot.press("1", "enter")
        await until(pilot, lambda: table_of(app).answers[-1] == ("day.vote", 1))


async def test_twelve_seats_fit() -> None:
    app = game_app(role="cupid", size=12)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "cupid.link")
        await pilot.press("1", "2", "1", "1", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: table_of(app).answers == [("cupid.link", (12, 11))])
        await to_ask(app, pilot, "day.vote")
        panel = app.table.query_one("#action")
        assert panel.max_scroll_y == 0, "the whole form is in sight"


async def test_a_crash_prints_no_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    setup = deal("tournament", 9, seed=4, wish=(3, "villager"))

    class Broken(MemoryTable):
        async def run(self) -> tuple[Ask, ...]:
            secret = "seat 5 is the werewolf"  # noqa: F841 - what a traceback with locals would print
            raise OSError("disk full")

    app = app_of(lambda update, pace: Broken(setup, 3, seeded(4, "zh"), update, pace), seat=3)
    with pytest.raises(Exception, match="disk full"):
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: not app.is_running)
    assert farewell(app, None, "tianhei resume x") == 1
    err = capsys.readouterr().err
    assert "werewolf" not in err
    assert "OSError" in err
    assert "tianhei resume x" in err


async def test_claims_stand_in_the_roster() -> None:
    def say(ask: Ask, view: View) -> Answer:
        return "我是预言家，4号是狼人。" if ask.form == "text" and ask.seat == 5 else seeded(4, "zh")(ask, view)

    app = game_app(say=say)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        rows = roster.rows(app.table.session.shown, Labels(CatalogueWords("zh"), {}), Strings("zh"))
        assert "“预言家”" in rows[4].tags
        assert not any("“" in tag for tag in rows[3].tags)
