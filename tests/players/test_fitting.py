"""Prompts for models with little context: facts and claims stay, whatever else goes."""

from __future__ import annotations

import pytest

from engine.asks import Answer, Ask
from engine.game import Game
from engine.setup import deal
from players.model import Endpoint
from players.model.fitting import fitted, gist
from players.model.tokens import counter

CLAIMS = {
    "en": "I am the seer. I checked seat 5 last night: seat 5 is a wolf.",
    "zh": "我是预言家，昨晚验了5号是狼人。",
}
FILLER = {
    "en": "I have listened to all of you and I go on thinking about it. ",
    "zh": "大家的发言我都认真听了，还要再想想。",
}


def later(lang: str) -> tuple[Game, Ask]:
    """The second day's first ask, after long speeches, one of them with a claim in its middle."""
    game = Game(deal("tournament", 9, seed=3, lang=lang, options={"sheriff": False}))

    def answer(ask: Ask) -> Answer:
        if ask.kind != "day.speak":
            return ask.quiet()
        claim = CLAIMS[lang] if ask.seat == 4 else ""
        return FILLER[lang] * 6 + claim + " " + FILLER[lang] * 6

    while game.public.day < 2 or game.asks[0].form == "flag":
        game.answer({ask.seat: answer(ask) for ask in game.asks})
    return game, game.asks[0]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_claims_votes_and_deaths_survive_any_length(lang: str) -> None:
    game, ask = later(lang)
    view, endpoint = game.view(ask.seat), Endpoint(model="m", max_tokens=64)
    whole = fitted(view, ask, (), "", lang, ["an old thought"], 100_000, endpoint)
    short = fitted(view, ask, (), "", lang, ["an old thought"], 512, endpoint)
    count = counter("m").count
    assert count(short) < count(whole) - 500
    told, kept = whole[1]["content"].splitlines(), short[1]["content"].splitlines()
    assert len(told) == len(kept), "every line is still there"
    quoted = ("“", "「")
    assert [line for line in told if not any(mark in line for mark in quoted)] == [
        line for line in kept if not any(mark in line for mark in quoted)
    ], "and what the judge said is still whole"
    assert sum(CLAIMS["zh"] in line or CLAIMS["en"].split(". ")[1] in line for line in kept) == 1
    assert "an old thought" in whole[2]["content"]
    assert "an old thought" not in short[2]["content"]


@pytest.mark.parametrize("limit", [20, 50, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_gist_says_nothing_that_was_not_said(lang: str, limit: int) -> None:
    said = FILLER[lang] * 4 + CLAIMS[lang] + " " + FILLER[lang] * 4
    short = gist(said, 4, 9, 1, limit)
    assert len(short) <= max(limit, len(CLAIMS[lang])) + 3
    for piece in short.split("…"):
        assert piece.strip() in said
    assert gist("short", 4, 9, 1, limit) == "short"
    assert gist("x y z " * 50, 4, 9, 1, limit) == ("x y z " * 50)[:limit].strip() + "…"
