"""Metrics of suspicion (6 to 9, 18): how well probabilities find wolves, and how well they mean what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import NamedTuple

from arena.metrics.corpus import Corpus, clusters, undetermined
from arena.metrics.stats import Estimate, auroc, average_precision, bootstrap, bootstrap_mean, logit

BINS = 10
Pair = tuple[float, bool]


def suspicion_auroc(corpus: Corpus, agent: str | None = None) -> Estimate:
    """6. Mean over probes of the AUROC of b against "is a wolf", over living seats whose side is not known for certain.

    .5 is chance. A probe is a village observer's last belief of a day. Source: Hanley and McNeil 1982.
    """
    return _of_probes(corpus, agent, auroc)


def suspicion_ap(corpus: Corpus, agent: str | None = None) -> Estimate:
    """6. Mean over probes of average precision less the share of wolves (chance). Source: Davis and Goadrich 2006."""

    def above(pairs: Sequence[Pair]) -> float | None:
        found = average_precision(pairs)
        return None if found is None else found - sum(y for _, y in pairs) / len(pairs)

    return _of_probes(corpus, agent, above)


def _of_probes(
    corpus: Corpus, agent: str | None, score: Callable[[list[tuple[float, bool]]], float | None]
) -> Estimate:
    rows = []
    for game, row in corpus.probes(agent):
        pairs = undetermined(row)
        if len({y for _, y in pairs}) == 2 and (found := score(pairs)) is not None:
            rows.append((game, found))
    return bootstrap_mean(clusters(rows))


class Murphy(NamedTuple):
    """brier = reliability - resolution + uncertainty, up to the spread within bins."""

    brier: Estimate
    reliability: float
    resolution: float
    uncertainty: float
    skill: float
    """1 - brier / uncertainty: 0 is chance."""


def pairs_of(corpus: Corpus, agent: str | None = None) -> list[Pair]:
    """All (b, wolf) of village probes."""
    return [pair for _, row in corpus.probes(agent) for pair in undetermined(row)]


def brier(corpus: Corpus, agent: str | None = None) -> Murphy | None:
    """7. mean (b - y)^2 with Murphy's (1973) split over BINS bins of equal mass; None without beliefs."""
    rows = [(game, (p - y) ** 2) for game, row in corpus.probes(agent) for p, y in undetermined(row)]
    pairs = pairs_of(corpus, agent)
    if not pairs:
        return None
    base = sum(y for _, y in pairs) / len(pairs)
    reliability = resolution = 0.0
    for one in bins(pairs):
        share = len(one) / len(pairs)
        p, y = sum(p for p, _ in one) / len(one), sum(y for _, y in one) / len(one)
        reliability += share * (p - y) ** 2
        resolution += share * (y - base) ** 2
    found = bootstrap_mean(clusters(rows))
    uncertainty = base * (1 - base)
    skill = 1 - (found.value or 0.0) / uncertainty if uncertainty else 0.0
    return Murphy(found, reliability, resolution, uncertainty, skill)


def bins(pairs: Sequence[Pair], count: int = BINS) -> list[list[Pair]]:
    """Bins of equal mass by b; equal values stay together."""
    ordered = sorted(pairs, key=lambda pair: pair[0])
    found: list[list[Pair]] = []
    at = 0
    while at < len(ordered):
        share = (len(ordered) - at) / max(1, count - len(found))
        end = min(len(ordered), at + max(1, round(share)))
        while end < len(ordered) and ordered[end][0] == ordered[end - 1][0]:
            end += 1
        found.append(ordered[at:end])
        at = end
    return found


def ece(corpus: Corpus, agent: str | None = None) -> Estimate:
    """8. Expected calibration error: sum over 10 equal-mass bins of share x |mean b - share of wolves|.

    Biased upwards in small samples. Source: Naeini et al. 2015, equal mass after Nguyen and O'Connor 2015.
    """
    grouped = clusters((game, pair) for game, row in corpus.probes(agent) for pair in undetermined(row))
    return bootstrap(grouped, ece_of, draws=200)


def ece_of(pairs: Sequence[Pair]) -> float | None:
    """The same of pairs."""
    if not pairs:
        return None
    return sum(abs(sum(p for p, _ in one) - sum(y for _, y in one)) for one in bins(pairs)) / len(pairs)


def calibration_slope(corpus: Corpus, agent: str | None = None) -> Estimate:
    """8. Slope of the logistic regression of y on logit b: 1 is ideal, below 1 overconfident. Source: Cox 1958."""
    grouped = clusters((game, pair) for game, row in corpus.probes(agent) for pair in undetermined(row))
    return bootstrap(grouped, slope_of, draws=100)


def slope_of(pairs: Sequence[Pair]) -> float | None:
    """The same of pairs; None without both kinds or where b never varies."""
    if len({y for _, y in pairs}) < 2 or len({p for p, _ in pairs}) < 2:
        return None
    xs = [logit(p) for p, _ in pairs]
    a = b = 0.0
    for _ in range(25):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, (_, y) in zip(xs, pairs, strict=True):
            p = 1 / (1 + exp(-max(-30.0, min(30.0, a + b * x))))
            w = p * (1 - p)
            g0, g1 = g0 + y - p, g1 + x * (y - p)
            h00, h01, h11 = h00 + w, h01 + w * x, h11 + w * x * x
        h00, h11 = h00 + 1e-6, h11 + 1e-6  # keeps separable data finite
        det = h00 * h11 - h01 * h01
        step_a, step_b = (g0 * h11 - g1 * h01) / det, (g1 * h00 - g0 * h01) / det
        a, b = a + max(-2.0, min(2.0, step_a)), b + max(-2.0, min(2.0, step_b))
        if abs(step_a) + abs(step_b) < 1e-9:
            break
    return b


def talk_gain(corpus: Corpus, agent: str | None = None) -> Estimate:
    """9. mean of log2 b(true wolf set) - log2 h(true wolf set), in bits; 0 is a perfect reasoner that hears no talk.

    b over sets is the seat's joint where it gave one, else its marginals as independent odds over the sets that its
    facts allow. Source: this design, after the speaking reward of Sarkar et al. 2025.
    """
    rows = (
        (game, row.joint_bits - row.hard_bits)
        for game, row in corpus.probes(agent)
        if row.joint_bits is not None and row.hard_bits is not None
    )
    return bootstrap_mean(clusters(rows))


def stealth(corpus: Corpus, agent: str | None = None) -> Estimate:
    """18. 1 - the village's mean suspicion of the agent's living wolves, over probes. Chance is the share of others.

    Source: AvalonBench's deception score, from beliefs.
    """
    rows = []
    for game, row in corpus.probes(None):
        for seat in row.alive:
            p = row.p_wolf[seat - 1]
            if row.wolf[seat - 1] and p is not None and corpus.is_mine(row.game_id, seat, agent):
                rows.append((game, 1 - p))
    return bootstrap_mean(clusters(rows))
