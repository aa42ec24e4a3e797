"""Metrics of votes (4, 5, 19, 20); nothing here is told without its chance level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from arena.annotate.tables import BallotRow, Tables
from arena.metrics.corpus import Around, Corpus, clusters
from arena.metrics.stats import Estimate, bootstrap_mean


def ballots(corpus: Corpus, agent: str | None, day: int | None = None) -> Iterator[tuple[Tables, BallotRow]]:
    """The village's own ballots in first rounds; fallbacks are not the seat's own and do not count."""
    for game in corpus.games:
        for row in game.ballots:
            mine = row.team == "village" and not row.fallback and row.round == 1 and row.legal
            if mine and (day is None or row.day == day) and corpus.is_mine(row.game_id, row.voter, agent):
                yield game, row


def vote_lift(corpus: Corpus, agent: str | None = None, day: int | None = None) -> Estimate:
    """4. mean[1(vote on a wolf) - W/(A-1)] of village voters; abstaining gives 0. day: that day alone, None for all.

    W: wolves among the legal targets, A - 1: how many those are. Source: IRP of Kaggle werewolf, less chance.
    """
    rows = ((game, float(row.hit) - row.chance if row.target else 0.0) for game, row in ballots(corpus, agent, day))
    return bootstrap_mean(clusters(rows))


def knowledge_adjusted_lift(corpus: Corpus, agent: str | None = None, day: int | None = None) -> Estimate:
    """5. As 4, with chance = mean of h over the legal targets, so that no check is praised. Source: 4."""
    rows = (
        (game, float(row.hit) - row.chance_hard if row.target else 0.0) for game, row in ballots(corpus, agent, day)
    )
    return bootstrap_mean(clusters(rows))


def vote_swing(corpus: Corpus, agent: str | None = None) -> Estimate:
    """19. Share of listeners whose top suspect was another before a call or accusation and is its target after it.

    Source: Foaster's vote swing; provisional votes are the suspicions' maxima.
    """
    rows: list[tuple[Tables, float]] = []
    for game in corpus.games:
        around = Around(game)
        for claim in game.claims:
            if not claim.public or claim.act not in ("accuse", "vote-call") or not claim.target or claim.negated:
                continue
            if not corpus.is_mine(claim.game_id, claim.speaker, agent):
                continue
            for listener in around.listeners():
                beside = around.at(listener, claim.seq) if listener not in (claim.speaker, claim.target) else None
                if beside and beside[0].vote_intent not in (None, claim.target):
                    rows.append((game, float(beside[1].vote_intent == claim.target)))
    return bootstrap_mean(clusters(rows))


def say_do_gap(
    corpus: Corpus, agent: str | None = None, against: Literal["call", "suspect"] = "call", team: str | None = None
) -> Estimate:
    """20. Share of ballots that differ from the voter's last public call or accusation that day, or top suspect.

    Source: opinion leadership (Du and Zhang 2024), made private and public.
    """
    rows: list[tuple[Tables, float]] = []
    for game in corpus.games:
        for ballot in game.ballots:
            ours = corpus.is_mine(ballot.game_id, ballot.voter, agent) and team in (None, ballot.team)
            if not ours or ballot.target is None or ballot.fallback or ballot.round > 1:
                continue
            said = _call(game, ballot) if against == "call" else _suspect(game, ballot)
            if said is not None and said in ballot.legal:
                rows.append((game, float(said != ballot.target)))
    return bootstrap_mean(clusters(rows))


def _call(game: Tables, ballot: BallotRow) -> int | None:
    mine = [
        claim
        for claim in game.claims
        if claim.speaker == ballot.voter and claim.day == ballot.day and claim.public and claim.seq < ballot.seq
    ]
    for act in ("vote-call", "accuse"):
        named = [claim.target for claim in mine if claim.act == act and not claim.negated and claim.target]
        if named:
            return named[-1]
    return None


def _suspect(game: Tables, ballot: BallotRow) -> int | None:
    mine = [row for row in game.beliefs if row.observer == ballot.voter and row.seq <= ballot.seq]
    return mine[-1].vote_intent if mine else None
