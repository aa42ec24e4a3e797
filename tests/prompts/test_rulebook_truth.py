"""The rules in words say nothing that does not hold at the table."""

import pytest

from engine.rules.ruleset import load_ruleset
from prompts.rulebook import explain, night_order, roster


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("role", ["werewolf", "witch", "seer"])
def test_a_card_is_told_its_place_among_the_cards_of_its_decks(role: str, lang: str) -> None:
    """Not its number among all the steps of the ruleset, most of which no deck of it calls."""
    rules = load_ruleset("tournament")
    assert night_order(rules, "night", roster(rules), lang) in explain("tournament", lang, role=role)


@pytest.mark.parametrize(("lang", "word"), [("en", "deputy"), ("zh", "执警")])
def test_the_deputy_is_told_of_where_there_is_one(lang: str, word: str) -> None:
    assert word not in explain("tournament", lang)
    with_hand = explain("tournament", lang, options={"new-moon": True, "deputy": True, "deputy.hand": 3})
    assert word in with_hand
    assert "3" in with_hand.partition(word)[2]
