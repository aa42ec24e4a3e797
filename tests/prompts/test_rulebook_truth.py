"""The rules in words say nothing that does not hold at the table."""

import pytest

from engine.rules.ruleset import load_ruleset, roles, ruleset_ids
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


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_card_is_told_nothing_twice(ruleset: str, lang: str) -> None:
    for role in roles():
        lines = explain(ruleset, lang, role=role).splitlines()
        assert len(lines) == len(set(lines)), role


@pytest.mark.parametrize(("lang", "step"), [("en", "charmed"), ("zh", "被魅惑的人")])
def test_a_step_that_the_table_leaves_out_is_not_in_its_night(lang: str, step: str) -> None:
    rules = load_ruleset("extended")
    assert step not in night_order(rules, "night", ["piper"], lang)
    assert step in night_order(rules, "night", ["piper"], lang, {"piper.circle": True})


@pytest.mark.parametrize(("lang", "own"), [("en", "that of the card he ends with"), ("zh", "随最后的那张牌")])
def test_a_thief_belongs_where_his_last_card_does(lang: str, own: str) -> None:
    assert own in explain("classic", lang, role="thief").splitlines()[1]
    assert own in explain("classic", lang)
