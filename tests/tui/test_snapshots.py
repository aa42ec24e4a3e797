"""Pictures of the screens at both sizes and in both languages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from engine.asks import mask_of, several_ask
from tests.tui.tables import ask_app, game_app, to_ask, to_reveal
from tui.app import PlayApp
from tui.widgets.askform import AskForm

SIZES = [(80, 24), (120, 40)]


class Compare(Protocol):
    def __call__(
        self, app: PlayApp, *, terminal_size: tuple[int, int], run_before: Callable[[Pilot[int]], Awaitable[None]]
    ) -> bool: ...


async def still(app: PlayApp, pilot: Pilot[int]) -> None:
    """A blinking cursor would make two pictures of one screen."""
    for line in app.screen.query(Input):
        line.cursor_blink = False
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_table(snap_compare: Compare, lang: str, size: tuple[int, int]) -> None:
    app = game_app(lang=lang)

    async def before(pilot: Pilot[int]) -> None:
        await to_ask(app, pilot, "day.vote")
        app.table.session.answer(app.table.session.posed, 7)  # type: ignore[arg-type]  # an ask is posed
        await to_ask(app, pilot, "day.speak")
        await still(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_picker(snap_compare: Compare, lang: str, size: tuple[int, int]) -> None:
    app = ask_app(several_ask(3, "cupid.link", mask_of(list(range(1, 10))), 2, 2, can_pass=True), lang)

    async def before(pilot: Pilot[int]) -> None:
        await to_ask(app, pilot)
        await pilot.press("5", "1")
        assert app.table.query(AskForm)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_reveal(snap_compare: Compare, lang: str, size: tuple[int, int]) -> None:
    app = game_app(lang=lang)

    async def before(pilot: Pilot[int]) -> None:
        await to_reveal(app, pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)
