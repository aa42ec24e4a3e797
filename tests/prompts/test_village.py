"""The Village in words: every event, ask and answer of random games, the rulebook's page and the model's rules."""

from __future__ import annotations

import pytest

from engine.setup import Setup
from prompts.model import table_rules
from prompts.narrate import narrate, overheard
from prompts.rulebook import explain
from prompts.words import answer_words, ask_hint, ask_title, call, house_word
from tests.prompts.conftest import walk

SEATS = ("werewolf", "arsonist", "rumour-monger", "witch", "werewolf", *["villager"] * 7)
HOUSES = ("farm", "church", "hovel", "school", "bakery", "barbershop", "court", "inn", "castle", "farm")
SETUP = Setup("homebrew", SEATS, options={"village": True}, houses=(*HOUSES, "vagabond", "vagabond"))


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
def test_every_event_and_ask_has_words(lang: str) -> None:
    asked: set[str] = set()
    for seed in range(30):
        for game in walk(SETUP, seed):
            for ask in (*game.asks, *game.reactions):
                asked.add(ask.kind)
                title = ask_title(ask, game.view(ask.seat), lang)
                words = [title, ask_hint(ask.kind, lang), call(ask, lang) or ""]
                words += [answer_words(ask, option, lang) for option in ask.options()]
                assert not any("{" in word or ("-" in word and lang == "zh") for word in words), words
        for event, audience in zip(game.events, game.audiences, strict=True):
            assert "{" not in (overheard(event, audience, lang) or "")
        assert {narrate(event, lang) for event in game.public.events}
    assert {"magistrate.house", "teacher.forbid", "castle.beg", "arsonist.burn", "barber.shave"} <= asked


def test_names_of_houses() -> None:
    assert [house_word(one, "zh") for one in ("farm-2", "church", "vagabond", "tower")] == [
        "农场2",
        "教堂",
        "流浪汉",
        "tower",
    ]
    assert house_word("farm-2", "en") == "farm 2"


@pytest.mark.parametrize(("lang", "said"), [("zh", "# 建筑"), ("en", "# Buildings")])
def test_the_rulebook_has_a_page_only_with_the_option(lang: str, said: str) -> None:
    assert said in explain("homebrew", lang, options={"village": True, "village.cards": ["church", "farm"]})
    assert said not in explain("homebrew", lang)


def test_the_models_rules_tell_what_the_houses_do() -> None:
    game = next(walk(SETUP, 1))
    assert "innkeeper" in table_rules(game.view(1), "en")
