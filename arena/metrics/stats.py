"""Intervals and tests, in plain Python: Wilson, cluster bootstrap, sign-flip, Holm, areas under curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import log, sqrt
from random import Random
from statistics import NormalDist
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
DRAWS = 2000
EXACT = 14  # up to so many pairs every flip of signs is counted


class Estimate(NamedTuple):
    """A number with its 95 % interval and what it rests on. value: None where nothing can be said."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    clusters: int = 0


def z_of(level: float) -> float:
    """The two-sided normal quantile."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(hits: float, total: int, level: float = 0.95) -> Estimate:
    """Score interval of a share (Wilson 1927). Without an event the upper end is 3/n (rule of three), as told."""
    if not total:
        return Estimate(None, None, None, 0)
    z = z_of(level)
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(share, 0.0 if not hits else low, min(1.0, 3 / total) if not hits else high, total, total)


def bootstrap(
    clusters: Mapping[Any, Sequence[T]] | Sequence[Sequence[T]],
    statistic: Callable[[Sequence[T]], float | None],
    *,
    draws: int = DRAWS,
    level: float = 0.95,
    seed: int = 1,
) -> Estimate:
    """Percentile interval from redrawing whole clusters (deals, blocks), never the rows within them."""
    groups = list(clusters.values()) if isinstance(clusters, Mapping) else list(clusters)
    rows = [row for group in groups for row in group]
    value = statistic(rows) if rows else None
    if value is None or len(groups) < 2:
        return Estimate(value, None, None, len(rows), len(groups))
    rng, found = Random(f"bootstrap:{seed}"), []
    for _ in range(draws):
        again = statistic([row for group in rng.choices(groups, k=len(groups)) for row in group])
        if again is not None:
            found.append(again)
    return Estimate(value, *percentiles(found, level), len(rows), len(groups))


def bootstrap_mean(
    clusters: Mapping[Any, Sequence[float]], *, draws: int = DRAWS, level: float = 0.95, seed: int = 1
) -> Estimate:
    """As `bootstrap` of the mean, from the sums of the clusters alone."""
    sums = [(sum(rows), len(rows)) for rows in clusters.values() if rows]
    total = sum(n for _, n in sums)
    if not total:
        return Estimate(None, None, None, 0)
    value = sum(s for s, _ in sums) / total
    if len(sums) < 2:
        return Estimate(value, None, None, total, len(sums))
    rng, found = Random(f"bootstrap:{seed}"), []
    for _ in range(draws):
        drawn = rng.choices(sums, k=len(sums))
        found.append(sum(s for s, _ in drawn) / sum(n for _, n in drawn))
    return Estimate(value, *percentiles(found, level), total, len(sums))


def percentiles(found: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The ends of the middle `level` of these numbers, with linear interpolation."""
    ordered = sorted(found)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        below = int(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

    return at((1 - level) / 2), at((1 + level) / 2)


def sign_flip(differences: Sequence[float], *, draws: int = 10_000, seed: int = 1) -> float:
    """Two-sided p of a mean difference within pairs: how often flipped signs give as large a mean (Fisher 1935).

    Exact for up to EXACT pairs that differ, else from seeded draws with the observed one counted.
    """
    moved = [d for d in differences if d]
    if not moved:
        return 1.0
    seen = abs(sum(moved)) - 1e-12
    if len(moved) <= EXACT:
        signs = product((1, -1), repeat=len(moved))
        sums = [abs(sum(s * d for s, d in zip(sign, moved, strict=True))) for sign in signs]
        return sum(total >= seen for total in sums) / len(sums)
    rng, hits = Random(f"flip:{seed}"), 1
    for _ in range(draws):
        bits = rng.getrandbits(len(moved))
        hits += abs(sum(d if bits >> at & 1 else -d for at, d in enumerate(moved))) >= seen
    return hits / (draws + 1)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values of several tests (Holm 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    adjusted, worst = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = worst
    return tuple(adjusted)


def auroc(scored: Sequence[tuple[float, bool]]) -> float | None:
    """P(a positive scores above a negative), ties half (Mann and Whitney 1947). None without both kinds."""
    positives = sum(y for _, y in scored)
    negatives = len(scored) - positives
    if not positives or not negatives:
        return None
    ordered, total, at = sorted(scored), 0.0, 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        rank = (at + end + 1) / 2
        total += rank * sum(y for _, y in ordered[at:end])
        at = end
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


def average_precision(scored: Sequence[tuple[float, bool]]) -> float | None:
    """Sum over thresholds of (recall step) x precision; ties count as one threshold. None without positives."""
    positives = sum(y for _, y in scored)
    if not positives:
        return None
    ordered = sorted(scored, key=lambda pair: -pair[0])
    total = hits = 0.0
    at = 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        new = sum(y for _, y in ordered[at:end])
        hits += new
        total += new / positives * hits / end
        at = end
    return total


def logit(p: float, edge: float = 0.005) -> float:
    """Log-odds, of a probability kept off 0 and 1 by `edge`."""
    p = min(1 - edge, max(edge, p))
    return log(p / (1 - p))


def mean(values: Sequence[float]) -> float | None:
    """The mean, None of nothing."""
    return sum(values) / len(values) if values else None
