"""The real house: saved games, tables and settings of one folder, without a screen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from pathlib import Path

import pytest

from cli import words
from cli.config import Settings, load
from cli.house import CommandHouse, write_settings
from judge.table import Table
from tui.house import Connection, HouseError, Opened, Plan
from tui.tape import Tape


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandHouse:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TIANHEI_MODEL", "TIANHEI_LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("TIANHEI_HOME", str(tmp_path))
    monkeypatch.setenv("TIANHEI_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setattr("cli.house.ring_key", lambda: None)
    monkeypatch.setattr("cli.house.keep_in_ring", lambda key: False)
    words.begin([], os.environ)  # as a command without --lang begins, whatever was run before in this process
    return CommandHouse(load({"lang": "en"}), os.environ)


async def held(_: object) -> None: ...


async def table_of(opened: Opened) -> Table:
    made = opened.factory(lambda: None, held)
    table = await made if isinstance(made, Awaitable) else made
    assert isinstance(table, Table)
    return table


async def played(opened: Opened, answers: int) -> Table:
    """Quiet answers for all people, so many times."""
    table = await table_of(opened)
    for _ in range(answers):
        asks = await table.run()
        for ask in asks:
            table.submit(ask.seat, ask.quiet())
    return table


async def test_a_game_is_begun_kept_and_gone_on_with(house: CommandHouse) -> None:
    opened = house.begin(Plan(seed=4, me="3", role="witch", lang="en", friends=(5,), sitters={1: "builtin:sly:hard"}))
    assert opened.people == (3, 5)
    table = await played(opened, 2)
    assert table.game.setup.seats[2] == "witch"
    assert "builtin:sly:hard" in {sitter.spec for sitter in table.header.players}
    done = len(table.game.decisions)
    await table.close()
    (game,) = house.games()
    assert (game.name, game.state) == (opened.game, "running")
    again = house.resume(game.name)
    assert again.people == (3, 5)
    table = await table_of(again)
    assert len(table.game.decisions) == done
    await table.close()


async def test_watching_branching_and_records(house: CommandHouse) -> None:
    opened = house.begin(Plan(seed=4, me="none", lang="en"))
    assert opened.people == ()
    table = await table_of(opened)
    await table.run()
    await table.close()
    record = house.record(opened.game)
    tape = Tape(record)
    branch = house.branch(record, 12, 5)
    assert branch.people == (5,)
    table = await table_of(branch)
    assert len(table.game.decisions) == 12
    assert table.game.decisions == tape.game.decisions[:12]
    await table.run()
    assert {ask.seat for ask in table.pending} <= {5}
    await table.close()
    assert {game.state for game in house.games()} == {"finished", "running"}


@pytest.mark.parametrize(
    "plan",
    [
        Plan(seats=30),
        Plan(ruleset="nothing"),
        Plan(options={"no.such": "yes"}),
        Plan(me="3", role="no-such-role"),
        Plan(me="40"),
    ],
)
def test_what_cannot_be_dealt_is_told(house: CommandHouse, plan: Plan) -> None:
    with pytest.raises(HouseError):
        house.begin(plan)


async def test_a_model_seat_without_a_model_is_told(house: CommandHouse) -> None:
    opened = house.begin(Plan(seed=4, me="3", others="model"))
    with pytest.raises(HouseError, match="model"):
        await table_of(opened)


async def test_a_person_judges_alone_and_goes_on_judging(house: CommandHouse) -> None:
    options = {"new-moon": "yes", "little-girl.model": "judge"}
    opened = house.begin(Plan("extended", seed=4, me="none", lang="en", options=options, judge="human"))
    assert opened.people == (0,)
    table = await table_of(opened)
    asks = await table.run()
    assert {ask.seat for ask in asks} <= {0}
    assert table.human_seats == {0}
    await table.close()
    again = house.resume(opened.game)
    assert again.people == (0,)
    for plan in (Plan(judge="human", me="3"), Plan(judge="human", me="none", friends=(2,))):
        with pytest.raises(HouseError, match="every card"):
            house.begin(plan)


async def test_a_model_that_is_to_judge_must_be_named(house: CommandHouse) -> None:
    opened = house.begin(Plan(seed=4, me="3", judge="model"))
    with pytest.raises(HouseError, match="model"):
        await table_of(opened)


def test_what_is_not_there_is_told(house: CommandHouse) -> None:
    for do in (house.resume, house.record):
        with pytest.raises(HouseError):
            do("nothing")


def test_settings_are_kept_and_a_key_never_in_the_file(house: CommandHouse, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('seats = 12\n# mine\nmodel = "old"\n', "utf-8")
    house.keep(Connection('new "model"', "http://127.0.0.1:1/v1"), "sk-secret", "zh")
    text = config.read_text("utf-8")
    assert "sk-secret" not in text
    assert "# mine" in text
    settings = load({})
    assert (settings.model, settings.base_url, settings.seats, settings.lang) == (
        'new "model"',
        "http://127.0.0.1:1/v1",
        12,
        "zh",
    )
    assert house.connection.key == "session"
    assert house.settings.key == "sk-secret"
    house.keep(Connection("", ""), "", "en")
    assert load({}).model is None


def test_settings_that_are_wrong_are_not_kept(house: CommandHouse, tmp_path: Path) -> None:
    with pytest.raises(HouseError):
        house.keep(Connection("m", "not an address"), "", "en")
    assert not (tmp_path / "config.toml").exists()


async def test_a_server_that_is_not_there(house: CommandHouse) -> None:
    async with asyncio.timeout(60):
        with pytest.raises(HouseError) as told:
            await house.check(Connection("m", "http://127.0.0.1:9/v1"), "sk-secret")
    assert "sk-secret" not in str(told.value)


def test_a_setting_inside_a_table_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("[prices.x]\ninput = 1\n", "utf-8")
    write_settings(path, {"model": "a"})
    assert path.read_text("utf-8").startswith('model = "a"\n[prices.x]')
    assert Settings.model_fields


async def test_a_game_is_renamed_and_deleted(house: CommandHouse) -> None:
    table = await played(house.begin(Plan(seed=4, me="3", lang="en")), 2)
    name, done = table.game_id, len(table.game.decisions)
    with pytest.raises(HouseError, match="another window"):
        house.delete(name)
    await table.close()
    with pytest.raises(HouseError, match="cannot be a name"):
        house.rename(name, "../x")
    house.rename(name, "my-game")
    assert [game.name for game in house.games()] == ["my-game"]
    again = await table_of(house.resume("my-game"))
    assert len(again.game.decisions) == done
    assert again.header.game == "my-game"
    await again.close()
    house.delete("my-game")
    assert not house.games()
    with pytest.raises(HouseError):
        house.record("my-game")


async def test_a_name_tells_nothing_of_the_seed(house: CommandHouse) -> None:
    table = await table_of(house.begin(Plan(seed=73219, me="3", lang="en")))
    await table.close()
    assert "73219" not in table.game_id
