"""Agreement of annotators: Cohen's and Fleiss' kappa, Krippendorff's alpha, precision and recall by class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

Distance = Callable[[Hashable, Hashable], float]


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """kappa = (p_o - p_e) / (1 - p_e), Cohen 1960: agreement of two annotators above chance.

    None where chance agreement is complete. Raises ValueError for lists of different length or none.
    """
    if len(first) != len(second) or not first:
        raise ValueError("kappa takes two lists of labels of the same items")
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    left, right = Counter(first), Counter(second)
    expected = sum(left[label] * right[label] for label in left) / n**2
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def fleiss_kappa(items: Sequence[Sequence[Hashable]]) -> float | None:
    """Fleiss 1971: many annotators, the same number for each item. None where chance agreement is complete.

    Raises ValueError for items without at least two labels each, or with different numbers of them.
    """
    raters = {len(item) for item in items}
    if len(raters) != 1 or min(raters) < 2:
        raise ValueError("Fleiss' kappa takes the same number of labels, two at least, for every item")
    n = raters.pop()
    counts = [Counter(item) for item in items]
    observed = sum((sum(k * k for k in count.values()) - n) / (n * (n - 1)) for count in counts) / len(items)
    totals: Counter[Hashable] = sum(counts, Counter())
    expected = sum((k / (n * len(items))) ** 2 for k in totals.values())
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def nominal(a: Hashable, b: Hashable) -> float:
    """0 for equal labels, else 1."""
    return float(a != b)


def krippendorff_alpha(items: Sequence[Sequence[Hashable]], *, order: Sequence[Hashable] | None = None) -> float | None:
    """alpha = 1 - D_o / D_e, Krippendorff 2011; items may have any number of labels, those with one do not count.

    order: the labels from least to most, for ordinal data; nominal without. None where nothing can be compared.
    """
    units = [Counter(item) for item in items if len(item) > 1]
    totals: Counter[Hashable] = sum(units, Counter())
    n = sum(totals.values())
    distance = nominal if order is None else _ordinal(order, totals)
    if n < 2:
        return None
    observed = sum(_spread(unit, distance) / (sum(unit.values()) - 1) for unit in units) / n
    expected = _spread(totals, distance) / (n * (n - 1))
    return 1 - observed / expected if expected else None


def _spread(counts: Counter[Hashable], distance: Distance) -> float:
    return sum(counts[a] * counts[b] * distance(a, b) for a in counts for b in counts if a != b)


def _ordinal(order: Sequence[Hashable], totals: Counter[Hashable]) -> Distance:
    at = {label: number for number, label in enumerate(order)}

    def distance(a: Hashable, b: Hashable) -> float:
        low, high = sorted((at[a], at[b]))
        between = sum(totals[label] for label in order[low : high + 1])
        return (between - (totals[a] + totals[b]) / 2) ** 2

    return distance


class ClassScore(NamedTuple):
    """Of one label against a reference. prevalence: its share in the reference."""

    precision: float | None
    recall: float | None
    prevalence: float


def by_class(reference: Sequence[str], given: Sequence[str]) -> Mapping[str, ClassScore]:
    """Precision, recall and prevalence by label."""
    n, found = len(reference), dict[str, ClassScore]()
    for label in sorted({*reference, *given}):
        both = sum(a == b == label for a, b in zip(reference, given, strict=True))
        said, real = given.count(label), reference.count(label)
        found[label] = ClassScore(both / said if said else None, both / real if real else None, real / n)
    return found


def headline(alpha: float | None) -> str:
    """What a label with this alpha may be used for: headline, exploratory or drop (Krippendorff's .80 and .667)."""
    if alpha is None or alpha < 0.667:
        return "drop"
    return "headline" if alpha >= 0.8 else "exploratory"
