"""Several people at one terminal: acting out of turn, behind the privacy screen."""

from __future__ import annotations

from textual.pilot import Pilot

from engine.setup import deal
from tests.tui.tables import MemoryTable, seeded, table_of, texts, until
from tui.app import PlayApp
from tui.catalogue import CatalogueWords
from tui.screens.dialogs import ChoiceScreen, ConfirmScreen, HandoverScreen

WOLF, OTHER = 5, 3


def hot_seat() -> PlayApp:
    setup = deal("tournament", 9, seed=4, lang="en", wish=(WOLF, "werewolf"))
    return PlayApp(
        lambda update, pace: MemoryTable(setup, (OTHER, WOLF), seeded(4, "en"), update, pace),
        seat=OTHER,
        lang="en",
        words=CatalogueWords,
        speed="instant",
        people=(OTHER, WOLF),
    )


async def to_turn(app: PlayApp, pilot: Pilot[int], seat: int, kind: str) -> None:
    """Hand the screen round and answer quietly until this seat is asked this, with its form before it."""
    session = app.table.session

    async def there() -> bool:
        if isinstance(app.screen, HandoverScreen):
            await pilot.press("enter")
        elif session.posed is not None:
            if (session.posed.seat, session.posed.kind) == (seat, kind):
                return True
            session.answer(session.posed, session.posed.quiet())
        return False

    for _ in range(300):
        if await there():
            await pilot.pause()
            return
        await pilot.pause()
    raise AssertionError("it never came to that")


async def to_wolf(app: PlayApp, pilot: Pilot[int]) -> None:
    """In the other's turn, the wolf takes the screen."""
    await to_turn(app, pilot, OTHER, "day.speak")
    await pilot.press("f8")
    await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
    await pilot.press(str(WOLF), "enter")
    await until(pilot, lambda: isinstance(app.screen, HandoverScreen))
    assert app.table.session.seat is None
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
    assert app.table.session.seat == WOLF


async def test_a_wolf_explodes_in_another_turn() -> None:
    app = hot_seat()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_wolf(app, pilot)
        await pilot.press("y")
        await until(pilot, lambda: table_of(app).reactions == [("werewolf.explode", True)])
        await until(pilot, lambda: app.table.session.seat != WOLF)
        assert not any("✱" in row for row in texts(app)), "nothing private is left"


async def test_who_thinks_better_of_it_hands_back() -> None:
    app = hot_seat()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_wolf(app, pilot)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, HandoverScreen))
        assert app.screen.seat.endswith(str(OTHER))  # type: ignore[attr-defined]  # the privacy screen
        await pilot.press("enter")
        await until(pilot, lambda: app.table.session.posed is not None)
        assert app.table.session.posed is not None
        assert app.table.session.posed.kind == "day.speak"
        assert not table_of(app).reactions


async def test_the_screen_does_not_tell_who_could_act() -> None:
    """Whoever has nothing to do is asked just like a wolf, and learns it behind the screen."""
    app = hot_seat()
    async with app.run_test(size=(80, 24)) as pilot:
        await to_turn(app, pilot, WOLF, "day.speak")
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press(str(OTHER), "enter")
        await until(pilot, lambda: isinstance(app.screen, HandoverScreen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HandoverScreen) and app.table.session.seat is None)
        assert not table_of(app).reactions
