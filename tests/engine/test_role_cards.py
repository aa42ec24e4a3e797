"""Camp, class and number of every card, as the rulebook's pages of the cards state them."""

import pytest

from engine.rules.ruleset import SetupError, load_ruleset, roles
from engine.setup import deal

GODS = """
    seer witch hunter cupid little-girl elder guard idiot scapegoat raven sister brother fox stuttering-judge
    rusty-knight bear-tamer devoted-servant wild-child actor bodyguard medium
""".split()  # noqa: SIM905
PLAIN = ["villager", "high-villager", "hybrid"]
WOLVES = ["werewolf", "big-bad-wolf", "infecting-wolf", "white-wolf"]
OWN_CAMPS = {"white-wolf": "white-wolf", "piper": "piper", "prejudiced": "prejudiced", "angel": "angel"}
NO_VILLAGE_POWER = [*PLAIN, "cupid", "thief"]
WOLF_BOUNDS = {"extended": (3, 6), "homebrew": (1, 4)}


def test_camp_and_class_of_every_card() -> None:
    cards = roles()
    assert {role: (cards[role].camp, cards[role].cls) for role in GODS} == dict.fromkeys(GODS, ("village", "god"))
    assert {role: (cards[role].camp, cards[role].cls) for role in PLAIN} == dict.fromkeys(PLAIN, ("village", "plain"))
    assert {role: cards[role].camp for role in OWN_CAMPS} == OWN_CAMPS
    assert {role for role, card in cards.items() if card.wolf_card} == set(WOLVES)
    assert {cards[role].cls for role in WOLVES} == {"wolf"}
    assert {cards[role].cls for role in ("piper", "prejudiced")} == {"none"}


def test_village_powers() -> None:
    cards = roles()
    assert not any(cards[role].village_power for role in NO_VILLAGE_POWER)
    assert all(cards[role].village_power for role in GODS if role not in NO_VILLAGE_POWER)
    assert not any(card.village_power for card in cards.values() if card.camp != "village")


@pytest.mark.parametrize("ruleset", WOLF_BOUNDS)
def test_wolf_counts_of_the_decks(ruleset: str) -> None:
    least, most = WOLF_BOUNDS[ruleset]
    decks = [deck for table in load_ruleset(ruleset).decks.values() for deck in table.values()]
    assert decks
    assert all(least <= sum(deck.get(wolf, 0) for wolf in WOLVES) <= most for deck in decks)


@pytest.mark.parametrize(("role", "count"), [("sister", 2), ("brother", 3)])
def test_numbers_that_a_deck_must_hold(role: str, count: int) -> None:
    deal("extended", 9, deck={"werewolf": 2, role: count, "villager": 7 - count})
    for wrong in (count - 1, count + 1):
        with pytest.raises(SetupError, match=f"exactly {count}"):
            deal("extended", 9, deck={"werewolf": 2, role: wrong, "villager": 7 - wrong})


def test_a_fox_needs_eighteen_seats() -> None:
    with pytest.raises(SetupError, match="at least 18 seats"):
        deal("extended", 16, deck={"werewolf": 4, "fox": 1, "villager": 11})
    assert "fox" in deal("extended", 18, deck={"werewolf": 4, "fox": 1, "villager": 13}).seats
