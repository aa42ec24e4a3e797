"""One clear line for every mistake, in the person's language, and nothing lost."""

import errno
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from cli import errors, words
from cli.errors import BROKEN, DISK, FAULT, MODEL, STOPPED, USAGE, Problem, explain
from tests.support.command import Tianhei

HAN = re.compile(r"[一-鿿]")

MISTAKES: list[tuple[list[str], str]] = [
    (["plya"], "plya"),
    (["play", "--sets", "9"], "--seats"),
    (["play", "--ruleset", "tournamnt"], "tournament"),
    (["play", "--ruleset", "nonsense"], "tournament"),
    (["play", "--role", "wolf"], "werewolf"),
    (["play", "--role", "piper"], "werewolf"),
    (["play", "--seats", "8"], "9"),
    (["play", "--seats", "0"], "--seats"),
    (["play", "--seats", "many"], "--seats"),
    (["play", "--me", "10"], "9"),
    (["play", "--me", "nobody"], "random"),
    (["play", "--me", "none", "--role", "seer"], "--role"),
    (["play", "--deck", "giant"], "standard"),
    (["play", "--deck", "wolf=3,villager=6"], "werewolf"),
    (["play", "--deck", "werewolf=x,villager=6"], "werewolf="),
    (["play", "--deck", "werewolf=3,villager=5"], "8"),
    (["play", "--deck", "werewolf=9"], "--deck"),
    (["play", "--deck", "villager=9"], "--deck"),
    (["play", "--seats", "30", "--deck", "werewolf=5,villager=25"], "18"),
    (["play", "--option", "witch.selfsave=yes"], "witch.self-save"),
    (["play", "--option", "witch.self-save"], "ID="),
    (["play", "--option", "witch.self-save=often"], "first-night"),
    (["play", "--option", "talk.rounds=99"], "talk.rounds"),
    (["play", "--new-moon", "--attribute", "3gender"], "--attribute"),
    (["play", "--new-moon", "--attribute", "30:gender=male"], "9"),
    (["play", "--new-moon", "--event-order", "burrial"], "event.burial"),
    (["play", "--event-order", "burial"], "new-moon"),
    (["play", "--players", "dogs"], "builtin"),
    (["play", "--base-url", "nowhere"], "http://"),
    (["play", "--players", "model"], "--model"),
    (["play"], "simulate"),
    (["play", "--lang", "fr"], "zh"),
    (["resume"], "tianhei play"),
    (["resume", "nothing"], "tianhei play"),
    (["replay", "nothing"], "tianhei games"),
    (["replay"], "GAME"),
    (["games", "no-such-folder"], "no-such-folder"),
    (["rules", "tournamnt"], "tournament"),
    (["rules", "--role", "seeer"], "seer"),
    (["simulate", "-n", "0"], "-n"),
    (["simulate", "--players", "model"], "--model"),
    (["simulate", "--parallel", "0", "--players", "random"], "--parallel"),
    (["bench", "--seconds", "0"], "--seconds"),
]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("argv", "cure"), MISTAKES, ids=lambda row: " ".join(row) if isinstance(row, list) else "")
def test_a_mistake_is_told_in_one_line_with_its_cure(
    tianhei: Tianhei, monkeypatch: pytest.MonkeyPatch, argv: list[str], cure: str, lang: str
) -> None:
    monkeypatch.setenv("LC_ALL", f"{lang}_XX.UTF-8")
    ran = tianhei(*argv)
    assert ran.code == USAGE
    assert ran.out == ""
    assert ran.err.startswith("tianhei: ")
    assert ran.err.count("\n") == 1
    assert cure in ran.err
    assert bool(HAN.search(ran.err)) == (lang == "zh")
    assert "Traceback" not in ran.err


def test_lang_flag_decides_the_language_of_mistakes(tianhei: Tianhei) -> None:
    assert HAN.search(tianhei("play", "--ruleset", "x", "--lang", "zh").err)
    assert HAN.search(tianhei("--lang=zh", "play", "--ruleset", "x").err)
    assert not HAN.search(tianhei("play", "--ruleset", "x").err)


