"""Built-in players: games end, answers are legal, deterministic, and depend on the view alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.speech_variety import measure
from engine.asks import Ask
from engine.game import Game
from engine.rules.ruleset import SetupError, roles, ruleset_ids
from engine.setup import Setup, deal
from players.builtin import BuiltinPlayer
from players.builtin.lines import book, used
from players.builtin.listen import listen
from players.builtin.persona import PERSONAS
from players.builtin.policies import HANDLERS
from players.builtin.policies.aims import AIMS
from players.judge import AutoJudge
from players.random import RandomPlayer

Play = Callable[..., Game]
NAMES = list(PERSONAS)


def seats(setup: Setup, seed: int) -> dict[int, Any]:
    made: dict[int, Any] = {
        seat: BuiltinPlayer(seed * 100 + seat, "normal", NAMES[(seed + seat) % len(NAMES)])
        for seat in range(1, setup.size + 1)
    }
    return {0: AutoJudge(), **made}


@pytest.mark.parametrize(("size", "lang"), [(9, "zh"), (9, "en"), (10, "zh"), (12, "en")])
def test_games_end_the_same_way_twice(play: Play, size: int, lang: str) -> None:
    for seed in range(4):
        setup = deal("tournament", size, seed=seed, lang=lang)
        once, again = (play(setup, seats(setup, seed)) for _ in range(2))
        assert once.outcome is not None
        assert once.decisions == again.decisions


def test_village_and_wolves_both_win(play: Play) -> None:
    wins: Counter[tuple[str, ...]] = Counter()
    for seed in range(60):
        setup = deal("tournament", 9, seed=seed)
        outcome = play(setup, seats(setup, seed)).outcome
        assert outcome is not None
        wins[outcome.winners] += 1
    assert min(wins[("village",)], wins[("wolves",)]) >= 15, wins


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([9, 10, 11, 12]), st.sets(st.integers(1, 12)))
def test_always_legal_among_random_players(seed: int, size: int, at_random: set[int]) -> None:
    from tests.players.conftest import play

    setup = deal("tournament", size, seed=seed, lang="zh" if seed % 2 else "en")
    players = seats(setup, seed)
    players.update({seat: RandomPlayer(seed + seat) for seat in at_random if seat <= size})

    def look(ask: Ask, reply: Any) -> None:
        assert ask.check(reply.answer) == reply.answer
        assert not reply.fallback
        assert all(0 <= p <= 1 and seat != ask.seat for seat, p in reply.beliefs.items())

    play(setup, players, look)


TABLES = [("tournament", 10, "zh"), ("extended", 18, "en"), ("homebrew", 17, "zh"), ("japanese", 15, "ja")]


@pytest.mark.parametrize(("ruleset", "size", "lang"), TABLES)
def test_what_is_said_is_what_is_claimed(play: Play, ruleset: str, size: int, lang: str) -> None:
    for seed in range(3):
        setup = deal(ruleset, size, seed=seed, lang=lang)
        players = seats(setup, seed)

        def look(ask: Ask, reply: Any, players: dict[int, Any] = players) -> None:
            if ask.form == "text" and reply.answer:
                day = players[ask.seat].memory_of(ask.seat).day
                heard = set(listen(reply.answer, ask.seat, size, day))
                assert heard == set(reply.claims), reply.answer

        play(setup, players, look)


def test_no_template_comes_twice_in_a_seats_game(play: Play) -> None:
    for ruleset, size, lang in TABLES:
        said: dict[int, list[str]] = {}
        for event in play(deal(ruleset, size, seed=3, lang=lang), seats(deal(ruleset, size, seed=3), 3)).public.said:
            if event.text:
                said.setdefault(event.seat, []).append(event.text)
        for speeches in said.values():
            for lines in book(lang).lines.values():
                for template in lines:
                    assert sum(len(used(template).findall(text)) for text in speeches) <= 1, template


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_speeches_are_seldom_the_same(lang: str) -> None:
    """A small part of what benchmarks/speech_variety.py plays."""
    found = measure(16, lang)
    assert found.speeches > 300
    assert found.share <= 0.02, found.often
    assert found.twice == 0


def any_deck(rng: Random, size: int) -> dict[str, int]:
    """A legal multiset of cards, every kind of card equally likely."""
    cards, deck = roles(), Counter({"werewolf": rng.randint(1, 1 + size // 6)})
    for card in rng.sample(sorted(cards), len(cards)):
        kind = cards[card]
        count = kind.exactly or 1
        free = size - deck.total() + sum(cards[held].brings for held in deck) + kind.brings
        if card not in deck and kind.fewest_seats <= size and count <= free and rng.random() < 0.5:
            deck[card] = count
    deck["villager"] += size - deck.total() + sum(cards[held].brings for held in deck)
    return dict(+deck)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000), st.integers(6, 18))
def test_every_card_of_every_ruleset_is_played(seed: int, size: int) -> None:
    from tests.players.conftest import play

    rng = Random(seed)
    try:
        setup = deal(
            rng.choice(ruleset_ids()), size, deck=any_deck(rng, size), seed=seed, lang=rng.choice(["zh", "en", "ja"])
        )
        Game(setup)
    except SetupError:
        return  # a mixture that the setup refuses

    def look(ask: Ask, reply: Any) -> None:
        assert ask.check(reply.answer) == reply.answer

    play(setup, seats(setup, seed), look)


def test_no_ask_of_the_rulesets_is_left_to_chance() -> None:
    """Every kind of ask that the engine knows and that is put to a seat has a handler, an aim, or words."""
    kinds = set()
    for path in (Path(__file__).parents[2] / "engine").rglob("*.py"):
        kinds |= set(re.findall(r"ask\(\w[\w.]*, \"([a-z-]+\.[a-z-]+)\"", path.read_text("utf-8")))
    words = {f"{kind}.talk" for kind in ("werewolf", "sisters", "brothers")} | {
        "day.speak",
        "day.plea",
        "punishment.plea",
    }
    words |= {"election.speak", "dead.last-words", "stuttering-judge.agree"}
    left = {kind for kind in kinds if not kind.startswith("judge.")} - words - set(HANDLERS) - set(AIMS)
    assert len(kinds) > 25
    assert left <= {"werewolf.explode"}, left


def test_a_player_made_anew_goes_on_the_same(play: Play) -> None:
    setup = deal("tournament", 9, seed=5)
    game = play(setup, seats(setup, 5))
    for after in range(0, len(game.decisions), 7):
        branch = game.branch(after)
        fresh = seats(setup, 5)
        decided = game.decisions[after]
        if hasattr(decided, "answers"):
            for ask in branch.asks:
                reply = fresh[ask.seat].decide(branch.view(ask.seat), ask)
                assert ask.check(reply.answer) == decided.answers[ask.seat]


SWAPS = [(seed, seat) for seed in range(6) for seat in range(1, 10)]


@pytest.mark.parametrize(("seed", "me"), SWAPS)
def test_answers_depend_on_the_view_alone(seed: int, me: int) -> None:
    """Two deals that differ only in cards this seat cannot know give it the same first answers."""
    setup = deal("tournament", 9, seed=seed)
    mine = setup.seats[me - 1]
    hidden = [s for s in range(1, 10) if s != me and not (mine == "werewolf" and setup.seats[s - 1] == "werewolf")]
    cards = [setup.seats[s - 1] for s in hidden]
    Random(seed).shuffle(cards)
    moved = dict(zip(hidden, cards, strict=True))
    other = Setup(
        setup.ruleset,
        tuple(moved.get(s, setup.seats[s - 1]) for s in range(1, 10)),
        setup.seed,
        setup.lang,
    )
    answers = []
    for table in (setup, other):
        game, player, own = Game(table), BuiltinPlayer(seed, "normal", "plain"), []
        while game.asks and game.public.phase in ("setup", "night") and game.public.day <= 1:
            given_now = {}
            for ask in game.asks:
                if ask.seat == me:
                    reply = player.decide(game.view(me), ask)
                    own.append((ask, reply.answer, reply.beliefs))
                    given_now[me] = reply.answer
                else:
                    given_now[ask.seat] = ask.quiet()
            game.answer(given_now)
            if mine == "witch" and own:
                break  # whom the pack bites is hers to know, and may differ
        answers.append(own[:1] if mine == "seer" else own)
    assert answers[0] == answers[1]


def test_unknown_persona_and_level() -> None:
    with pytest.raises(ValueError, match="plain"):
        BuiltinPlayer(persona="shy")
    with pytest.raises(ValueError, match="normal"):
        BuiltinPlayer(level="expert")  # type: ignore[arg-type]  # wrong on purpose
