"""Pictures of what may be opened at a table, at both sizes and in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from engine.setup import deal
from tests.tui.tables import MemoryTable, game_app, seeded, to_ask, until
from tui.app import PlayApp
from tui.catalogue import CatalogueWords
from tui.screens.dialogs import HandoverScreen

SIZES = [(80, 24), (120, 40)]
OPENED = {
    "hints": ("f6",),
    "find": ("ctrl+f", *"3"),
    "filter": ("ctrl+t",),
    "sheet": ("ctrl+n", "down", "enter"),
    "rules": ("f4",),
    "votes": ("f3",),
    "typed": ("slash", *"3"),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("what", OPENED)
def test_opened(snap_compare: Callable[..., bool], what: str, lang: str, size: tuple[int, int]) -> None:
    app = game_app(lang=lang)

    async def before(pilot: Pilot[int]) -> None:
        await to_ask(app, pilot, "day.vote")
        await pilot.press(*OPENED[what])
        for line in (*app.screen.query(Input), *app.screen.query(TextArea)):
            line.cursor_blink = False
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_handover(snap_compare: Callable[..., bool], lang: str, size: tuple[int, int]) -> None:
    setup = deal("tournament", 9, seed=4, lang=lang, wish=(3, "witch"))
    app = PlayApp(
        lambda update, pace: MemoryTable(setup, (3, 5), seeded(4, lang), update, pace),
        seat=3,
        lang=lang,
        words=CatalogueWords,
        speed="instant",
        people=(3, 5),
    )

    async def before(pilot: Pilot[int]) -> None:
        await until(pilot, lambda: isinstance(app.screen, HandoverScreen))

    assert snap_compare(app, terminal_size=size, run_before=before)
