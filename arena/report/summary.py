"""The numbers of a report, computed once from annotated games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.annotate.tables import LABELS, Tables
from arena.metrics import beliefs, bt, honesty, outcome, votes
from arena.metrics.corpus import Corpus
from arena.metrics.stats import Estimate, holm, wilson

SKILLS = ("check", "save", "poison", "shot")


class Row(NamedTuple):
    """An agent's headline. Every estimate has its interval; lift, auroc, skill scores are told against chance."""

    agent: str
    village_wins: Estimate
    wolf_wins: Estimate
    lift: Estimate
    adjusted: Estimate
    auroc: Estimate
    brier_skill: float | None
    talk_gain: Estimate
    stealth: Estimate
    hard_lies: Estimate
    soft_lies: Estimate
    omission: Estimate
    swing: Estimate
    gap: Estimate
    reliability: outcome.Reliability


class Versus(NamedTuple):
    """An agent against the reference in the same deals and seats. p: adjusted by Holm over all agents."""

    agent: str
    reference: str
    gain: Estimate
    p: float


class Summary(NamedTuple):
    """A report's contents. labels: by agent and team. matrix: by (village, wolves) the share that the village won."""

    name: str
    games: int
    failed: int
    blocks: int
    langs: tuple[str, ...]
    fit: bt.Fit | None
    rows: tuple[Row, ...]
    versus: tuple[Versus, ...]
    labels: dict[tuple[str, str], Counter[str]]
    matrix: dict[tuple[str, str], Estimate]
    seats: dict[int, Estimate]
    curve: tuple[tuple[str, tuple[tuple[float, float, int], ...]], ...]
    skills: dict[tuple[str, str], Estimate]
    detection: dict[str, honesty.Detection]
    by_lang: dict[str, Estimate]


def summarise(games: Iterable[Tables], name: str, reference: str | None = None, draws: int = 300) -> Summary:
    """Everything a report shows. reference: the agent that the others are paired with; the last by name without."""
    corpus = Corpus(games)
    agents = corpus.agents
    matches = outcome.matches(corpus)
    return Summary(
        name,
        len(corpus.games),
        sum(game.game.status != "finished" for game in corpus.games),
        len({game.game.block_id for game in corpus.games}),
        tuple(sorted({game.game.lang for game in corpus.games})),
        bt.fit(matches, draws=draws) if matches else None,
        tuple(_row(corpus, agent) for agent in agents),
        _versus(corpus, agents, reference),
        _labels(corpus),
        _matrix(corpus),
        _seats(corpus),
        tuple((agent, _curve(corpus, agent)) for agent in agents if beliefs.pairs_of(corpus, agent)),
        {(agent, skill): outcome.skill_use(corpus, skill, agent) for agent in agents for skill in SKILLS},
        {agent: honesty.lie_detection(corpus, agent) for agent in agents},
        _by_lang(corpus),
    )


def _row(corpus: Corpus, agent: str) -> Row:
    murphy = beliefs.brier(corpus, agent)
    return Row(
        agent,
        outcome.role_win_rate(corpus, agent, team="village"),
        outcome.role_win_rate(corpus, agent, team="wolves"),
        votes.vote_lift(corpus, agent),
        votes.knowledge_adjusted_lift(corpus, agent),
        beliefs.suspicion_auroc(corpus, agent),
        murphy.skill if murphy else None,
        beliefs.talk_gain(corpus, agent),
        beliefs.stealth(corpus, agent),
        honesty.hard_lie_rate(corpus, agent, "wolves"),
        honesty.soft_lie_rate(corpus, agent, "village"),
        honesty.omission_rate(corpus, agent, "village"),
        votes.vote_swing(corpus, agent),
        votes.say_do_gap(corpus, agent, team="village"),
        outcome.reliability(corpus, agent),
    )


def _versus(corpus: Corpus, agents: Sequence[str], reference: str | None) -> tuple[Versus, ...]:
    base = reference if reference is not None and reference in agents else agents[-1] if agents else ""
    pairs = [(agent, outcome.win_over_reference(corpus, agent, base)) for agent in agents if agent != base]
    adjusted = holm([paired.p for _, paired in pairs])
    return tuple(Versus(agent, base, paired.estimate, p) for (agent, paired), p in zip(pairs, adjusted, strict=True))


def _labels(corpus: Corpus) -> dict[tuple[str, str], Counter[str]]:
    found: dict[tuple[str, str], Counter[str]] = {}
    for _, row in corpus.claims():
        if row.label != "NONE":
            found.setdefault((corpus.agent(row.game_id, row.speaker), row.team), Counter())[row.label] += 1
    return found


def _matrix(corpus: Corpus) -> dict[tuple[str, str], Estimate]:
    """Village wins where each side is all one agent."""
    counts: dict[tuple[str, str], list[bool]] = {}
    for match in outcome.matches(corpus):
        if len(match.village) == len(match.wolves) == 1:
            key = (next(iter(match.village)), next(iter(match.wolves)))
            counts.setdefault(key, []).append(match.won)
    return {key: wilson(sum(won), len(won)) for key, won in sorted(counts.items())}


def _seats(corpus: Corpus) -> dict[int, Estimate]:
    """By seat the share of games that its holder won."""
    won: dict[int, list[bool]] = {}
    for game in corpus.finished():
        for row in game.seats:
            won.setdefault(row.seat, []).append(row.won)
    return {seat: wilson(sum(rows), len(rows)) for seat, rows in sorted(won.items())}


def _curve(corpus: Corpus, agent: str) -> tuple[tuple[float, float, int], ...]:
    """(mean b, share of wolves, how many) of each bin."""
    return tuple(
        (sum(p for p, _ in one) / len(one), sum(y for _, y in one) / len(one), len(one))
        for one in beliefs.bins(beliefs.pairs_of(corpus, agent))
    )


def _by_lang(corpus: Corpus) -> dict[str, Estimate]:
    """The village's vote lift in each language, never pooled."""
    langs = sorted({game.game.lang for game in corpus.games})
    return {lang: votes.vote_lift(Corpus(g for g in corpus.games if g.game.lang == lang)) for lang in langs}


def skill_of(fit: bt.Fit | None, agent: str, role: str) -> bt.Skill | None:
    """The agent's fitted skill, if there is one."""
    if fit is None:
        return None
    return next((skill for skill in fit.skills if (skill.agent, skill.role) == (agent, role)), None)


__all__ = ["LABELS", "Row", "Summary", "Versus", "skill_of", "summarise"]
