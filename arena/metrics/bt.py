"""Role-split Bradley-Terry: how strong each agent is for the village and for the wolves.

logit P(village wins) = mu_ruleset + mean over village seats of s^V - mean over wolf seats of s^W. The skills are fitted
in one batch by a ridge-penalised likelihood and sum to zero within each role, so that mu is the ruleset's balance.
Source: Bradley and Terry 1952; the role split after docs/evaluation.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log1p
from random import Random

import msgspec

from arena.metrics.stats import percentiles

RIDGE = 0.2  # weight of half the squared skills: keeps an agent that won or lost all finite
STEPS = 60
TINY = 1e-9


class Match(msgspec.Struct, frozen=True):
    """A game as the fit sees it: how many seats each agent had in each role, and whether the village won."""

    ruleset: str
    village: dict[str, int]
    wolves: dict[str, int]
    won: bool
    block: str = ""


class Skill(msgspec.Struct, frozen=True):
    """An agent's skill in one role, in logits, and its place (1 the best), both with 95 % intervals."""

    agent: str
    role: str
    value: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int


class Fit(msgspec.Struct, frozen=True):
    """mu: by ruleset. rank, needed: of the design; the skills mean something only where they are equal."""

    mu: dict[str, float]
    skills: tuple[Skill, ...]
    games: int
    rank: int
    needed: int

    @property
    def identified(self) -> bool:
        """Whether village and wolf skill can be told apart by these games."""
        return self.rank == self.needed


class Frame:
    """Columns of the design: a mu for each ruleset, s^V and s^W for each agent."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.rulesets = sorted({match.ruleset for match in matches})
        self.villagers = sorted({agent for match in matches for agent in match.village})
        self.wolves = sorted({agent for match in matches for agent in match.wolves})
        self.width = len(self.rulesets) + len(self.villagers) + len(self.wolves)
        self.needed = len(self.rulesets) + max(0, len(self.villagers) - 1) + max(0, len(self.wolves) - 1)
        self._mu = {name: at for at, name in enumerate(self.rulesets)}
        at = len(self.rulesets)
        self._v = {name: at + n for n, name in enumerate(self.villagers)}
        at += len(self.villagers)
        self._w = {name: at + n for n, name in enumerate(self.wolves)}

    def row(self, match: Match) -> tuple[float, ...]:
        """The match's coefficients."""
        cells = [0.0] * self.width
        cells[self._mu[match.ruleset]] = 1.0
        for places, seats, sign in ((self._v, match.village, 1.0), (self._w, match.wolves, -1.0)):
            total = sum(seats.values())
            for agent, count in seats.items():
                cells[places[agent]] += sign * count / total
        return tuple(cells)

    @property
    def penalised(self) -> range:
        """The columns of skills."""
        return range(len(self.rulesets), self.width)

    @property
    def groups(self) -> tuple[range, range]:
        """The columns of village and of wolf skills; each sums to zero."""
        middle = len(self.rulesets) + len(self.villagers)
        return range(len(self.rulesets), middle), range(middle, self.width)


def fit(matches: Sequence[Match], *, draws: int = 400, seed: int = 1) -> Fit:
    """The fit with bootstrap intervals over blocks. Raises ValueError without games."""
    if not matches:
        raise ValueError("there is no game to rate")
    frame = Frame(matches)
    rows = [frame.row(match) for match in matches]
    best = solve(frame, Counter(zip(rows, (m.won for m in matches), strict=True)))
    blocks: dict[str, list[tuple[tuple[float, ...], bool]]] = {}
    for at, (row, match) in enumerate(zip(rows, matches, strict=True)):
        blocks.setdefault(match.block or str(at), []).append((row, match.won))
    rng, again = Random(f"bt:{seed}"), []
    names = list(blocks)
    for _ in range(draws if len(names) > 1 else 0):
        drawn: Counter[tuple[tuple[float, ...], bool]] = Counter()
        for name in rng.choices(names, k=len(names)):
            drawn.update(blocks[name])
        again.append(solve(frame, drawn, start=best))
    skills = [
        *_skills(frame.villagers, "village", frame.groups[0], best, again),
        *_skills(frame.wolves, "wolves", frame.groups[1], best, again),
    ]
    mu = {name: best[at] for at, name in enumerate(frame.rulesets)}
    return Fit(mu, tuple(skills), len(matches), matrix_rank(set(rows)), frame.needed)


