"""Variants: the deal, what is refused, what stays secret, and random play of every combination."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.asks import Answer, Ask, IllegalAnswer
from engine.events import Eliminated, Over, Step
from engine.game import Game
from engine.rules.ruleset import SetupError, ruleset_ids
from engine.setup import Setup, deal
from engine.variants.in_any_case import InAnyCase
from tests.engine.tables import play_randomly

DECK = {
    "werewolf": 2, "big-bad-wolf": 1, "seer": 1, "witch": 1, "hunter": 1, "guard": 1, "cupid": 1, "piper": 1,
    "little-girl": 1, "scapegoat": 1, "elder": 1, "idiot": 1, "thief": 1, "stuttering-judge": 1, "villager": 5,
}  # fmt: skip
TABLES: tuple[dict[str, Any], ...] = (
    {"in-any-case": True},
    {"in-any-case": True, "in-any-case.start": "night-victim", "harvest": True, "harvest.form": "a"},
    {"fascination": True},
    {"fascination": True, "fascination.form": "a", "harvest": True},
    {"harvest": True, "harvest.extra-wolves": 1},
    {"in-any-case": True, "fascination": True, "harvest": True},
    {"black-death": True},
    {"calls.dummy": False},
)


def at(ruleset: str, options: dict[str, Any], seed: int = 1) -> Setup:
    """A table with many cards."""
    return deal(ruleset, 18, deck=DECK, options=options, seed=seed)


@pytest.mark.parametrize("ruleset", ruleset_ids())
@pytest.mark.parametrize("options", TABLES, ids="+".join)
def test_every_combination_plays_to_an_end(ruleset: str, options: dict[str, Any]) -> None:
    for seed in range(4):
        setup = at(ruleset, options, seed)
        game = play_randomly(Game(setup), Random(seed))
        assert game.outcome is not None
        assert list(Game.replay(setup, game.decisions).events) == list(game.events)


@pytest.mark.parametrize("ruleset", ruleset_ids())
@pytest.mark.parametrize("form", ["small", "great"])
def test_double_you_plays_to_an_end(ruleset: str, form: str) -> None:
    for seats, more in ((7, {}), (12, {"harvest": True}), (18, {"in-any-case": True, "fascination": True})):
        setup = deal(ruleset, seats, options={"double-you": form, **more}, seed=seats)
        game = play_randomly(Game(setup), Random(seats))
        assert isinstance(game.outcome, Over)
        assert set(game.outcome.winners) <= {"wolves", "village", "lovers"}


def test_the_decks_of_double_you() -> None:
    small = deal("classic", 10, options={"double-you": "small"})
    assert Counter(small.seats) == {
        "seer": 1, "hunter": 1, "witch": 1, "cupid": 1, "guard": 1, "elder": 1, "scapegoat": 1, "villager": 3,
    }  # fmt: skip
    assert Counter(small.second_cards) == {"werewolf": 3, "villager": 7}
    great = deal("classic", 10, options={"double-you": "great"})
    both = Counter(great.seats + great.second_cards)
    assert both.total() == 20
    assert (both["werewolf"], both["little-girl"], both["idiot"], both["villager"]) == (3, 1, 1, 8)
    assert deal("classic", 9, options={"double-you": "great"}).deck["werewolf"] == 2
    assert "idiot" not in deal("classic", 9, options={"double-you": "great"}).deck
    assert deal("classic", 14, options={"double-you": "small"}).deck["werewolf"] == 4
    wish = deal("classic", 9, options={"double-you": "small"}, wish=(3, "werewolf"))
    assert wish.second_cards[2] == "werewolf"
    with pytest.raises(SetupError, match="7 to 18 seats"):
        deal("classic", 6, options={"double-you": "small"})


def test_the_harvest_leaves_no_cards_over_and_adds_wolves() -> None:
    plain, harvest = at("homebrew", {}), at("homebrew", {"harvest": True, "harvest.extra-wolves": 2})
    assert len(plain.extra) == 2
    assert harvest.extra == ()
    assert harvest.deck["werewolf"] == plain.deck["werewolf"] + 2
    assert harvest.deck["villager"] == plain.deck["villager"] - 4
    with pytest.raises(SetupError, match="takes out 9"):
        at("homebrew", {"harvest": True, "harvest.extra-wolves": 7})


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"black-death": True, "harvest": True}, "not played together with harvest"),
        ({"black-death": True, "double-you": "small"}, "together with double-you"),
        ({"black-death": True, "in-any-case": True, "fascination": True}, "in-any-case, fascination"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        deal("classic", 9, options=options)


def test_second_cards_are_checked() -> None:
    seats = ("seer", "villager", "villager")
    with pytest.raises(SetupError, match="a second card for each"):
        Game(Setup("classic", seats, options={"double-you": "small"}))
    with pytest.raises(SetupError, match="only with double-you"):
        Game(Setup("classic", seats, second_cards=("werewolf", "villager", "villager")))
    with pytest.raises(SetupError, match="not played with thief"):
        Game(Setup("classic", ("thief", "villager"), options={"double-you": "great"}, second_cards=("werewolf",) * 2))


def quiet(game: Game, victim: int) -> None:
    """Answers as little as may be; the night's victim is given."""

    def answer(ask: Ask) -> Answer:
        return victim if ask.kind in ("werewolf.bite", "judge.victim") else ask.quiet()

    game.answer({ask.seat: answer(ask) for ask in game.asks})


