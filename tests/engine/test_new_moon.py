"""The event cards under random legal play: games end, replay, and ask nobody by what it cannot know."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from engine.game import Game
from engine.new_moon.card import cards
from engine.rules.ruleset import SetupError, ruleset_ids
from engine.setup import Setup
from tests.engine.tables import play_randomly, random_setup, step

TABLE = ("villager", "werewolf", "seer", "witch", "hunter", "villager", "villager", "werewolf")


def moonlit(seed: int) -> Setup:
    """Any legal table with the full deck, some standing cards and some declared facts."""
    rng, setup = Random(seed), random_setup(seed, overrides=0)
    standing = tuple(rng.sample(sorted(cards()), rng.randint(0, 3)))
    options = {"new-moon": True, "new-moon.deck": "full", "new-moon.standing": standing, "deputy": True}
    facts = {seat: {"gender": rng.choice(["male", "female"]), "age": rng.randint(5, 80)} for seat in range(1, 4)}
    return msgspec.structs.replace(setup, options=options, attributes=facts if rng.random() < 0.5 else {})


def test_the_decks_are_those_of_the_page() -> None:
    assert len(cards()) == 36
    assert sum(not card.full_only for card in cards().values()) == 27


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_games_end_and_replay(start: int) -> None:
    for seed in range(start, start + 20):
        setup = moonlit(seed)
        game = play_randomly(Game(setup), Random(seed))
        again = Game.replay(setup, game.decisions)
        assert again.events == game.events
        assert again.audiences == game.audiences


@pytest.mark.parametrize("card", sorted(cards()))
def test_every_card_alone_at_every_table(card: str) -> None:
    for number, ruleset in enumerate(ruleset_ids()):
        options = {"new-moon": True, "new-moon.deck": (), "new-moon.standing": (card,)}
        game = play_randomly(Game(Setup(ruleset, TABLE, seed=number, options=options)), Random(number))
        assert game.outcome is not None


@pytest.mark.parametrize("card", sorted(cards()))
def test_what_a_seat_is_asked_follows_from_what_it_knows(card: str) -> None:
    """As in test_properties: equal histories of a seat bring equal asks, whatever the hidden cards are."""
    asked: dict[tuple[object, ...], object] = {}
    options = {"new-moon": True, "new-moon.deck": (card, "event.quiet-1"), "sheriff": False}
    for seed in range(40):
        dealt = list(TABLE[:6])
        Random(seed).shuffle(dealt)
        game = Game(Setup("homebrew", tuple(dealt), seed=7, options=options, new_moon=(card, "event.quiet-1")))
        own: dict[int, list[object]] = {seat: [] for seat in range(len(dealt) + 1)}
        for _ in range(45):
            answers: dict[int, object] = {}
            for ask in game.asks:
                key = (ask.seat, tuple(map(repr, game.view(ask.seat).events)), tuple(own[ask.seat]))
                if ask.seat:
                    assert asked.setdefault(key, ask) == ask
                answers[ask.seat] = ask.random(Random(repr((key[0], key[2], len(key[1]), seed % 3))))
                own[ask.seat].append((ask, repr(answers[ask.seat])))
            if not game.asks:
                break
            game.answer(answers)


def test_illegal_tables_are_refused_with_the_reason() -> None:
    with pytest.raises(SetupError, match=r"did you mean 'event\.burial'"):
        Game(Setup("homebrew", TABLE, options={"new-moon": True, "new-moon.deck": ("event.buriel",)}))
    with pytest.raises(SetupError, match="needs the option new-moon"):
        Game(Setup("homebrew", TABLE, new_moon=("event.burial",)))
    with pytest.raises(SetupError, match="gypsy needs the option new-moon"):
        Game(Setup("homebrew", (*TABLE, "gypsy")))
    with pytest.raises(SetupError, match="attributes of seat 3, gender"):
        Game(Setup("homebrew", TABLE, options={"new-moon": True}, attributes={3: {"gender": "wolf"}}))
    with pytest.raises(SetupError, match="there is no seat 9"):
        Game(Setup("homebrew", TABLE, options={"new-moon": True}, attributes={9: {"age": 3}}))


def test_a_step_is_a_decision() -> None:
    setup, rng = moonlit(3), Random(3)
    game, replayed = Game(setup), Game(setup)
    while game.asks:
        assert (replayed.asks, replayed.reactions) == (game.asks, game.reactions)
        step(game, rng)
        replayed.apply(game.decisions[-1])
