"""Makes docs/pictures/*.svg from the real app: `python scripts/make_pictures.py [FOLDER]`.

Every picture is of a seeded game in a temporary folder, so a change of a picture is a change of the app.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input  # noqa: E402

from cli.config import load  # noqa: E402
from cli.house import CommandHouse  # noqa: E402
from tui.home import HomeApp  # noqa: E402
from tui.house import Plan  # noqa: E402
from tui.screens.replay import ReplayScreen  # noqa: E402
from tui.screens.reveal import AfterScreen  # noqa: E402
from tui.screens.table import TableScreen  # noqa: E402
from tui.widgets.askform import AskForm  # noqa: E402

SIZE = (100, 30)
SEED = 20
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Textual names fonts on a server; a picture in the docs fetches nothing."""
TURNS = 20_000  # of the event loop, after which something must be wrong


async def until(pilot: Pilot[int], holds: Callable[[], object]) -> None:
    """Let the app work until this holds. Raises RuntimeError if it never comes to that."""
    for _ in range(TURNS):
        if holds():
            await pilot.pause()
            return
        await pilot.pause()
    raise RuntimeError("the app never came to this picture")


def house_in(folder: Path, lang: str) -> CommandHouse:
    """A house in an empty folder, with nobody's settings."""
    env: Mapping[str, str] = {"TIANHEI_HOME": str(folder), "TIANHEI_CONFIG": str(folder / "none.toml")}
    return CommandHouse(load({"lang": lang}, env), env)


class Camera:
    """Takes pictures of one app."""

    def __init__(self, app: HomeApp, pilot: Pilot[int], out: Path) -> None:
        self.app, self.pilot, self.out = app, pilot, out

    async def take(self, name: str) -> None:
        """One picture; a blinking cursor would make two of it."""
        for line in self.app.screen.query(Input):
            line.cursor_blink = False
        await self.pilot.pause()
        path = self.out / f"{name}-{self.app.strings.lang}.svg"
        drawn = FONT.sub("", self.app.export_screenshot(title="天黑 Tianhei"))
        path.write_text(drawn, "utf-8")

    def table(self) -> TableScreen | None:
        """The table, if one is open."""
        return next((screen for screen in self.app.screen_stack if isinstance(screen, TableScreen)), None)

    async def ask(self, kind: str) -> None:
        """Answer quietly until this is asked."""

        def there() -> bool:
            table = self.table()
            if table is None or not table.ready or table.session.posed is None or not table.query(AskForm):
                return False
            if table.session.posed.kind == kind:
                return True
            table.session.answer(table.session.posed, table.session.posed.quiet())
            return False

        await until(self.pilot, there)

    async def end(self) -> None:
        """Answer quietly until the game is over."""

        def there() -> bool:
            table = self.table()
            if table is not None and table.session.posed is not None and table.query(AskForm):
                table.session.answer(table.session.posed, table.session.posed.quiet())
            return isinstance(self.app.screen, AfterScreen)

        await until(self.pilot, there)


async def pictures(lang: str, out: Path, folder: Path) -> None:
    """All pictures of one language."""
    app = HomeApp(house_in(folder, lang), speed="instant")
    async with app.run_test(size=SIZE) as pilot:
        camera = Camera(app, pilot, out)
        await until(pilot, lambda: app.screen is app.home)
        await camera.take("home")
        await pilot.press("1")
        await until(pilot, lambda: app.screen.query("#who-9"))
        await camera.take("new-game")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.home)
        app._play(Plan(lang=lang, seed=SEED, me="3", role="seer"))
        await camera.ask("seer.check")
        await camera.take("night")
        await camera.ask("day.vote")
        await pilot.press("f6")
        await camera.take("table")
        await camera.end()
        await camera.take("afterwards")
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press(*["pagedown"] * 4)
        await camera.take("replay")


def main() -> None:
    """Make them all."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("TEXTUAL_COLOR_SYSTEM", "truecolor")
    for lang in ("zh", "en"):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(pictures(lang, out, Path(folder)))


if __name__ == "__main__":
    main()
