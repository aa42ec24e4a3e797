"""Filters, search, notes, hints, typed answers, spectators and failures at the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Static, TextArea

from engine.asks import Answer, Ask, mask_of, seat_ask
from engine.setup import deal
from players.base import SeatDown
from tests.tui.tables import MemoryTable, app_of, ask_app, game_app, seeded, table_of, texts, to_ask, until
from tui.app import PlayApp
from tui.catalogue import CatalogueWords
from tui.lines import PHASE, Line
from tui.screens.dialogs import ChoiceScreen, ConfirmScreen
from tui.screens.rules import RulesScreen
from tui.screens.sheet import SheetScreen
from tui.session import PaceHook, Update
from tui.sheet import Sheet, opened
from tui.sieve import Sieve
from tui.typed import Unclear, understood
from tui.widgets.askform import AskForm
from tui.widgets.transcript import Transcript


def shown(app: PlayApp) -> str:
    return "\n".join(texts(app))


async def test_filters_by_topic_and_seat() -> None:
    app = game_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await to_ask(app, pilot, "day.vote")
        everything = shown(app)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("t", "enter")
        await until(pilot, lambda: shown(app) != everything)
        assert all(row.startswith(("›", "──", "  ")) for row in texts(app))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("5", "enter")
        await until(pilot, lambda: app.table.query_one(Transcript).sieve.seat == 5)
        assert "5号" in str(app.table.query_one("#sieve", Static).visual)
        await pilot.press("escape")
        await until(pilot, lambda: shown(app) == everything)
        assert not app.table.query_one("#findbar").display
        await pilot.press("1", "enter")
        await until(pilot, lambda: table_of(app).answers[-1] == ("day.vote", 1))


async def test_search_as_one_types() -> None:
    app = game_app(lang="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        everything = shown(app)
        await pilot.press("ctrl+f", *"nothing")
        await until(pilot, lambda: "nothing" in shown(app) and "trust me" not in shown(app))
        await pilot.press("enter", "2", "enter")
        await until(pilot, lambda: table_of(app).answers[-1] == ("day.vote", 2))
        await to_ask(app, pilot)
        await pilot.press("escape")
        await until(pilot, lambda: shown(app).startswith(everything[:200]))


def test_the_sieve_keeps_phases_but_not_in_a_search() -> None:
    phase = Line(PHASE, "Day 1")
    vote = Line("judge", "seat 2 votes", topic="vote", seats=frozenset({2}))
    assert Sieve("vote").keeps(phase)
    assert Sieve("vote").keeps(vote)
    assert not Sieve("talk").keeps(vote)
    assert Sieve(seat=2).keeps(vote)
    assert not Sieve(seat=3).keeps(vote)
    assert not Sieve(needle="seat").keeps(phase)
    assert Sieve(needle="SEAT").keeps(vote)


async def test_notes_stay_here(tmp_path: Path) -> None:
    app = game_app(lang="en")
    app.table.notes_file = tmp_path / "notes" / "game.json"
    async with app.run_test(size=(120, 40)) as pilot:
        await to_ask(app, pilot, "day.vote")
        decided = len(table_of(app).game.decisions)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, SheetScreen))
        await pilot.press("down", "enter", "enter", "enter", "tab")
        await until(pilot, lambda: isinstance(app.screen.focused, TextArea))
        await pilot.press(*"odd", "escape")
        await until(pilot, lambda: app.screen is app.table)
        await until(pilot, lambda: "suspect" in str(app.table.query_one("#roster-rows", Static).visual))
        assert len(table_of(app).game.decisions) == decided
        await pilot.press("f9")
        await until(pilot, lambda: "suspect" not in str(app.table.query_one("#roster-rows", Static).visual))
    assert opened(tmp_path / "notes" / "game.json") == Sheet({2: "suspect"}, "odd")


def test_broken_notes_are_empty_notes(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"marks": {"2": "[/b]"}, "text": "a\\u001b[2J\\nb"}')
    assert opened(path) == Sheet({}, "a[2J\nb")
    path.write_text("{")
    assert opened(path) == Sheet()


async def test_hints_are_off_until_wanted() -> None:
    app = game_app(lang="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        tip = app.table.query_one("#tip", Static)
        assert not tip.display
        await pilot.press("f6")
        await until(pilot, lambda: tip.display and "Hint" in str(tip.visual))
        await pilot.press("f6")
        await until(pilot, lambda: not tip.display)


async def test_the_rules_can_be_asked_at_the_table() -> None:
    app = game_app(lang="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        await pilot.press("f4")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        app.screen.query_one("#rules-find", Input).value = "tie"
        await pilot.pause()
        assert "tie" in str(app.screen.query_one("#rules-page", Static).visual)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.table)


# -- typed answers


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        *[("毒3号", 3), ("三号", 3), ("seat 3 please", 3), ("3", 3), ("12号", 12), ("pass", None)],
        *[("8号", "?"), ("3 or 4", "?"), ("x", "?"), ("不要毒3号", "?"), ("not 3", "?")],
    ],
)
def test_seats_are_understood(text: str, answer: Answer) -> None:
    ask = seat_ask(1, "witch.poison", mask_of([3, 4, 12]), can_pass=True)
    if answer == "?":
        with pytest.raises(Unclear):
            understood(text, ask, "zh")
    else:
        assert understood(text, ask, "zh") == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [("救他", True), ("save him", True), ("不救", False), ("don't save", False), ("yes", True), ("n", False)],
)
def test_yes_and_no_are_understood(text: str, answer: Answer) -> None:
    assert understood(text, Ask(1, "witch.antidote", "flag"), "zh") is answer


def test_nobody_may_be_named_only_where_that_is_allowed() -> None:
    with pytest.raises(Unclear):
        understood("nobody", seat_ask(1, "werewolf.bite", mask_of([3])), "en")


async def test_typing_what_one_wants() -> None:
    app = ask_app(seat_ask(3, "witch.poison", mask_of([2, 5]), can_pass=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        await pilot.press("毒")
        typed = app.table.query_one("#typed", Input)
        await until(pilot, lambda: typed.display and typed.value == "毒")
        await pilot.press("9", "enter")
        await until(pilot, lambda: app.table.query_one(".ask-hint").has_class("-wrong"))
        await pilot.press("backspace", "5", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.table and not typed.display)
        await pilot.press("slash", *"5", "escape", "2", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: table_of(app).answers == [("witch.poison", 2)])


# -- watching, and when something fails


def watching() -> PlayApp:
    setup = deal("tournament", 9, seed=4, lang="en")

    def make(update: Update, pace: PaceHook) -> MemoryTable:
        return MemoryTable(setup, (), seeded(4, "en"), update, pace)

    return PlayApp(make, seat=None, lang="en", words=CatalogueWords, speed="instant")


async def test_a_spectator_sees_from_anywhere_when_nobody_plays() -> None:
    app = watching()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.table.ready and app.table.session.over and app.screen is not app.table)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.table)
        assert "secret" not in shown(app)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("j", "enter")
        await until(pilot, lambda: app.table.session.seat == 0 and "secret" in shown(app))


async def test_who_plays_sees_from_his_seat_only() -> None:
    app = game_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "day.vote")
        app.table.choose_place()
        await pilot.pause()
        assert app.screen is app.table


class Failing(MemoryTable):
    """Its server is down for the first two runs."""

    runs = 0

    async def run(self) -> tuple[Ask, ...]:
        self.runs += 1
        if self.runs < 3:
            raise SeatDown("the server at 127.0.0.1 does not answer [/b]")
        return await super().run()


def failing() -> PlayApp:
    setup = deal("tournament", 9, seed=4, wish=(3, "villager"))
    return app_of(lambda update, pace: Failing(setup, 3, seeded(4, "zh"), update, pace), seat=3)


async def test_a_failure_is_shown_and_tried_again() -> None:
    app = failing()
    async with app.run_test(size=(80, 24)) as pilot:
        for run in (1, 2):
            await until(pilot, lambda run=run: table_of(app).runs == run and isinstance(app.screen, ChoiceScreen))  # type: ignore[attr-defined, misc]
            assert "does not answer [/b]" in "".join(str(part.visual) for part in app.screen.query(Static))
            await pilot.press("1", "enter")
        await until(pilot, lambda: app.table.query(AskForm))


async def test_leaving_after_a_failure_asks_and_keeps() -> None:
    app = failing()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("0", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
    assert table_of(app).closed
