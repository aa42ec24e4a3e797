"""Schedules that are balanced, power that matches the table, and campaigns that lose and repeat nothing."""

from collections import Counter
from pathlib import Path

import pytest

from arena.design.config import Config, ConfigError, load_config
from arena.design.power import detectable, games_for_margin, margin_of, pairs_for_difference
from arena.design.run import Campaign, CampaignError
from arena.design.schedule import latin, plan, wolf_seats
from arena.metrics.corpus import Corpus
from arena.metrics.outcome import matches, role_split_bt
from judge.record import read_record, verify

AGENTS = [{"id": "hard", "player": "builtin:hard"}, {"id": "random", "player": "random"}]


def config(**changes: object) -> Config:
    return Config.model_validate({"name": "t", "deals": 3, "agents": AGENTS, **changes})


def test_power_is_the_table() -> None:
    assert [games_for_margin(m) for m in (0.1, 0.05)] == [93, 381]
    assert [pairs_for_difference(0.1, rho=rho) for rho in (0, 0.2, 0.4)] == [393, 314, 236]
    assert [pairs_for_difference(0.05, rho=rho) for rho in (0, 0.2, 0.4)] == [1570, 1256, 942]
    assert margin_of(93) == pytest.approx(0.1, abs=1e-3)
    assert detectable(393) == pytest.approx(0.1, abs=1e-3)
    with pytest.raises(ValueError, match="margin"):
        games_for_margin(0)


def test_matrix_plays_every_pair_on_every_deal() -> None:
    games = plan(config(langs=["zh", "en"]))
    assert len(games) == 3 * 2 * 4
    assert len({game.game_id for game in games}) == 24
    assert len({game.block for game in games}) == 3  # languages share a block
    for game in games:
        wolves = wolf_seats(game.setup)
        assert len({game.agents[seat - 1] for seat in wolves}) == 1
        assert len({game.agents[seat - 1] for seat in range(1, 10) if seat not in wolves}) == 1


def test_fill_in_changes_one_seat_and_turns_it() -> None:
    games = plan(config(schedule="fill-in", panel="random", deals=9))
    seats = Counter(seat for game in games for seat, agent in game.seated.items() if agent == "hard")
    assert seats == dict.fromkeys(range(1, 10), 1)


def test_latin_seats_everybody_everywhere() -> None:
    square = list(latin(["a", "b", "c"], 9))
    for seat in range(9):
        assert {row[seat] for row in square} == {"a", "b", "c"}


def test_the_plan_follows_from_the_configuration() -> None:
    assert plan(config()) == plan(config())
    assert {game.game_id for game in plan(config())}.isdisjoint(game.game_id for game in plan(config(name="other")))


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first = Campaign(config(), tmp_path / "a")

    class Stop(Exception):
        pass

    def stop(_: object, __: str) -> None:
        if len(first.left) == 7:
            raise Stop

    with pytest.raises(Stop):
        first.run(stop)
    stamps = {path: path.stat().st_mtime_ns for path in first.games.iterdir()}
    told: list[str] = []
    again = Campaign(config(), tmp_path / "a")
    again.run(lambda game, _: told.append(game.game_id))
    assert len(told) == 7
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())
    whole = Campaign(config(), tmp_path / "b")
    whole.run(lambda *_: None)
    for game in whole.plan:
        assert again.path(game).read_bytes() == whole.path(game).read_bytes()
        verify(read_record(whole.path(game)))
    with pytest.raises(CampaignError):
        Campaign(config(deals=4), tmp_path / "a")


def test_a_stubbed_model_plays_and_is_rated(tmp_path: Path) -> None:
    agents = [*AGENTS, {"id": "stub", "player": "stub"}]
    campaign = Campaign(config(deals=1, agents=agents), tmp_path)
    states: list[str] = []
    campaign.run(lambda _, status: states.append(status))
    assert states == ["finished"] * 9
    corpus = Corpus(campaign.tables())
    calls = [call for game in corpus.games for call in game.calls]
    assert calls
    assert {corpus.agent(call.game_id, call.seat) for call in calls} == {"stub"}
    assert len(matches(corpus)) == 9
    assert role_split_bt(corpus, draws=10).identified


def test_mistakes_are_told(tmp_path: Path) -> None:
    for text, message in (
        ('name = "x"', "agents"),
        ('name = "x"\n[[agents]]\nid = "a"\nplayer = "model"', "needs `model`"),
        ('name = "x"\nschedule = "fill-in"\n[[agents]]\nid = "a"\nplayer = "random"', "panel"),
        ("name = ", "Invalid value"),
    ):
        path = tmp_path / "c.toml"
        path.write_text(text)
        with pytest.raises(ConfigError, match=message):
            load_config(path)
