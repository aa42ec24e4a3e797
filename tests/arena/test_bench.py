"""The benchmark measures what it says, quickly enough to be trusted."""

from itertools import count
from random import Random

import msgspec
import pytest

from arena.bench import bench_engine, profile_engine, random_game
from engine.setup import deal


def test_numbers_hang_together() -> None:
    numbers = bench_engine(games=10, batches=2)
    assert (numbers.games, numbers.batches, numbers.seats) == (10, 2, 9)
    assert numbers.us_per_game == pytest.approx(1e6 / numbers.games_per_second)
    assert numbers.spread[0] <= numbers.games_per_second <= numbers.spread[1]
    assert numbers.decisions_per_game > 20
    assert numbers.events_per_game > 20
    assert numbers.replays_per_second > 0
    assert numbers.us_per_view > 0
    assert msgspec.json.decode(msgspec.json.encode(numbers), type=type(numbers)) == numbers


def test_a_time_budget_is_kept() -> None:
    assert bench_engine(seconds=0.05, batches=2).games >= 2


@pytest.mark.parametrize(("games", "seconds"), [(0, None), (None, 0.0), (-1, None)])
def test_an_empty_budget_is_refused(games: int | None, seconds: float | None) -> None:
    with pytest.raises(ValueError, match="at least one game"):
        bench_engine(games=games, seconds=seconds)


def test_random_games_end_and_repeat() -> None:
    for seed in count(1):
        setup = deal("tournament", 9, seed=seed)
        (one, answers), (two, _) = (random_game(setup, Random(5)) for _ in range(2))
        assert one.outcome is not None
        assert answers > 0
        assert one.events == two.events
        if seed == 5:
            break


def test_profile_names_functions() -> None:
    assert "answer" in profile_engine(games=2)
