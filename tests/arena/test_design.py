"""Schedules that are balanced, power that matches the table, and campaigns that lose and repeat nothing."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from arena.annotate.game import block_id
from arena.campaign.ledger import Ledger
from arena.campaign.plan import CampaignError, Planned, record_path
from arena.campaign.verify import verify
from arena.design.config import Config, ConfigError, load_config
from arena.design.power import detectable, games_for_margin, margin_of, pairs_for_difference
from arena.design.run import Evaluation
from arena.design.schedule import latin, wolf_seats
from arena.metrics.corpus import Corpus
from arena.metrics.outcome import matches, role_split_bt

AGENTS = [{"id": "hard", "player": "builtin:hard"}, {"id": "random", "player": "random"}]


def config(**changes: object) -> Config:
    return Config.model_validate({"name": "t", "deals": 3, "agents": AGENTS, **changes})


def plan(wanted: Config) -> list[Planned]:
    return list(wanted.plan().games())


def findings(folder: Path) -> list[object]:
    ledger = Ledger(folder, write=False)
    found = list(verify(ledger))
    ledger.close()
    return list(found)


def test_power_is_the_table() -> None:
    assert [games_for_margin(m) for m in (0.1, 0.05)] == [93, 381]
    assert [pairs_for_difference(0.1, rho=rho) for rho in (0, 0.2, 0.4)] == [393, 314, 236]
    assert [pairs_for_difference(0.05, rho=rho) for rho in (0, 0.2, 0.4)] == [1570, 1256, 942]
    assert margin_of(93) == pytest.approx(0.1, abs=1e-3)
    assert detectable(393) == pytest.approx(0.1, abs=1e-3)
    with pytest.raises(ValueError, match="margin"):
        games_for_margin(0)


def test_matrix_plays_every_pair_on_every_deal() -> None:
    whole = config(langs=["zh", "en"]).plan()
    games = list(whole.games())
    assert len(games) == 3 * 2 * 4
    assert len({game.id for game in games}) == 24
    assert len({block_id(whole.setup(game)) for game in games}) == 3  # languages share a block
    for game in games:
        wolves = wolf_seats(whole.setup(game))
        assert len({game.seated[seat - 1] for seat in wolves}) == 1
        assert len({game.seated[seat - 1] for seat in range(1, 10) if seat not in wolves}) == 1


def test_fill_in_changes_one_seat_and_turns_it() -> None:
    games = plan(config(schedule="fill-in", panel="random", deals=9))
    seats = Counter(seat for game in games for seat, agent in enumerate(game.seated, 1) if agent == "hard")
    assert seats == dict.fromkeys(range(1, 10), 1)


def test_latin_seats_everybody_everywhere() -> None:
    square = list(latin(["a", "b", "c"], 9))
    for seat in range(9):
        assert {row[seat] for row in square} == {"a", "b", "c"}


def test_the_plan_follows_from_the_configuration() -> None:
    assert plan(config()) == plan(config())
    assert {game.id for game in plan(config())}.isdisjoint(game.id for game in plan(config(name="other")))


def test_an_evaluation_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first, told = Evaluation(config(), tmp_path / "a"), list[str]()

    class Stop(Exception):
        pass

    def stop(_: object) -> None:
        told.append("")
        if len(told) == 5:
            raise Stop

    with pytest.raises(Stop):
        first.run(stop)
    left = first.left()
    assert 0 < left <= 7
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "a" / "games").rglob("*.jsonl")}
    told.clear()
    again = Evaluation(config(), tmp_path / "a")
    assert not again.run(lambda end: told.append(end.game)).stopped
    assert len(told) == left
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    whole = Evaluation(config(), tmp_path / "b")
    whole.run(lambda _: None)
    for game in whole.plan.games():
        one, other = (record_path(tmp_path / name, game.id).read_bytes() for name in "ab")
        assert one == other
    assert not findings(tmp_path / "a")
    with pytest.raises(CampaignError):
        Evaluation(config(deals=4), tmp_path / "a")


def test_replicates_of_built_in_players_are_not_the_same_game(tmp_path: Path) -> None:
    twice = Evaluation(config(deals=1, replicates=2, agents=AGENTS[:1]), tmp_path)
    twice.run(lambda _: None)
    one, other = (record_path(tmp_path, game.id).read_bytes().splitlines()[1:] for game in twice.plan.games())
    assert one != other


def test_a_stubbed_model_plays_and_is_rated(tmp_path: Path) -> None:
    agents = [*AGENTS, {"id": "stub", "player": "stub"}]
    evaluation = Evaluation(config(deals=1, agents=agents), tmp_path)
    states: list[str] = []
    evaluation.run(lambda end: states.append(end.outcome))
    assert states == ["finished"] * 9
    assert not findings(tmp_path)
    corpus = Corpus(evaluation.tables())
    calls = [call for game in corpus.games for call in game.calls]
    assert calls
    assert {corpus.agent(call.game_id, call.seat) for call in calls} == {"stub"}
    assert len(matches(corpus)) == 9
    assert role_split_bt(corpus, draws=10).identified


def test_without_talk_nobody_is_heard_and_games_end_all_the_same(tmp_path: Path) -> None:
    agents = [AGENTS[0], {"id": "stub", "player": "stub"}]
    silent = Evaluation(config(deals=1, agents=agents, talk=False), tmp_path)
    silent.run(lambda _: None)
    for game in silent.tables():
        assert game.game.status == "finished"
        assert not [row for row in game.utterances if row.channel == "public" and row.text]
        assert not [row for row in game.claims if row.public]
        assert game.beliefs
    assert not findings(tmp_path)


def test_models_are_probed_in_a_fork_before_they_vote(tmp_path: Path) -> None:
    agents = [AGENTS[0], {"id": "stub", "player": "stub"}]
    plain = Evaluation(config(deals=1, agents=agents), tmp_path / "plain")
    forked = Evaluation(config(deals=1, agents=agents, probe=True), tmp_path / "forked")
    ids = [{game.id for game in evaluation.plan.games()} for evaluation in (plain, forked)]
    assert len(ids[0] & ids[1]) == 1  # only the game without a model is the same
    for evaluation in (plain, forked):
        evaluation.run(lambda _: None)
    probed = 0
    for before, after in zip(plain.tables(), forked.tables(), strict=True):
        assert not [row for row in before.beliefs if row.method == "fork"]
        probes = {(row.seq, row.observer) for row in after.beliefs if row.method == "fork"}
        assert probes <= {(row.seq, row.voter) for row in after.ballots}
        probed += len(probes)
        # The probe changes nothing in the game: stand-ins answer by what they are asked, and they were asked the same.
        said = [[(row.seat, row.text) for row in game.utterances] for game in (before, after)]
        votes = [[(row.day, row.voter, row.target) for row in game.ballots] for game in (before, after)]
        assert (said[0], votes[0]) == (said[1], votes[1])
    assert probed
    assert not findings(tmp_path / "forked")


STUBS = [{"id": name, "player": "stub", "price_input": 1.0, "price_output": 1.0} for name in ("dear", "cheap")]


def test_a_cap_of_an_agent_stops_it_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    def run(cap: float) -> tuple[str, float]:
        agents = [{**STUBS[0], "max_cost": cap}, STUBS[1]]
        evaluation = Evaluation(config(deals=1, agents=agents, parallel=2), tmp_path)
        report = evaluation.run(lambda _: None)
        with closing(Ledger(tmp_path, write=False)) as ledger:
            return report.stopped, ledger.spent().get("dear", (0, 0.0))[1]

    stopped, spent = run(0.02)
    assert "for dear has no room" in stopped
    assert 0 < spent <= 0.02
    stopped, more = run(100.0)
    assert not stopped
    assert more > spent
    assert not findings(tmp_path)
    costs = [tables.game.cost for tables in Evaluation(config(deals=1, agents=STUBS), tmp_path).tables()]
    assert all(cost is not None and cost > 0 for cost in costs)


def test_a_game_that_spent_its_cap_ends_and_is_tried_again_for_the_rest_alone(tmp_path: Path) -> None:
    def run(cap: float | None, again: bool) -> tuple[str, int]:
        evaluation = Evaluation(config(deals=1, agents=STUBS[:1], max_cost_per_game=cap), tmp_path)
        ends: list[str] = []
        evaluation.run(lambda end: ends.append(end.outcome), again=again)
        with closing(Ledger(tmp_path, write=False)) as ledger:
            return ends[0], ledger.totals().answers

    assert run(0.02, again=False)[0] == "unfinished"
    (first,) = list((tmp_path / "games").rglob("*.jsonl"))
    asked = [line for line in first.read_bytes().splitlines() if b'"calls":[' in line]
    outcome, answers = run(None, again=True)
    assert outcome == "finished"
    assert answers > len(asked) > 0
    assert len(list((tmp_path / "attempts").iterdir())) == 1
    assert first.read_bytes().splitlines()[1 : len(asked)] == [*lines(tmp_path / "attempts")][1 : len(asked)]
    assert not findings(tmp_path)


def lines(folder: Path) -> list[bytes]:
    (path,) = folder.iterdir()
    return path.read_bytes().splitlines()


def test_mistakes_are_told(tmp_path: Path) -> None:
    for text, message in (
        ('name = "x"', "agents"),
        ('name = "x"\n[[agents]]\nid = "a"\nplayer = "model"', "needs `model`"),
        ('name = "x"\nschedule = "fill-in"\n[[agents]]\nid = "a"\nplayer = "random"', "panel"),
        ('name = "x"\nmax_cost = 1\n[[agents]]\nid = "a"\nplayer = "stub"', "needs price_input"),
        ("name = ", "Invalid value"),
    ):
        path = tmp_path / "c.toml"
        path.write_text(text)
        with pytest.raises(ConfigError, match=message):
            load_config(path)
