"""The shelf: games are renamed and deleted, never without asking; options that are written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from engine.rules.ruleset import load_ruleset, ruleset_ids
from tests.tui.houses import MemoryHouse
from tests.tui.tables import until
from tui.boards import given, rule_options, taken_words
from tui.home import HomeApp
from tui.screens.dialogs import ConfirmScreen, InputScreen
from tui.screens.options import OptionsScreen
from tui.screens.records import RecordsScreen
from tui.strings import LANGS, Strings


async def to_records(app: HomeApp, pilot: Pilot[int]) -> None:
    await until(pilot, lambda: app.screen is app.home)
    await pilot.press("4")
    await until(pilot, lambda: isinstance(app.screen, RecordsScreen))


async def test_a_game_is_deleted_once_that_is_confirmed() -> None:
    house = MemoryHouse("en")
    app = HomeApp(house)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_records(app, pilot)
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("enter")  # the careful answer has the focus
        await until(pilot, lambda: isinstance(app.screen, RecordsScreen))
        assert len(house.shelf) == 2
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, RecordsScreen) and len(house.shelf) == 1)
        assert app.screen.query_one("#records", OptionList).option_count == 1


async def test_a_game_is_renamed() -> None:
    house = MemoryHouse("zh")
    app = HomeApp(house)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_records(app, pilot)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, InputScreen))
        line = app.screen.query_one(Input)
        line.value = "no/name"
        await pilot.press("enter")
        await until(pilot, lambda: "[/b]" in str(app.screen.query_one("#line-wrong", Static).content))
        line.value = "my-best-game"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RecordsScreen))
        assert house.shelf[0].name == "my-best-game"


@pytest.mark.parametrize(
    ("option", "wrong", "right"),
    [("vote.revotes", "zwei", "3"), ("hunter.causes", "", "pack,vote"), ("baker.chance", "7", "0.5")],
)
async def test_numbers_and_lists_are_written(option: str, wrong: str, right: str) -> None:
    screen = OptionsScreen("tournament", {}, Strings("zh"))
    app = HomeApp(MemoryHouse("zh"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and screen.query("#options-find"))
        screen.query_one("#options-find", Input).value = option
        await until(pilot, lambda: [shown.id for shown in screen.shown] == [option])
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, InputScreen))
        line = app.screen.query_one(Input)
        if wrong:
            line.value = wrong
            await pilot.press("enter")
            await until(pilot, lambda: "✗" in str(app.screen.query_one("#line-wrong", Static).content))
        line.value = right
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen)
        assert screen.overrides == {option: right}


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_option_can_be_changed(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    for lang in LANGS:
        for option in rule_options(ruleset, {}, Strings(lang)):
            assert option.values or taken_words(option.id, Strings(lang))
            if option.value != "–":
                assert rules.options(given({option.id: option.value}))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("what", ["options", "written", "delete"])
def test_pictures(snap_compare: Callable[..., bool], what: str, lang: str, size: tuple[int, int]) -> None:
    app = HomeApp(MemoryHouse(lang))

    async def before(pilot: Pilot[int]) -> None:
        if what == "delete":
            await to_records(app, pilot)
            await pilot.press("d")
            await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
            return
        screen = OptionsScreen("tournament", {"witch.self-save": "yes"}, app.strings)
        await app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and screen.shown)
        if what == "written":
            screen.query_one("#options-find", Input).value = "vote.revotes"
            await until(pilot, lambda: len(screen.shown) == 1)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, InputScreen))
        for line in (*screen.query(Input), *app.screen.query(Input)):
            line.cursor_blink = False
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)
