"""Random tables and random legal play, for property tests and fuzzing."""

from __future__ import annotations

from random import Random
from typing import Any, get_args, get_origin

import msgspec

from engine.game import Game
from engine.new_moon.card import cards
from engine.options import known_options
from engine.rules.ruleset import SetupError, roles, ruleset_ids
from engine.setup import Setup, deal

MODES: tuple[dict[str, Any], ...] = (
    {"new-moon": True},
    {"new-moon": True, "new-moon.deck": "full", "deputy": True},
    {"new-moon": True, "village": True},
    {"village": True},
    {"in-any-case": True},
    {"fascination": True},
    {"fascination": True, "fascination.form": "a"},
    {"harvest": True},
    {"harvest": True, "harvest.form": "a", "village": True},
    {"black-death": True},
    {"double-you": "small"},
    {"double-you": "great"},
    {"in-any-case": True, "fascination": True, "harvest": True, "new-moon": True, "village": True},
)
"""Whole-game variants, event cards and buildings, alone and together."""


def random_options(rng: Random, count: int) -> dict[str, Any]:
    """Overrides of a few options by other values of theirs."""
    chosen: dict[str, Any] = {}
    for option, (group, field) in rng.sample(sorted(known_options().items()), count):
        kind = group.model_fields[field].annotation
        if get_origin(kind) is not None and not (option.endswith(("causes", "priority", "check", "cards"))):
            chosen[option] = rng.choice(get_args(kind))
        elif kind is bool:
            chosen[option] = rng.random() < 0.5
    return chosen


def random_setup(seed: int, ruleset: str | None = None, overrides: int = 4) -> Setup:
    """Any legal multiset of cards for 5 to 18 seats, with some options overridden."""
    rng = Random(seed)
    ruleset = ruleset or rng.choice(ruleset_ids())
    while True:
        seats = rng.randint(5, 18)
        deck = {"werewolf": rng.randint(1, max(1, seats // 4))}
        pool = [role for role in sorted(roles()) if role not in ("werewolf", "villager")]
        pool = [role for role in pool if overrides or not roles()[role].setting]
        rng.shuffle(pool)
        for role in pool[: rng.randint(0, seats)]:
            count = roles()[role].exactly or 1
            size = seats + (2 if "thief" in deck or role == "thief" else 0)
            if sum(deck.values()) + count <= size:
                deck[role] = count
        size = seats + (2 if "thief" in deck else 0)
        deck["villager"] = size - sum(deck.values())
        try:
            options = random_options(rng, overrides)
            options |= {setting: True for role in deck if (setting := roles()[role].setting)}
            if overrides and rng.random() < 0.5:
                options |= rng.choice(MODES)
            setup = deal(ruleset, seats, deck=deck, seed=seed, options=options)
            return with_cards(setup, seed) if options.get("new-moon") else setup
        except SetupError:
            continue


def with_cards(setup: Setup, seed: int) -> Setup:
    """A deck of event cards whose first is, over the seeds, each of them in turn; and some declared attributes."""
    rng, ids = Random(seed), sorted(cards())
    first = ids[seed % len(ids)]
    others = [card for card in ids if card != first]
    rng.shuffle(others)
    declared: dict[int, dict[str, Any]] = {
        seat: {"gender": rng.choice(("male", "female")), "glasses": rng.random() < 0.5, "age": rng.randint(8, 80)}
        for seat in range(1, setup.size + 1)
        if rng.random() < 0.5
    }
    return msgspec.structs.replace(setup, new_moon=(first, *others[:9]), attributes=declared)


def play_randomly(game: Game, rng: Random, reactions: float = 0.03, most: int = 20000) -> Game:
    """Random legal answers and, now and then, reactions, to the end of the game."""
    for _ in range(most):
        if not game.asks:
            return game
        step(game, rng, reactions)
    raise AssertionError(f"the game does not end: {game.setup}")


def step(game: Game, rng: Random, reactions: float = 0.03) -> None:
    """One random decision."""
    if reactions and rng.random() < reactions and game.reactions:
        offer = rng.choice(game.reactions)
        answer: object = "well, well" if offer.form == "text" else offer.random(rng)
        if offer.allows(answer):
            game.react(offer.seat, offer.kind, answer)
            return
    answers: dict[int, object] = {}
    for ask in game.asks:
        answers[ask.seat] = ask.random(rng)
        if ask.form == "text" and rng.random() < 0.1:
            to = rng.choice(ask.targets) if ask.targets else None
            answers[ask.seat] = {"text": "something", "question-to": to} if to else "something"
    game.answer(answers)
