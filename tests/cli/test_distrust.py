"""Records, stores and folders that are not what they seem: told, and the rest goes on."""

import errno
import json
import re
import sqlite3
from pathlib import Path

import pytest

from cli import words
from cli.errors import BROKEN, DISK, explain
from judge.store import InUseError
from tests.support.command import Tianhei

HAN = re.compile(r"[一-鿿]")


@pytest.fixture
def record(tianhei: Tianhei, home: Path) -> Path:
    tianhei("simulate", "-n", "1", "--players", "random")
    return home / "records" / "tournament-9-000001.jsonl"


def test_replay_tells_nothing_that_was_not_played(tianhei: Tianhei, record: Path) -> None:
    """Decisions that are legal under other rules make another game; its events betray that."""
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if '"kind":"vote' in line or '"kind":"ballot' in line)
    event = json.loads(lines[at])
    event["event"]["kind"] = "peace"
    lines[at] = re.sub(r'":(\d)', lambda found: f'":{9 - int(found[1])}', lines[at], count=0)
    lines[at] = re.sub(r'^(\{"type":"event","seq":)\d+', rf"\g<1>{event['seq']}", lines[at])
    record.write_text("".join(lines), encoding="utf-8")
    ran = tianhei("replay", str(record))
    assert (ran.code, ran.out) == (BROKEN, "")
    assert f"line {at + 1}" in ran.err


def test_a_record_of_another_schema_is_listed_as_one_that_cannot_be_read(tianhei: Tianhei, record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace('"schema":1', '"schema":2', 1), encoding="utf-8")
    assert json.loads(tianhei("games", "--json").out)["state"] == "broken"
    assert tianhei("replay", str(record)).code == BROKEN


def test_one_broken_game_does_not_hide_the_others(tianhei: Tianhei, home: Path) -> None:
    tianhei("play", "--me", "none", "--players", "random", "--seed", "3")
    db = sqlite3.connect(home / "tables.sqlite")
    with db:
        db.execute("INSERT INTO game VALUES ('bad', 'running', 0, '')")
        db.execute("INSERT INTO line VALUES ('bad', 0, ?)", (b'{"type":"nope"}\n',))
        db.execute("INSERT INTO game VALUES ('bare', 'running', 0, '')")
    db.close()
    states = {line["game"]: line["state"] for line in map(json.loads, tianhei("games", "--json").out.splitlines())}
    (name,) = states.keys() - {"bad", "bare"}
    assert states == {name: "finished", "bad": "broken", "bare": "broken"}
    assert tianhei("replay", name).code == 0
    assert tianhei("play", "--me", "none", "--players", "random").code == 0
    for broken in ("bad", "bare"):
        for command in ("replay", "resume"):
            ran = tianhei(command, broken)
            assert ran.code == BROKEN
            assert f"game {broken}" in ran.err or f"'{broken}'" in ran.err


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENAMETOOLONG, errno.EIO])
def test_whatever_a_disk_says_names_the_place(number: int) -> None:
    words.use("en")
    verdict = explain(OSError(number, "odd", "/x/y"))
    assert verdict.code == DISK
    assert "/x/y" in verdict.line
    assert "name another" in verdict.line


def test_a_home_that_cannot_be_made(tianhei: Tianhei, home: Path) -> None:
    (home / "file").write_text("", encoding="utf-8")
    ran = tianhei("play", "--me", "none", "--players", "random", "--home", str(home / "file"))
    assert ran.code == DISK
    assert "name another" in ran.err


def test_a_game_open_elsewhere_is_told_in_the_language() -> None:
    words.use("zh")
    assert HAN.search(explain(InUseError("g")).line)
    assert not re.search("already being played", explain(InUseError("g")).line)
    words.use("en")
    assert explain(InUseError("g")).code == DISK


def test_a_table_goes_on_in_its_own_language(tianhei: Tianhei, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from judge.table import Table

    async def stops(self: Table) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Table, "run", stops)
        assert tianhei("play", "--me", "none", "--players", "random", "--lang", "zh").code == 130
    (line,) = map(json.loads, tianhei("games", "--json").out.splitlines())
    assert HAN.search(tianhei("resume", line["game"]).out)


def test_the_words_that_resume_a_game_work_as_they_are_told(tianhei: Tianhei, home: Path) -> None:
    from cli.config import load
    from cli.play import resuming

    usual = load({})
    assert resuming(usual, "g", server=True) == "tianhei resume g"
    assert resuming(load({"home": Path("/a b")}), "g", server=False) == "tianhei resume g --home '/a b'"
    told = resuming(load({"model": "m", "base_url": "http://h/v1"}), "g", server=True)
    assert told == "tianhei resume g --base-url http://h/v1"
    assert "secret" not in resuming(load({"model": "m", "base_url": "http://me:secret@h/v1"}), "g", server=True)


def test_a_game_with_models_is_resumed_without_naming_the_model_again(
    tianhei: Tianhei, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.seats import Seater
    from judge.table import Table

    async def stops(self: Table) -> None:
        raise KeyboardInterrupt

    asked: list[str | None] = []
    monkeypatch.setattr(Seater, "check_server", lambda self: asked.append(self.settings.model))
    monkeypatch.setattr(Table, "run", stops)
    assert tianhei("play", "--me", "none", "--model", "stub", "--base-url", "http://127.0.0.1:9/v1").code == 130
    assert tianhei("resume").code == 130
    assert asked == ["stub", "stub"]


@pytest.mark.parametrize(
    "argv",
    [
        ["simulate", "-n", "0"],
        ["simulate", "-n", "x"],
        ["simulate", "--seats", "0"],
        ["simulate", "--parallel", "9999"],
        ["bench", "--seconds", "0"],
        ["bench", "--seconds", "x"],
        ["play", "--model", ""],
    ],
)
def test_a_chinese_reader_is_not_told_in_english_what_a_value_should_be(
    tianhei: Tianhei, monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    said = tianhei(*argv).err
    assert "应" in said
    assert not re.search("[Ii]nput|should|must|valid", said)


def test_every_setting_says_what_it_takes() -> None:
    from cli.config import Settings, _cure

    words.use("zh")
    for field in Settings.model_fields:
        en, zh = _cure(field)
        assert en.startswith("must ")
        assert HAN.search(zh)
