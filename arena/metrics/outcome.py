"""Metrics of results, powers, survival and reliability (1, 2, 3, 22 to 25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.annotate.tables import SeatRow, Tables
from arena.metrics import bt
from arena.metrics.corpus import Clusters, Corpus, clusters
from arena.metrics.stats import Estimate, bootstrap, bootstrap_mean, sign_flip, wilson


def role_win_rate(corpus: Corpus, agent: str, role: str | None = None, team: str | None = None) -> Estimate:
    """1. Wins / games of an agent by role (or by side, `wolves` or `village`), Wilson interval over games.

    A game in which it held several such seats counts once. Source: Werewolf Arena (Bailis et al. 2024).
    """
    hits = total = 0
    for game in corpus.finished():
        mine = [row for row in game.seats if row.agent_id == agent and (role is None or row.role == role)]
        if team is not None:
            mine = [row for row in mine if row.wolf == (team == "wolves")]
        total += bool(mine)
        hits += any(row.won for row in mine)
    return wilson(hits, total)


class Paired(NamedTuple):
    """A mean difference within pairs, its interval, and the p of the sign-flip test."""

    estimate: Estimate
    p: float


def win_over_reference(corpus: Corpus, agent: str, reference: str) -> Paired:
    """2. Mean of win(agent) - win(reference) in the same deal, seat and opposition; bootstrap and sign-flip by block.

    Opposition: the agents of the other side, seat by seat. Source: duplicate bridge and poker.
    """
    won: dict[tuple[str, str, int, tuple[tuple[int, str], ...]], dict[str, list[float]]] = {}
    for game in corpus.finished():
        for row in game.seats:
            if row.agent_id in (agent, reference):
                key = (game.game.block_id, game.game.lang, row.seat, _others(game, row))
                won.setdefault(key, {}).setdefault(row.agent_id, []).append(float(row.won))
    blocks: Clusters[float] = {}
    for key, by in won.items():
        if agent in by and reference in by:
            difference = sum(by[agent]) / len(by[agent]) - sum(by[reference]) / len(by[reference])
            blocks.setdefault(key[0], []).append(difference)
    return Paired(bootstrap_mean(blocks), sign_flip([sum(rows) for rows in blocks.values()]))


def _others(game: Tables, row: SeatRow) -> tuple[tuple[int, str], ...]:
    """Who sat on the other side; its own side is left out, since there the agents themselves differ."""
    return tuple((other.seat, other.agent_id) for other in game.seats if other.wolf != row.wolf)


def matches(corpus: Corpus) -> list[bt.Match]:
    """The finished games as the rating reads them; games that neither side won are left out."""
    found = []
    for game in corpus.finished():
        winners = game.game.winner.split(",")
        if not {"village", "wolves"} & set(winners):
            continue
        village = Counter(row.agent_id for row in game.seats if not row.wolf)
        wolves = Counter(row.agent_id for row in game.seats if row.wolf)
        board = f"{game.game.ruleset}/{game.game.seats}"
        found.append(bt.Match(board, dict(village), dict(wolves), "village" in winners, game.game.block_id))
    return found


def role_split_bt(corpus: Corpus, *, draws: int = 400) -> bt.Fit:
    """3. logit P(village) = mu_ruleset + mean s^V - mean s^W; see arena.metrics.bt."""
    return bt.fit(matches(corpus), draws=draws)


def skill_use(corpus: Corpus, skill: str, agent: str | None = None) -> Estimate:
    """22. Mean of gain - random legal choice, for checks, saves, poisons and shots.

    gain is 1 for a check, poison or shot on a wolf and for an antidote given to a villager (or kept from a wolf).
    Source: KSR of the Kaggle werewolf environment, corrected for chance.
    """
    rows = (
        (game, deed.gain - deed.chance)
        for game in corpus.games
        for deed in game.deeds
        if deed.skill == skill and corpus.is_mine(deed.game_id, deed.seat, agent)
    )
    return bootstrap_mean(clusters(rows))


def survival(corpus: Corpus, agent: str | None = None, role: str | None = None, horizon: int = 5) -> Estimate:
    """23. Restricted mean days alive: area under the Kaplan-Meier curve up to `horizon` days; games' ends censor.

    Descriptive only: strong villagers die first. Source: Royston and Parmar 2013.
    """
    rows = (
        (game, (row.death_day or game.game.days, row.death_day is not None))
        for game in corpus.games
        for row in game.seats
        if (role is None or row.role == role) and (agent is None or row.agent_id == agent)
    )

    def area(times: Sequence[tuple[int, bool]]) -> float | None:
        return _restricted_mean(list(times), horizon)

    return bootstrap(clusters(rows), area, draws=500)


def _restricted_mean(times: list[tuple[int, bool]], horizon: int) -> float | None:
    if not times:
        return None
    alive, total = 1.0, 0.0
    for day in range(1, horizon + 1):
        at_risk = sum(time >= day for time, _ in times)
        total += alive
        if not at_risk:
            continue
        alive *= 1 - sum(time == day and died for time, died in times) / at_risk
    return total


def night_targeting(corpus: Corpus, agent: str | None = None) -> Estimate:
    """23. Share of bite victims with a power of the village, less its share among the seats that are no wolves.

    agent: whose wolves bit (any of their seats). Source: as metric 22.
    """
    rows: list[tuple[Tables, float]] = []
    for game in corpus.games:
        if agent is not None and not any(row.wolf and row.agent_id == agent for row in game.seats):
            continue
        village = [row for row in game.seats if not row.wolf]
        special = [row for row in village if row.role != "villager"]
        share = len(special) / len(village) if village else 0.0
        bitten = [row for row in village if row.death_cause in ("bite", "caught")]
        rows += [(game, float(row.role != "villager") - share) for row in bitten]
    return bootstrap_mean(clusters(rows))


class Reliability(NamedTuple):
    """Rates over asks (invalid, fallback) and over calls (refusal, timeout); tokens and seconds per game."""

    invalid: Estimate
    fallback: Estimate
    refusal: Estimate
    timeout: Estimate
    tokens_in: float
    tokens_out: float
    seconds: float
    cost: float | None


def reliability(corpus: Corpus, agent: str | None = None) -> Reliability:
    """24. Invalid, fallback, refusal and timeout rates (Wilson), and what a game costs. Source: this design."""
    decisions = [d for g in corpus.games for d in g.decisions if corpus.is_mine(d.game_id, d.seat, agent)]
    calls = [c for g in corpus.games for c in g.calls if corpus.is_mine(c.game_id, c.seat, agent)]
    games = {d.game_id for d in decisions}
    costs = [g.game.cost for g in corpus.games if g.game.game_id in games and g.game.cost is not None]
    n, per = len(decisions), max(1, len(games))
    bad = sum(any(f in ("illegal", "unparsable", "empty") for f in d.faults) for d in decisions)
    return Reliability(
        wilson(bad, n),
        wilson(sum(bool(d.fallback) for d in decisions), n),
        wilson(sum(c.error == "refused" for c in calls), len(calls)),
        wilson(sum(c.error == "late" for c in calls), len(calls)),
        sum(c.tokens_in for c in calls) / per,
        sum(c.tokens_out for c in calls) / per,
        sum(c.latency for c in calls) / per,
        sum(costs) / per if costs else None,
    )


def rubric(corpus: Corpus, layer: str, agent: str | None = None) -> Estimate:
    """25. Mean of an ordinal rubric (misdirection, coherence, language) that a model or a person gave; else nothing.

    Only for layers whose judges reached alpha .80 (arena.annotate.agreement.headline). Source: AIWolfDial.
    """
    rows = []
    for game in corpus.games:
        speaker = {row.utt_id: row.seat for row in game.utterances} | {row.claim_id: row.speaker for row in game.claims}
        for note in game.annotations:
            seat = speaker.get(note.target_id)
            judged = note.layer == layer and note.value is not None and note.kind != "engine"
            if judged and seat and corpus.is_mine(game.game.game_id, seat, agent):
                rows.append((game, note.value or 0.0))
    return bootstrap_mean(clusters(rows))
