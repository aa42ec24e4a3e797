"""The length of a night tells nothing."""

import pytest

from engine.events import Step
from engine.game import Game
from judge.pace import LONGEST_COVER, Shown
from tests.judge.sitters import nine


class Clock:
    """A clock that only sleeping and `now` move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("judge.pace.time.monotonic", lambda: self.now)
        monkeypatch.setattr("judge.pace.asyncio.sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def steps(shown: Shown, clock: Clock, lengths: list[float | None]) -> list[float]:
    """How long each step stays open; a length of None is a step that asks nobody."""
    seen = []
    for length in lengths:
        begun = clock.now
        for state in ("open", "close"):
            if state == "close" and length is not None:
                shown.asked()
                clock.now += length
            shown._game.truth.emit(Step("seer", state))
            assert shown.advance()
            await shown.cover()
            if state == "open":
                begun = clock.now
        seen.append(clock.now - begun)
    return seen


async def test_a_silent_step_lasts_as_long_as_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(nine())
    shown, clock = Shown(game, len(game.events)), Clock(monkeypatch)
    assert await steps(shown, clock, [None, 4.0, 6.0, 5.0, None]) == [0.0, 4.0, 6.0, 5.0, 5.0]
    assert (await steps(shown, clock, [500.0, 500.0, 500.0, 500.0, None]))[-1] == LONGEST_COVER
