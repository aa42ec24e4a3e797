"""Built-in players know what a card changes for them."""

from __future__ import annotations

import msgspec
import pytest

from engine.events import Said
from engine.new_moon.manners import FORBIDDEN
from engine.setup import deal
from judge.direct import play_direct
from players.factory import make_players


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_they_do_not_say_the_forbidden_words(lang: str) -> None:
    spoke = 0
    for seed in range(4):
        setup = deal("tournament", 9, seed=seed, lang=lang, options={"new-moon": True})
        setup = msgspec.structs.replace(setup, new_moon=("event.not-me-nor-wolf",))
        game = play_direct(setup, make_players(setup, dict.fromkeys(range(1, 10), "builtin"))).game
        said = [
            e for e, (phase, day) in zip(game.public.events, game.public.at, strict=True) if (phase, day) == ("day", 1)
        ]
        assert not any(FORBIDDEN.search(event.text) for event in said if isinstance(event, Said))
        spoke += sum(bool(event.text) for event in game.public.said)
        assert game.outcome is not None
    assert spoke