def _skills(
    agents: Sequence[str], role: str, columns: range, best: Sequence[float], again: Sequence[Sequence[float]]
) -> list[Skill]:
    ranks = [_ranks([one[at] for at in columns]) for one in again]
    own = _ranks([best[at] for at in columns])
    found = []
    for number, (agent, at) in enumerate(zip(agents, columns, strict=True)):
        low, high = percentiles([one[at] for one in again]) if again else (best[at], best[at])
        places = percentiles([float(rank[number]) for rank in ranks]) if ranks else (own[number], own[number])
        found.append(Skill(agent, role, best[at], low, high, own[number], int(places[0]), int(places[1] + 0.999)))
    return found


def _ranks(values: Sequence[float]) -> list[int]:
    return [1 + sum(other > value + TINY for other in values) for value in values]


def solve(
    frame: Frame, games: Mapping[tuple[tuple[float, ...], bool], int], start: Sequence[float] | None = None
) -> list[float]:
    """The ridge estimate by Newton's method; skills are centred within their role at the end."""
    width = frame.width
    theta = list(start) if start else [0.0] * width
    penalty = [0.0] * width
    for at in frame.penalised:
        penalty[at] = RIDGE
    for _ in range(STEPS):
        gradient = [-penalty[at] * theta[at] for at in range(width)]
        hessian = [[0.0] * width for _ in range(width)]
        for at in range(width):
            hessian[at][at] = penalty[at] + 1e-4  # mu is held lightly, for campaigns that one side always wins
            gradient[at] -= 1e-4 * theta[at]
        for (row, won), count in games.items():
            p = 1 / (1 + exp(-max(-30.0, min(30.0, sum(x * t for x, t in zip(row, theta, strict=True))))))
            used = [(at, x) for at, x in enumerate(row) if x]
            for at, x in used:
                gradient[at] += count * x * (won - p)
                line = hessian[at]
                for other, y in used:
                    line[other] += count * x * y * p * (1 - p)
        step = linear(hessian, gradient)
        size = max(map(abs, step))
        damp = min(1.0, 4.0 / size) if size else 1.0
        theta = [t + damp * s for t, s in zip(theta, step, strict=True)]
        if size < 1e-8:
            break
    for at, columns in enumerate(frame.groups):
        if columns:
            middle = sum(theta[column] for column in columns) / len(columns)
            for column in columns:
                theta[column] -= middle
            for column in range(len(frame.rulesets)):
                theta[column] += middle if at == 0 else -middle
    return theta


def log_likelihood(frame: Frame, matches: Sequence[Match], theta: Sequence[float]) -> float:
    """Without the penalty."""
    total = 0.0
    for match in matches:
        x = sum(a * b for a, b in zip(frame.row(match), theta, strict=True))
        total -= log1p(exp(-x if match.won else x))
    return total


def linear(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a regular linear system (Gauss, with pivots)."""
    n = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(n):
        pivot = max(range(at, n), key=lambda line: abs(rows[line][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for line in range(at + 1, n):
            factor = rows[line][at] / rows[at][at]
            if factor:
                rows[line] = [a - factor * b for a, b in zip(rows[line], rows[at], strict=True)]
    found = [0.0] * n
    for at in reversed(range(n)):
        found[at] = (rows[at][n] - sum(rows[at][k] * found[k] for k in range(at + 1, n))) / rows[at][at]
    return found


def matrix_rank(rows: set[tuple[float, ...]]) -> int:
    """The rank of the design: how many directions of the parameters the games can tell apart."""
    left = [list(row) for row in rows]
    rank = 0
    width = len(left[0]) if left else 0
    for column in range(width):
        pivot = max(range(rank, len(left)), key=lambda line: abs(left[line][column]), default=-1)
        if pivot < 0 or abs(left[pivot][column]) < TINY:
            continue
        left[rank], left[pivot] = left[pivot], left[rank]
        for line in range(rank + 1, len(left)):
            factor = left[line][column] / left[rank][column]
            if factor:
                left[line] = [a - factor * b for a, b in zip(left[line], left[rank], strict=True)]
        rank += 1
        if rank == len(left):
            break
    return rank
