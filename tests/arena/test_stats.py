"""Intervals and tests against published or exact numbers."""

from random import Random

import pytest

from arena.metrics.stats import (
    auroc,
    average_precision,
    bootstrap,
    bootstrap_mean,
    holm,
    percentiles,
    sign_flip,
    wilson,
)


def test_wilson() -> None:
    # Newcombe 1998, method 3: 81 of 263 gives .2553 to .3662; 15 of 148 gives .0624 to .1605
    for hits, n, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        found = wilson(hits, n)
        assert found.low == pytest.approx(low, abs=1e-4)
        assert found.high == pytest.approx(high, abs=1e-4)
    assert wilson(0, 30).high == 0.1
    assert wilson(0, 0).value is None


def test_sign_flip_is_exact_for_few_pairs() -> None:
    assert sign_flip([1, 1, 1, 1]) == 2 / 16
    assert sign_flip([1, -1]) == 1.0
    assert sign_flip([]) == 1.0
    assert sign_flip([0.0, 0.0]) == 1.0
    assert sign_flip([1.0] * 30) < 0.001


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([]) == ()


def test_auroc_and_average_precision() -> None:
    scored = [(0.1, False), (0.4, False), (0.35, True), (0.8, True)]
    assert auroc(scored) == 0.75
    assert average_precision(scored) == pytest.approx(0.8333333)
    assert auroc([(0.5, True), (0.5, False)]) == 0.5
    assert auroc([(0.5, True)]) is None


def test_bootstrap_redraws_clusters_not_rows() -> None:
    """Equal rows within a cluster: the interval is as wide as that of the cluster means, whatever their number."""
    rng = Random(2)
    means = [rng.random() for _ in range(40)]
    one = bootstrap_mean({at: [m] for at, m in enumerate(means)})
    many = bootstrap_mean({at: [m] * 50 for at, m in enumerate(means)})
    assert one.low == pytest.approx(many.low)
    assert one.high == pytest.approx(many.high)
    assert many.n == 2000
    general = bootstrap([[m] for m in means], lambda rows: sum(rows) / len(rows))
    assert general.low == pytest.approx(one.low, abs=0.01)


def test_coverage_of_the_bootstrap() -> None:
    rng, covered = Random(5), 0
    for run in range(200):
        rows = {at: [rng.gauss(0, 1) + shift for _ in range(4)] for at in range(30) for shift in [rng.gauss(0, 1)]}
        found = bootstrap_mean(dict(rows), draws=300, seed=run)
        assert found.low is not None
        assert found.high is not None
        covered += found.low < 0 < found.high
    assert 0.88 <= covered / 200 <= 0.99


def test_percentiles() -> None:
    assert percentiles([float(n) for n in range(101)]) == pytest.approx((2.5, 97.5))
