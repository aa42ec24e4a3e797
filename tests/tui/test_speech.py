"""Speeches that come word by word: at the pace of reading, or as a model makes them; and nothing that is not public."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from engine.asks import Ask
from engine.bits import EVERYONE
from engine.events import Said
from engine.setup import deal
from tests.tui.tables import MemoryTable, app_of, seeded, table_of, texts, until
from tui.app import PlayApp
from tui.messages import Shown
from tui.pace import Pace
from tui.speech import Floor
from tui.widgets.log import Log

SPEECH = Said(5, "我昨晚什么也没听见，先听后面的人怎么说。", "speech")


def floor(monkeypatch: pytest.MonkeyPatch, hurry_after: int = 1000) -> tuple[Floor, list[str]]:
    """A floor whose ticks take no time, and what is heard there."""
    told: list[str] = []
    left = iter([True] * hurry_after)

    async def tick(self: Pace, seconds: float) -> bool:
        return next(left, False)

    monkeypatch.setattr(Pace, "tick", tick)
    return Floor(Pace(), lambda said: told.append(said.text)), told


async def test_a_speech_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    here, told = floor(monkeypatch)
    await here.speak(SPEECH)
    assert len(told) > 5
    assert all(SPEECH.text.startswith(part) for part in told)
    assert sorted(told, key=len) == told
    assert told[-1] != SPEECH.text, "the whole is shown by the event itself"


async def test_whoever_is_in_a_hurry_gets_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    here, told = floor(monkeypatch, hurry_after=2)
    await here.speak(SPEECH)
    assert len(told) == 2


async def test_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    here, told = floor(monkeypatch)
    here.pace.speed = "instant"
    await here.speak(SPEECH)
    assert not told


async def test_what_was_heard_does_not_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    here, told = floor(monkeypatch)
    here.hear(Said(5, SPEECH.text[:12], "speech"))
    await here.speak(SPEECH)
    assert told[0] == SPEECH.text[:12]
    assert all(len(part) > 12 for part in told[1:])


class Talking(MemoryTable):
    """Stops where `waits` says, with one who could be heard while he speaks."""

    waits: Callable[[Ask], bool]

    async def run(self) -> tuple[Ask, ...]:
        self.course = getattr(self, "course", None) or SimpleNamespace(players={}, calls=0)
        while self.game.asks:
            if any(self.waits(ask) for ask in self.game.asks):
                self.stopped = True
                await asyncio.Event().wait()
            self.game.answer({ask.seat: self.say(ask, self.game.view(ask.seat)) for ask in self.game.asks})
            self.update()
            await self.pace(self)
        return ()


def talking(waits: Callable[[Ask], bool], seat: int) -> tuple[PlayApp, SimpleNamespace]:
    setup = deal("tournament", 9, seed=4, lang="zh", wish=(seat, "villager"))
    speaker = SimpleNamespace(live=None)

    def make(update: object, pace: object) -> Talking:
        table = Talking(setup, seat, seeded(4, "zh"), update, pace)  # type: ignore[arg-type]  # the hooks of a local table
        table.waits = waits
        table.course = SimpleNamespace(players={5: speaker}, calls=0)
        table.stopped = False
        return table

    return app_of(make, seat=seat), speaker


def growing(app: PlayApp) -> str:
    return "".join(row.plain for row in app.table.query_one(Log).tail)


async def test_a_model_is_heard_while_it_speaks() -> None:
    app, speaker = talking(lambda ask: ask.kind == "day.speak" and ask.seat == 5, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table_of(app).stopped and app.table.session.level)  # type: ignore[attr-defined]  # the session of this test
        before = list(texts(app))
        speaker.live(5, "我是[/b]")
        await until(pilot, lambda: "我是[/b]" in growing(app))
        speaker.live(5, "我是[/b]预言家")
        await until(pilot, lambda: "我是[/b]预言家" in growing(app))
        assert list(texts(app)) == before, "it is not there for good"
        speaker.live(6, "not my turn")
        await pilot.pause()
        assert "not my turn" not in growing(app)
        app.table.post_message(Shown(Said(5, "我是好人", "speech"), False, app.table.session.look_count))
        await until(pilot, lambda: not growing(app))
        assert any("我是好人" in row for row in texts(app))


async def test_what_is_not_for_everybody_is_not_heard() -> None:
    """Also where a model's words among wolves come in before the event that tells only them."""

    def secret(ask: Ask) -> bool:
        return ask.form == "text" and ask.seen != EVERYONE

    app, speaker = talking(secret, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: table_of(app).stopped)  # type: ignore[attr-defined]  # the session of this test
        asked = next(ask for ask in table_of(app).game.asks if secret(ask))
        speaker.live(asked.seat, "今晚刀3号")
        await pilot.pause()
        assert not growing(app)
