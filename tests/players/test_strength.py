"""The strength bench: its intervals, and that its numbers come from the games."""

from __future__ import annotations

import pytest

from arena.players_bench import Sides, paired, series, wilson


def test_wilson_interval() -> None:
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)


def test_paired_difference() -> None:
    gain, low, high = paired((True, True, False, True), (False, True, False, True))
    assert gain == 0.25
    assert low < gain < high


def test_a_series_is_the_same_twice_and_hard_beats_random() -> None:
    ours = series("tournament", 9, 12, Sides("hard", "random"), first=0)
    again = series("tournament", 9, 12, Sides("hard", "random"), first=0)
    assert (ours.village, ours.won) == (again.village, again.won)
    assert ours.village >= 9
    assert ours.unfinished == 0
