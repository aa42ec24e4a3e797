"""How many games a claim needs."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist

from arena.metrics.stats import z_of


def games_for_margin(margin: float, level: float = 0.95) -> int:
    """Games for a share near one half with a Wilson interval of +- margin: z^2 / 4m^2 - z^2.

    The half-width at one half is z / (2 sqrt(n + z^2)). Raises ValueError for a margin outside (0, .5).
    """
    if not 0 < margin < 0.5:
        raise ValueError("the margin lies between 0 and .5")
    z = z_of(level)
    return max(1, ceil(z * z / (4 * margin * margin) - z * z))


def pairs_for_difference(
    difference: float, *, p: float = 0.5, rho: float = 0.0, power: float = 0.8, level: float = 0.95
) -> int:
    """Pairs for a difference of two shares on the same deals: (z_a + z_b)^2 2p(1-p)(1-rho) / d^2.

    rho: correlation of results within a deal, from a pilot of 50. Raises ValueError for numbers out of range.
    """
    if not 0 < difference < 1 or not 0 < p < 1 or not -1 <= rho < 1 or not 0.5 <= power < 1:
        raise ValueError("difference and p lie in (0, 1), rho in [-1, 1), power in [.5, 1)")
    both = z_of(level) + NormalDist().inv_cdf(power)
    return ceil(both * both * 2 * p * (1 - p) * (1 - rho) / difference**2)


def margin_of(games: int, level: float = 0.95) -> float:
    """The half-width of the Wilson interval of a share near one half."""
    z = z_of(level)
    return float(z / (2 * (games + z * z) ** 0.5))


def detectable(pairs: int, *, p: float = 0.5, rho: float = 0.0, power: float = 0.8, level: float = 0.95) -> float:
    """The least difference that so many pairs show with this power."""
    both = z_of(level) + NormalDist().inv_cdf(power)
    return float(both * (2 * p * (1 - p) * (1 - rho) / max(1, pairs)) ** 0.5)
