"""Key to paint on a long transcript: how long from a key to the finished drawing, on a table with 5,000 lines.

Run it with `python -m benchmarks.keytopaint`. It prints one JSON object; times are milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Callable

from textual.events import Key, Resize
from textual.geometry import Size
from textual.screen import Screen

from engine.asks import Ask, text_ask
from engine.game import Game
from engine.setup import Setup, deal
from engine.views import View
from tui.app import PlayApp
from tui.catalogue import CatalogueWords
from tui.lines import Line
from tui.session import PaceHook, Update
from tui.sieve import Sieve
from tui.widgets.log import Log
from tui.widgets.transcript import Transcript

LINES = 5000
KEYS = 60
RESIZES, SIZES = 5, ((80, 24), (200, 50), (120, 40))
GOAL = 50.0
SHORT = ("typing", "scrolling", "new_line", "searching", "resize")
SAID = {
    "zh": "我昨晚什么也没听见，先听后面的人怎么说；三号今天的发言很可疑，我建议大家先看他的票型再决定。",
    "en": "I heard nothing last night; seat 3 sounds wrong to me, and I would look at how they voted before we decide.",
}


class Still:
    """A table that asks for a speech and waits for ever."""

    over = False

    def __init__(self, setup: Setup, update: Update, pace: PaceHook) -> None:
        self.game = Game(setup)
        self.pending: tuple[Ask, ...] = (text_ask(3, "day.speak"),)

    def view(self, seat: int | None) -> View:
        return self.game.view(seat)

    async def run(self) -> tuple[Ask, ...]:
        return self.pending

    def submit(self, seat: int, answer: object) -> None: ...

    def request_reaction(self, seat: int, kind: str, answer: object) -> None: ...

    async def close(self) -> None: ...


def lines(lang: str) -> list[Line]:
    """A long game's talk and votes."""
    made = []
    for at in range(LINES):
        seat = at % 9 + 1
        topic = "talk" if at % 4 else "vote"
        made.append(Line("speech", f"{at} {SAID[lang]}", f"{seat}: ", seat, topic, frozenset({seat})))
    return made


class Watch:
    """Notes when the app has drawn something, down to the escape codes that a terminal gets."""

    def __init__(self, app: PlayApp) -> None:
        self.app = app
        self.ready: Callable[[], bool] = lambda: True  # what must hold before a drawing counts
        self.drawn = asyncio.Event()
        self.at = 0.0
        display = app._display

        def watched(screen: Screen[object], renderable: object) -> None:
            display(screen, renderable)  # type: ignore[arg-type]  # the app's own method takes any
            if hasattr(renderable, "render_segments"):
                renderable.render_segments(app.console)
            if self.ready():
                self.at = time.perf_counter()
                self.drawn.set()

        app._display = watched  # type: ignore[method-assign]  # put in the method's place, to time it

    async def timed(self, act: Callable[[], object]) -> float:
        """Milliseconds from an act to the end of its drawing."""
        await asyncio.sleep(0.03)  # let the last drawing come to an end
        self.drawn.clear()
        begun = time.perf_counter()
        act()
        await asyncio.wait_for(self.drawn.wait(), 5)
        return (self.at - begun) * 1000

    async def key(self, key: str) -> float:
        """The same for a key."""
        character = key if len(key) == 1 else None
        return await self.timed(lambda: self.app.post_message(Key(key, character)))

    async def resize(self, columns: int, rows: int) -> float:
        """The same for a window of another size, until the transcript is drawn at its new width."""
        size = Size(columns, rows)
        log, old = self.app.table.query_one(Log), self.app.table.query_one(Log).rows
        self.ready = lambda: log.rows is not old
        self.app._driver._size = size  # type: ignore[union-attr]  # a running app has its driver
        try:
            return await self.timed(lambda: self.app.post_message(Resize(size, size)))
        finally:
            self.ready = lambda: True


async def measured(lang: str) -> dict[str, float]:
    """Typing, scrolling, searching, filtering, a new line, and another size of the window."""
    setup = deal("tournament", 9, seed=4, lang=lang)
    app = PlayApp(
        lambda update, pace: Still(setup, update, pace), seat=3, lang=lang, words=CatalogueWords, speed="instant"
    )
    async with app.run_test(size=(120, 40)) as pilot:
        while not app.table.query("#talk"):
            await pilot.pause()
        transcript = app.table.query_one(Transcript)
        transcript.replace(lines(lang), app.table.strings)
        await pilot.pause()
        watch = Watch(app)
        typing = [await watch.key("a") for _ in range(KEYS)]
        scrolling = [await watch.key(key) for _ in range(KEYS // 2) for key in ("pageup", "pagedown")]
        one = lines(lang)[:1]
        adding = [await watch.timed(lambda: transcript.add(one)) for _ in range(KEYS)]
        resizing = [await watch.resize(columns, rows) for _ in range(RESIZES) for columns, rows in SIZES]
        await pilot.press("ctrl+f")
        searching = [await watch.key(key) for _ in range(5) for key in ("4", "3", "backspace", "backspace")]
        sifting = await watch.timed(lambda: transcript.sift(Sieve("vote")))
        rewrapping = await watch.timed(lambda: transcript.replace(lines(lang), app.table.strings))
    return {
        "typing": statistics.median(typing),
        "typing_p95": sorted(typing)[int(KEYS * 0.95)],
        "scrolling": statistics.median(scrolling),
        "new_line": statistics.median(adding),
        "resize": statistics.median(resizing),
        "searching": statistics.median(searching),
        "filter": sifting,
        "all_anew": rewrapping,
    }


def main() -> None:
    """Measure in both languages."""
    found = {lang: asyncio.run(measured(lang)) for lang in ("zh", "en")}
    rounded = {lang: {name: round(ms, 1) for name, ms in by.items()} for lang, by in found.items()}
    good = all(by[name] < GOAL for by in found.values() for name in SHORT)
    print(json.dumps({"lines": LINES, "goal_ms": GOAL, "holds": good, **rounded}))


if __name__ == "__main__":
    main()
