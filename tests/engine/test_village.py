"""The Village on every ruleset: setups that are refused, and invariants under random play with all buildings."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from engine.game import Game
from engine.options import known_options
from engine.rules.ruleset import SetupError, load_ruleset, ruleset_ids
from engine.setup import Setup, deal
from engine.village.cards import DEALT, numbered
from engine.village.village import Village
from tests.engine.tables import play_randomly, random_setup, step

SEATS = ("villager", "werewolf", "villager", "villager")


def table(**fields: Any) -> Setup:
    """A small table with the Village."""
    return Setup(
        "homebrew", fields.pop("seats", SEATS), options={"village": True} | fields.pop("options", {}), **fields
    )


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (Setup("homebrew", SEATS, houses=("church",) * 4), "only with the option village"),
        (table(houses=("church", "court")), "4 seats take 4 houses"),
        (table(houses=("church", "palace", "vagabond", "vagabond")), "no building 'palace'"),
        (table(houses=("church", "church", "vagabond", "vagabond")), "1 of the building church"),
        (table(houses=("farm-2", "farm-2", "vagabond", "vagabond")), "each once"),
        (table(options={"village.cards": ("farm",) * 5}), "names 5 cards for 4 seats"),
        (table(options={"village.cards": ("church", "church")}), "there are 1 of church, not 2"),
        (table(options={"village.cards": ("palace",)}), "auto or a list of farm"),
        (table(options={"village.cards": ()}), "auto or a list of farm"),
        (Setup("homebrew", ("arsonist", *SEATS)), "arsonist needs the option village"),
        (Setup("homebrew", ("rumour-monger", *SEATS)), "rumour-monger needs the option village"),
    ],
)
def test_what_cannot_be_dealt_is_refused(setup: Setup, said: str) -> None:
    with pytest.raises(SetupError, match=said):
        Game(setup)


def test_a_deal_refuses_what_a_game_would() -> None:
    deck = {"werewolf": 1, "arsonist": 1, "villager": 3}
    with pytest.raises(SetupError, match="needs the option village"):
        deal("homebrew", 5, deck=deck)
    assert deal("homebrew", 5, deck=deck, options={"village": True}).size == 5


def test_farms_are_numbered_by_seat_around_those_that_are_named() -> None:
    assert numbered(("farm", "court", "farm-1", "farm")) == ("farm-2", "court", "farm-1", "farm-3")


def test_the_deal_of_houses_does_not_depend_on_the_cards() -> None:
    def houses(seats: tuple[str, ...]) -> list[str]:
        village = Game(table(seats=seats, seed=5)).truth.rules["village"]
        assert isinstance(village, Village)
        return [house.name for house in village.houses.values()]

    assert houses(SEATS) == houses(tuple(reversed(SEATS)))


def test_every_number_of_seats_has_its_cards() -> None:
    for seats in range(4, 19):
        village = Game(table(seats=("werewolf", *["villager"] * (seats - 1)))).truth.rules["village"]
        assert isinstance(village, Village)
        assert len(village.houses) == seats - sum(card == "vagabond" for card in DEALT[:seats])


def village_table(seed: int, ruleset: str) -> Setup:
    """A random table with the Village and some of its options."""
    rng = Random(seed)
    extra = {"village": True, "quack.roles": rng.random() < 0.5, "school.max": rng.choice(["none", "2"])}
    setup = random_setup(seed, ruleset)
    return msgspec.structs.replace(setup, options=setup.options | extra | {"baker.chance": rng.random()})


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_random_play_ends_and_replays_at_every_ask(ruleset: str) -> None:
    assert "village" in known_options()
    for seed in range(40):
        setup = village_table(seed, ruleset)
        game, again, rng = Game(setup), Game(setup), Random(seed)
        while game.asks:
            assert (again.asks, again.reactions, list(again.events)) == (game.asks, game.reactions, list(game.events))
            step(game, rng, reactions=0.15)
            again.apply(game.decisions[-1])
        assert game.outcome is not None


def test_the_decks_of_every_ruleset_play_with_houses() -> None:
    for ruleset in ruleset_ids():
        for name, decks in load_ruleset(ruleset).decks.items():
            for seats in decks:
                setup = deal(ruleset, int(seats), deck=name, seed=3, options={"village": True})
                assert play_randomly(Game(setup), Random(3), reactions=0.2).outcome is not None


def test_what_a_seat_is_asked_follows_from_what_it_knows() -> None:
    """Games that look the same to a seat ask it the same, whatever the hidden cards are."""
    cards = ["werewolf", "werewolf", "arsonist", "rumour-monger", "witch", "villager"]
    houses = ("church", "hovel", "inn", "barbershop", "school", "court")
    asked: dict[tuple[object, ...], object] = {}
    met = 0
    for seed in range(250):
        seats = list(cards)
        Random(seed).shuffle(seats)
        setup = Setup("homebrew", tuple(seats), 7, options={"village": True, "quack.roles": True}, houses=houses)
        game = Game(setup)
        own: dict[int, list[str]] = {seat: [] for seat in range(7)}
        for _ in range(60):
            if not game.asks:
                break
            answers: dict[int, object] = {}
            for ask in (*game.asks, *game.reactions):
                key = (ask.seat, ask.kind, tuple(map(repr, game.view(ask.seat).events)), tuple(own[ask.seat]))
                met += key in asked
                assert asked.setdefault(key, ask) == ask
            offers = game.reactions
            if offers and sum(map(len, own.values())) % 5 == seed % 5:
                offer = offers[0]
                answer = offer.random(Random(repr((own[offer.seat], seed % 3))))
                own[offer.seat].append(repr(answer))
                game.react(offer.seat, offer.kind, answer)
                continue
            for ask in game.asks:
                answers[ask.seat] = ask.random(Random(repr((ask.seat, own[ask.seat], seed % 3))))
                own[ask.seat].append(repr((ask.kind, answers[ask.seat])))
            game.answer(answers)
    assert met > 200


@pytest.mark.parametrize("seed", range(12))
def test_everybody_knows_who_lives_where(seed: int) -> None:
    """The houses in a view, folded from what was told, are those of the truth, after every decision."""
    game, rng = Game(deal("homebrew", 10, seed=seed, options={"village": True})), Random(seed)
    village = game.truth.rules["village"]
    assert isinstance(village, Village)
    while game.asks:
        assert game.public.houses == {h.owner: h.name for h in village.houses.values() if not h.burnt}
        step(game, rng, reactions=0.1)
    assert game.view(3).houses == game.public.houses
