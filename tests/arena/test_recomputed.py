"""Five metrics worked out again from the records' JSON and the formulas alone: nothing of arena.metrics is used here.

1 win rate, 4 vote lift, 6 AUROC, 7 Brier score, 22 checks against random legal choice.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from arena.campaign.plan import record_path
from arena.design.config import Config
from arena.design.run import Evaluation
from arena.metrics import beliefs, outcome, votes
from arena.metrics.corpus import Corpus

Raw = list[dict[str, Any]]
AGENTS = [{"id": "hard", "player": "builtin:hard"}, {"id": "easy", "player": "builtin:easy"}]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    made = Evaluation(
        Config.model_validate({"name": "again", "deals": 3, "seed": 77, "agents": AGENTS}),
        tmp_path_factory.mktemp("again"),
    )
    made.run(lambda _: None)
    return made


def raw_games(campaign: Evaluation) -> Iterator[tuple[dict[int, str], Raw]]:
    """Who sat where, and the record's lines."""
    for game in campaign.plan.games():
        lines = record_path(campaign.folder, game.id).read_text(encoding="utf-8").splitlines()
        yield dict(enumerate(game.seated, 1)), [json.loads(line) for line in lines]


def wolves_of(lines: Raw) -> set[int]:
    return {seat for seat, card in enumerate(lines[0]["setup"]["seats"], 1) if card == "werewolf"}


def asked(lines: Raw) -> Iterator[tuple[int, dict[str, Any], int]]:
    """(line number, ask with its answer, day), of decisions as they came."""
    day = 0
    for at, line in enumerate(lines):
        if line["type"] == "event" and line["event"]["kind"] == "phase":
            day = line["event"]["number"] or day
        if line["type"] == "decision":
            for one in [
                *line.get("asked", ()),
                *line.get("aside", ()),
                *([line["reaction"]] if "reaction" in line else []),
            ]:
                yield at, one, day


def visible(lines: Raw, seat: int, before: int) -> Iterator[dict[str, Any]]:
    for line in lines[:before]:
        if line["type"] == "event" and (line["to"] == "all" or seat in line["to"]):
            yield line["event"]


def unsure(lines: Raw, seat: int, before: int) -> set[int]:
    """Living others whose side the seat's own facts leave open, by counting every possible pack."""
    size = len(lines[0]["setup"]["seats"])
    known: dict[int, bool] = {}
    alive = set(range(1, size + 1))
    for event in visible(lines, seat, before):
        if event["kind"] in ("role.dealt", "revealed"):
            known[event["seat"]] = event["role"] == "werewolf"
        elif event["kind"] == "seer.result":
            known[event["seat"]] = event["result"] == "bad"
        elif event["kind"] == "dawn":
            alive -= set(event["seats"])
        elif event["kind"] == "eliminated":
            alive.discard(event["seat"])
    count = len(wolves_of(lines))
    packs = [
        set(pack)
        for pack in combinations(range(1, size + 1), count)
        if all((other in pack) == wolf for other, wolf in known.items())
    ]
    return {s for s in alive - {seat} if 0 < sum(s in pack for pack in packs) < len(packs)}


def last_probes(lines: Raw) -> dict[tuple[int, int], list[tuple[float, bool]]]:
    """By (villager, day): its last beliefs about seats that are open to it."""
    wolves = wolves_of(lines)
    found = {}
    for at, one, day in asked(lines):
        seat, told = one["ask"]["seat"], one.get("beliefs", {})
        if seat and seat not in wolves and told:
            open_ones = unsure(lines, seat, at)
            found[seat, day] = [(p, int(s) in wolves) for s, p in told.items() if int(s) in open_ones]
    return found


def test_win_rate(campaign: Evaluation) -> None:
    corpus = Corpus(campaign.tables())
    for agent in ("hard", "easy"):
        hits = games = 0
        for seated, lines in raw_games(campaign):
            mine = {seat for seat, who in seated.items() if who == agent} - wolves_of(lines)
            if mine and lines[-1]["status"] == "finished":
                games += 1
                hits += "village" in lines[-1]["winners"]
        found = outcome.role_win_rate(corpus, agent, team="village")
        assert (found.n, found.value) == (games, hits / games)


def test_vote_lift(campaign: Evaluation) -> None:
    corpus = Corpus(campaign.tables())
    for agent in ("hard", "easy"):
        gains = []
        for seated, lines in raw_games(campaign):
            wolves, rounds = wolves_of(lines), set[tuple[int, int]]()
            for _, one, day in asked(lines):
                ask = one["ask"]
                if ask["kind"] != "day.vote" or ask["seat"] in wolves or seated[ask["seat"]] != agent:
                    continue
                if (ask["seat"], day) in rounds:
                    continue  # the ballot after a tie is of the second round
                rounds.add((ask["seat"], day))
                legal = [s for s in range(1, 10) if ask["seats"] >> s & 1 and s != ask["seat"]]
                target = one.get("answer")
                gains.append((target in wolves) - len(wolves & set(legal)) / len(legal) if target else 0.0)
        found = votes.vote_lift(corpus, agent)
        assert found.n == len(gains)
        assert found.value == pytest.approx(sum(gains) / len(gains), abs=1e-12)


def test_auroc_and_brier(campaign: Evaluation) -> None:
    areas, squares = [], []
    for _, lines in raw_games(campaign):
        for pairs in last_probes(lines).values():
            squares += [(p - wolf) ** 2 for p, wolf in pairs]
            good = [p for p, wolf in pairs if not wolf]
            bad = [p for p, wolf in pairs if wolf]
            if good and bad:
                wins = sum((b > g) + 0.5 * (b == g) for b in bad for g in good)
                areas.append(wins / len(bad) / len(good))
    corpus = Corpus(campaign.tables())
    found = beliefs.suspicion_auroc(corpus)
    assert found.n == len(areas)
    assert found.value == pytest.approx(sum(areas) / len(areas), abs=1e-12)
    murphy = beliefs.brier(corpus)
    assert murphy is not None
    assert murphy.brier.n == len(squares)
    assert murphy.brier.value == pytest.approx(sum(squares) / len(squares), abs=1e-12)


def test_checks(campaign: Evaluation) -> None:
    gains = []
    for _, lines in raw_games(campaign):
        wolves = wolves_of(lines)
        for _, one, _ in asked(lines):
            if one["ask"]["kind"] == "seer.check" and one.get("answer"):
                legal = [s for s in range(1, 10) if one["ask"]["seats"] >> s & 1]
                gains.append((one["answer"] in wolves) - len(wolves & set(legal)) / len(legal))
    found = outcome.skill_use(Corpus(campaign.tables()), "check")
    assert found.n == len(gains)
    assert found.value == pytest.approx(sum(gains) / len(gains), abs=1e-12)
