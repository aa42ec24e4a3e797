"""The home screen and its forms, by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select, Static

from tests.tui.houses import MemoryHouse
from tests.tui.tables import until
from tui.home import HomeApp
from tui.house import Plan
from tui.screens.dialogs import HandoverScreen, PageScreen, QuitScreen
from tui.screens.home import ITEMS, HomeScreen
from tui.screens.newgame import NewGameScreen
from tui.screens.options import OptionsScreen
from tui.screens.records import RecordsScreen
from tui.screens.rules import RulesScreen
from tui.screens.settings import SettingsScreen
from tui.screens.table import TableScreen
from tui.widgets.askform import AskForm

SIZES = [(80, 24), (120, 40)]
OPENED = {
    "new": NewGameScreen,
    "records": RecordsScreen,
    "rules": RulesScreen,
    "settings": SettingsScreen,
    "help": PageScreen,
}


def home_app(lang: str = "zh", **given: object) -> HomeApp:
    return HomeApp(MemoryHouse(lang, **given), speed="instant")  # type: ignore[arg-type]  # settings by name


def house_of(app: HomeApp) -> MemoryHouse:
    assert isinstance(app.house, MemoryHouse)
    return app.house


async def at_table(app: HomeApp, pilot: Pilot[int]) -> TableScreen:
    await until(pilot, lambda: isinstance(app.screen, TableScreen) and app.screen.query(AskForm))
    assert isinstance(app.screen, TableScreen)
    return app.screen


def text_of(app: HomeApp) -> str:
    return "\n".join(str(part.visual) for part in app.screen.query(Static))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("screen", ["home", *OPENED])
def test_pictures(snap_compare: Callable[..., bool], screen: str, lang: str, size: tuple[int, int]) -> None:
    app = home_app(lang)

    async def before(pilot: Pilot[int]) -> None:
        await until(pilot, lambda: app.screen is app.home)
        if screen in OPENED:
            await pilot.press(str(ITEMS.index(screen) + 1))
            await until(pilot, lambda: isinstance(app.screen, OPENED[screen]))
        for line in app.screen.query(Input):
            line.cursor_blink = False
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_every_item_opens_and_closes(lang: str) -> None:
    app = home_app(lang)
    async with app.run_test(size=(80, 24)) as pilot:
        for item, screen in OPENED.items():
            await pilot.press(str(ITEMS.index(item) + 1))
            await until(pilot, lambda screen=screen: isinstance(app.screen, screen))  # type: ignore[misc]  # the lambda is called before the next round
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.home)


async def test_a_game_by_enter_alone() -> None:
    app = home_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        await pilot.press("enter")
        table = await at_table(app, pilot)
        assert table.session.seat == 3
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(app.screen, QuitScreen))
        await pilot.press("y")
        await until(pilot, lambda: app.screen is app.home)
        assert table.session.table.closed  # type: ignore[attr-defined]  # a local table, which can be closed
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)


async def test_the_form_says_what_was_chosen() -> None:
    app = home_app("en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        form = app.screen
        assert isinstance(form, NewGameScreen)
        await pilot.pause()
        form.query_one("#new-ruleset", Select).value = "classic"
        await pilot.pause()
        form.query_one("#new-seats", Select).value = "12"
        await until(pilot, lambda: form.query("#who-12"))
        form.query_one("#new-me", Select).value = "2"
        form.query_one("#who-5", Select).value = "builtin:sly:hard"
        form.query_one("#who-2", Select).value = "random"
        form.query_one("#new-seed", Input).value = "77"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: house_of(app).begun)
        plan = house_of(app).begun[0]
        assert (plan.ruleset, plan.seats, plan.me, plan.seed) == ("classic", 12, "2", 77)
        assert plan.sitters == {5: "builtin:sly:hard"}, "my own seat is mine"


async def test_the_form_by_mouse() -> None:
    app = home_app("en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.click("#home-menu", offset=(6, 1))
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        await pilot.pause()
        await pilot.click("#new-start")
        await at_table(app, pilot)


async def test_what_cannot_be_dealt_is_told_at_home() -> None:
    app = home_app("en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        app.screen.query_one("#new-seed", Input).value = "13"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.screen is app.home)
        assert any("cannot be dealt [/b]" in note.message for note in app._notifications)


async def test_options_are_found_and_switched() -> None:
    app = home_app("en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        await pilot.pause()
        await pilot.click("#new-options")
        await until(pilot, lambda: isinstance(app.screen, OptionsScreen))
        await pilot.press(*"self-save", "enter")
        await until(pilot, lambda: getattr(app.screen, "overrides", None) == {"witch.self-save": "yes"})
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        assert app.screen.made().options == {"witch.self-save": "yes"}  # type: ignore[attr-defined]  # the form that was opened


async def test_who_deals_before_the_form_is_drawn_gets_the_usual_table() -> None:
    house = MemoryHouse("en")
    app = HomeApp(house)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen is app.home)
        screen = NewGameScreen(house, app.strings)
        screen.action_start()
        plans: list[Plan | None] = []
        await app.push_screen(screen, plans.append)
        await until(pilot, lambda: len(plans) == 1)
        assert plans[0] is not None
        assert plans[0].sitters == {}


async def test_continue_and_language() -> None:
    app = home_app("zh")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.home.stopped)
        await pilot.press("f7")
        await until(pilot, lambda: "Werewolf" in text_of(app))
        await pilot.press("3")
        await at_table(app, pilot)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_first_lesson_explains(lang: str) -> None:
    app = home_app(lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        table = await at_table(app, pilot)
        assert house_of(app).begun[0].coach
        tip = table.query_one("#tip", Static)
        await until(pilot, lambda: tip.display)
        assert table.strings("coach.seer.check") in str(tip.visual) or "coach" not in str(tip.visual)


async def test_nothing_to_continue() -> None:
    app = home_app()
    house_of(app).shelf.clear()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await pilot.pause()
        assert app.screen is app.home
        menu = app.screen.query_one("#home-menu", OptionList)
        assert menu.get_option("continue").disabled


async def test_settings_are_tested_and_kept_and_show_no_key() -> None:
    app = home_app("en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        await pilot.press(*"bad", "ctrl+t")
        await until(pilot, lambda: "no such model [/b]" in text_of(app))
        app.screen.query_one("#set-model", Input).value = "good"
        app.screen.query_one("#set-key", Input).value = "sk-secret"
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "✓" in text_of(app))
        assert "sk-secret" not in "".join(strip.text for strip in app.screen._compositor.render_strips())
        await pilot.press("ctrl+s")
        await until(pilot, lambda: house_of(app).kept)
        connection, key, lang = house_of(app).kept[0]
        assert (connection.model, key, lang) == ("good", "sk-secret", "en")


@pytest.mark.parametrize(
    ("lang", "question", "told"), [("en", "can the witch save herself?", "witch"), ("zh", "女巫能自救吗？", "女巫")]
)
async def test_the_rules_answer(lang: str, question: str, told: str) -> None:
    app = home_app(lang)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        app.screen.query_one("#rules-find", Input).value = question
        await pilot.pause()
        page = str(app.screen.query_one("#rules-page", Static).visual)
        assert told in page.casefold()
        assert len(page.splitlines()) <= 20


async def test_friends_at_one_terminal() -> None:
    """Between two people a screen hides everything, and nothing private is left behind it."""
    app = home_app("zh")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        await pilot.pause()
        app.screen.query_one("#new-me", Select).value = "3"
        app.screen.query_one("#who-5", Select).value = "human"
        await pilot.press("ctrl+s")
        seen = set()
        for _ in range(4):
            await until(pilot, lambda: isinstance(app.screen, HandoverScreen))
            table = next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))
            assert table.session.seat is None, "until somebody takes over only the public view is there"
            assert not any(private for _, private in table._history)
            await pilot.press("enter")
            table = await at_table(app, pilot)
            ask = table.session.posed
            assert ask is not None
            assert ask.seat == table.session.seat
            seen.add(ask.seat)
            table.session.answer(ask, ask.quiet())
            await pilot.pause()
        assert seen == {3, 5}