def test_the_black_death_looks_like_any_other_game() -> None:
    seats = ("seer", "werewolf", "witch", "villager", "werewolf", "villager", "guard", "villager", "villager")
    ordinary = Game(Setup("extended", seats, options={"vote.abstain": True}))
    plague = Game(Setup("extended", seats, options={"vote.abstain": True, "black-death": True}))
    for victim in (4, 6):
        for game in (ordinary, plague):
            while game.public.phase != "vote":
                quiet(game, victim)
        for seat in (None, 1, 3, 7, 8, 9):
            mine, other = ordinary.view(seat), plague.view(seat)
            assert mine.events == other.events
            assert mine.options == other.options
            assert "black-death" not in other.options
        for game in (ordinary, plague):
            while game.public.phase == "vote":
                quiet(game, victim)
    assert plague.view(0).options["black-death"] is True


def test_the_black_death_is_told_at_its_end_alone() -> None:
    game = play_randomly(Game(at("homebrew", {"black-death": True})), Random(3))
    kinds = [event.kind for event in game.events]
    assert kinds[-2:] == ["black-death", "over"]
    assert kinds.count("black-death") == 1
    assert game.outcome is not None
    assert game.outcome.winners == ()


def test_the_automatic_judge_draws_the_victim_by_the_seed() -> None:
    def first(seed: int) -> int:
        game = Game(at("homebrew", {"black-death": True}, seed))
        while game.asks[0].kind != "judge.victim":
            quiet(game, 1)
        answer = game.asks[0].quiet()
        assert isinstance(answer, int)
        return answer

    assert first(5) == first(5)
    assert len({first(seed) for seed in range(8)}) > 2


def test_nobody_is_condemned_where_nobody_may_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InAnyCase, "naming", lambda self: 0)
    game = Game(Setup("homebrew", ("villager", "werewolf", "villager", "villager"), options={"in-any-case": True}))
    while game.public.day < 2:
        quiet(game, 3)
    assert [event.seat for event in game.events if isinstance(event, Eliminated)] == [3]


def test_a_list_that_begins_with_one_of_some() -> None:
    ask = Ask(1, "cupid.affair", "seats", 0b11110, least=2, most=2, first=0b110)
    assert ask.check([2, 4]) == (2, 4)
    for wrong in ([4, 2], [1, 2], [3, 4]):
        with pytest.raises(IllegalAnswer, match=r"begin with one of \[1, 2\]"):
            ask.check(wrong)
    assert ask.allows(ask.quiet())
    assert all(ask.allows(ask.random(Random(seed))) for seed in range(30))
    assert sorted(ask.all_lists()) == [(1, 3), (1, 4), (2, 3), (2, 4)]


@pytest.mark.parametrize("ruleset", ruleset_ids())
@pytest.mark.parametrize("dummy", [True, False])
def test_the_black_death_is_called_as_a_normal_game(ruleset: str, dummy: bool) -> None:
    """Steps, options and the deck of a first night are those of a game with wolves, seen from any seat that is none."""
    deck = (
        "werewolf", "big-bad-wolf", "infecting-wolf", "white-wolf", "piper", "angel", "prejudiced", "wild-child",
        "dog-wolf", "seer", "witch", "cupid", "hybrid", "villager", "little-girl", "guard", "fox-spirit", "madman",
    )  # fmt: skip
    seen: list[tuple[object, ...]] = []
    for plague in (False, True):
        options = {"calls.dummy": dummy, "sheriff": False} | ({"black-death": True} if plague else {})
        game = Game(Setup(ruleset, deck, seed=3, options=options))
        while game.public.phase in ("setup", "night"):
            game.answer({ask.seat: ask.quiet() for ask in game.asks})
        villager = game.view(deck.index("villager") + 1)
        called = [(event.role, event.state) for event in villager.events if isinstance(event, Step)]
        seen.append((called, villager.options, villager.deck, villager.role, villager.private))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("card", ["cupid", "thief"])
def test_a_deck_holds_one_cupid_and_one_thief_at_most(card: str) -> None:
    deck = {"werewolf": 2, card: 2, "villager": 6 if card == "thief" else 4}
    with pytest.raises(SetupError, match=f"at most 1 of {card}"):
        deal("classic", 8, deck=deck)