def test_broken_config_stops_everything_that_reads_it(tianhei: Tianhei, home: Path) -> None:
    (home / "config.toml").write_text("seats = \n", encoding="utf-8")
    ran = tianhei("play")
    assert ran.code == BROKEN
    assert "config.toml" in ran.err
    assert "line 1" in ran.err


BROKEN_RECORDS = {
    "empty": b"",
    "binary": b"\x00\xff\xfe\n",
    "prose": b"once upon a time\n",
    "no-header": b'{"type":"result","status":"finished"}\n',
    "future": b'{"type":"header","schema":99}\n',
    "escape": b'{"type":"header","schema":1,"\x1b[31m":1}\n',
}


@pytest.mark.parametrize("name", sorted(BROKEN_RECORDS))
def test_broken_record_names_its_file(tianhei: Tianhei, home: Path, name: str) -> None:
    path = home / f"{name}.jsonl"
    path.write_bytes(BROKEN_RECORDS[name])
    ran = tianhei("replay", str(path))
    assert ran.code == BROKEN
    assert ran.err.count("\n") == 1
    assert path.name in ran.err
    assert "\x1b" not in ran.err
    assert path.read_bytes() == BROKEN_RECORDS[name]


def test_broken_store_is_told_and_kept(tianhei: Tianhei, home: Path) -> None:
    path = home / "tables.sqlite"
    path.write_bytes(b"this is no database, but somebody's only copy of something" * 40)
    before = path.read_bytes()
    for command in ("resume", "games"):
        ran = tianhei(command)
        assert ran.code in (BROKEN, DISK)
        assert ran.err.count("\n") == 1
        assert "tables.sqlite" in ran.err
    assert path.read_bytes() == before


def test_broken_case_file(tianhei: Tianhei, home: Path) -> None:
    path = home / "case.yaml"
    path.write_text("- case: [\n", encoding="utf-8")
    ran = tianhei("check", str(path))
    assert ran.code != 0
    assert "case.yaml" in ran.err
    assert "Traceback" not in ran.err


def test_folder_that_cannot_be_made(tianhei: Tianhei, home: Path) -> None:
    (home / "file").write_text("", encoding="utf-8")
    ran = tianhei("simulate", "-n", "1", "--players", "random", "-o", str(home / "file"))
    assert ran.code == DISK
    assert ran.err.count("\n") == 1
    assert str(home / "file") in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_standard_output_on_a_full_disk(home: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-c", "from cli.main import main; main()", "rules"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert ran.returncode == DISK
    assert "disk is full" in ran.stderr
    assert ran.stderr.count("\n") == 1


# ---------------------------------------------------------------- exceptions to verdicts


class AuthenticationError(Exception):
    """As the client's own, known by its name and module alone."""


AuthenticationError.__module__ = "openai._exceptions"


@pytest.mark.parametrize(
    ("error", "code", "cure"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DISK, "free some space"),
        (sqlite3.OperationalError("database or disk is full"), DISK, "free some space"),
        (sqlite3.OperationalError("database is locked"), DISK, "close it"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), DISK, "another file or folder"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), MODEL, "--base-url"),
        (AuthenticationError("no"), MODEL, "OPENAI_API_KEY"),
        (KeyboardInterrupt(), STOPPED, "tianhei resume"),
        (RuntimeError("odd\x1b[31m\nnews"), FAULT, "TIANHEI_DEBUG"),
        (json.JSONDecodeError("odd", "x", 0), BROKEN, "JSON"),
        (Problem("do this", "这样做"), USAGE, "do this"),
    ],
)
def test_verdicts(error: BaseException, code: int, cure: str) -> None:
    words.use("en")
    verdict = explain(error)
    assert verdict.code == code
    assert cure in verdict.line
    assert not re.search(r"[\x00-\x1f]", verdict.line)
    words.use("zh")
    assert HAN.search(explain(error).line)


def test_a_closed_pipe_is_silent() -> None:
    assert explain(BrokenPipeError()) == errors.Verdict("", 141)
