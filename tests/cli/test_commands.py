"""The commands do what their help says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.asks import Ask
from engine.views import View
from players.base import Reply
from tests.support.command import Tianhei

COMMANDS = [
    *(
        "play",
        "resume",
        "simulate",
        "games",
        "replay",
        "check",
        "rules",
        "home",
        "serve",
        "host",
        "join",
        "mcp",
        "aiwolf",
    ),
    *("doctor", "bench", "annotate", "export", "evaluate", "plan", "report", "samples", "campaign"),
]
KEYS = {
    "game",
    "seed",
    "status",
    "record",
    "winners",
    "days",
    "decisions",
    "calls",
    "fallbacks",
    "tokens_in",
    "tokens_out",
    "cost",
    "flags",
    "faults",
    "substituted",
    "skipped",
    "reason",
}


def child(*argv: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The command in its own process, as a person runs it."""
    code = "import sys; from cli.main import main; sys.argv[0] = 'tianhei'; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *argv],
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


def test_help_names_the_commands_in_this_order(tianhei: Tianhei) -> None:
    for argv in ([], ["--help"], ["-h"]):
        ran = tianhei(*argv)
        assert ran.code == 0
        listed = ran.out.partition("Commands:\n")[2].partition("\n\n")[0]
        assert [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(tianhei: Tianhei, command: str) -> None:
    ran = tianhei(command, "--help")
    assert ran.code == 0
    assert "Usage: tianhei" in ran.out


def test_help_is_chinese_for_who_reads_chinese(home: Path) -> None:
    for said in (child("--help", LC_ALL="zh_CN.UTF-8"), child("--lang", "zh"), child("play", "-h", "-l", "zh")):
        assert said.returncode == 0
        assert "用法：" in said.stdout
        assert "Options:" not in said.stdout


def test_help_and_rules_load_nothing_heavy(home: Path) -> None:
    heavy = ("openai", "langgraph", "textual", "tiktoken", "judge.table", "tui.app")
    for argv in (["--help"], ["rules"], ["rules", "tournament"]):
        code = (
            f"import sys; from cli.main import run; code = run({argv!r});"
            f"sys.exit(code or [name for name in {heavy!r} if name in sys.modules] or 0)"
        )
        ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr


def test_version(tianhei: Tianhei) -> None:
    ran = tianhei("--version")
    assert (ran.code, ran.out.split()[0]) == (0, "tianhei")


def test_a_pipe_that_closes_early_makes_no_noise(home: Path) -> None:
    code = "from cli.main import main; main()"
    shell = f'"{sys.executable}" -c "{code}" rules tournament | head -n 1'
    ran = subprocess.run(shell, shell=True, check=False, capture_output=True, text=True, timeout=60)
    assert ran.stderr == ""


def test_simulate_prints_one_json_line_per_game(tianhei: Tianhei, home: Path) -> None:
    ran = tianhei("simulate", "-n", "3", "--seed", "5", "--players", "random", "-o", str(home / "out"), "--json")
    assert ran.code == 0
    assert ran.err == ""
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["seed"] for line in lines] == [5, 6, 7]
    for line in lines:
        assert set(line) == KEYS
        assert line["status"] == "finished"
        assert line["winners"]
        assert Path(line["record"]).is_file()


def test_facts_about_seats_and_the_order_of_event_cards_are_taken(tianhei: Tianhei, home: Path) -> None:
    facts = ["--attribute", "3:gender=female", "--attribute", "3:age=31", "--attribute", "4:glasses=yes"]
    order = ["--new-moon", "--event-order", "quiet-2,event.quiet-1"]
    ran = tianhei("simulate", "-n", "1", "--players", "random", *facts, *order, "-o", str(home), "--json")
    assert ran.code == 0
    record = Path(json.loads(ran.out)["record"]).read_text("utf-8").splitlines()
    setup = json.loads(record[0])["setup"]
    assert setup["attributes"] == {"3": {"gender": "female", "age": 31}, "4": {"glasses": True}}
    assert setup["new_moon"] == ["event.quiet-2", "event.quiet-1"]
    cards = [line for line in record if '"event.card"' in line]
    assert "event.quiet-2" in cards[0]


def test_simulate_goes_on_where_it_stopped(tianhei: Tianhei, home: Path) -> None:
    argv = ["simulate", "--players", "random", "-o", str(home), "--json"]
    tianhei(*argv, "-n", "2")
    lines = [json.loads(line) for line in tianhei(*argv, "-n", "3").out.splitlines()]
    assert [line["skipped"] for line in lines] == [True, True, False]


def test_simulate_refuses_a_folder_of_other_tables(tianhei: Tianhei, home: Path) -> None:
    argv = ["simulate", "-n", "1", "--players", "random", "-o", str(home)]
    assert tianhei(*argv).code == 0
    ran = tianhei(*argv, "--option", "witch.self-save=yes")
    assert ran.code == 2
    assert "another folder" in ran.err


def test_simulate_sums_up(tianhei: Tianhei, home: Path) -> None:
    ran = tianhei("simulate", "-n", "2", "--players", "random")
    assert ran.code == 0
    assert "2 of 2 games ended by their rules" in ran.out


def test_games_aligns_wide_columns(tianhei: Tianhei, home: Path) -> None:
    tianhei("simulate", "-n", "2", "--players", "random")
    (home / "records" / "broken.jsonl").write_bytes(b"?\n")
    from rich.cells import cell_len

    ran = tianhei("games", "--lang", "zh")
    assert ran.code == 0
    head, *rows = ran.out.splitlines()
    assert len(rows) == 3
    at = cell_len(head.partition("结果")[0])
    for row in rows:
        cells, wide = 0, 0
        while cells < at:
            cells += cell_len(row[wide])
            wide += 1
        assert cells == at
        assert row[wide - 2 : wide] == "  "
        assert row[wide] != " "
    assert "损坏" in ran.out


def test_games_as_json(tianhei: Tianhei, home: Path) -> None:
    tianhei("simulate", "-n", "1", "--players", "random", "-o", str(home / "other"))
    line = json.loads(tianhei("games", str(home / "other"), "--json").out)
    assert (line["game"], line["state"], line["seats"], line["seed"]) == ("tournament-9-000001", "finished", 9, 1)


def test_no_games_yet(tianhei: Tianhei) -> None:
    ran = tianhei("games")
    assert (ran.code, ran.out) == (0, "")
    assert "tianhei play" in ran.err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_replay_tells_each_viewpoint_only_its_own(tianhei: Tianhei, home: Path, lang: str) -> None:
    tianhei("simulate", "-n", "1", "--seed", "4", "--players", "random", "--lang", lang)
    game = "tournament-9-000004"
    public = tianhei("replay", game, "--lang", lang)
    seat = tianhei("replay", game, "--as", "1", "--lang", lang)
    judge = tianhei("replay", game, "--judge", "--lang", lang)
    assert (public.code, seat.code, judge.code) == (0, 0, 0)
    assert len(public.out.splitlines()) < len(seat.out.splitlines()) < len(judge.out.splitlines())
    assert set(public.out.splitlines()) <= set(judge.out.splitlines())
    assert "\x1b" not in judge.out


def test_a_new_process_reads_what_another_wrote(home: Path) -> None:
    assert child("simulate", "-n", "1", "--players", "builtin", "--lang", "en").returncode == 0
    ran = child("replay", "tournament-9-000001", "--judge", "--lang", "zh")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "号" in ran.stdout


def test_watching_needs_no_terminal_and_keeps_the_game(tianhei: Tianhei, home: Path) -> None:
    ran = tianhei("play", "--me", "none", "--players", "random", "--seed", "3")
    assert ran.code == 0
    name = ran.err.split()[-1]
    (line,) = [json.loads(line) for line in tianhei("games", "--json").out.splitlines()]
    assert (line["game"], line["state"], line["seed"]) == (name, "finished", 3)
    assert tianhei("replay", name).out == ran.out
    over = tianhei("resume", name)
    assert over.code == 2
    assert f"tianhei replay {name}" in over.err


def test_a_stopped_game_goes_on(tianhei: Tianhei, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from players.random import RandomPlayer

    decide, calls = RandomPlayer.decide, iter(range(40))

    def stops(self: RandomPlayer, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return decide(self, view, ask, offers)

    with monkeypatch.context() as patch:
        patch.setattr(RandomPlayer, "decide", stops)
        first = tianhei("play", "--me", "none", "--players", "random", "--seed", "73219")
    assert first.code == 130
    assert "tianhei resume" in first.err
    listed = json.loads(tianhei("games", "--json").out)
    assert (listed["state"], listed["seed"]) == ("unfinished", None), "the deal could be made again from it"
    assert "73219" not in listed["game"]
    second = tianhei("resume")
    assert second.code == 0
    whole = tianhei("play", "--me", "none", "--players", "random", "--seed", "73219")
    assert second.out == whole.out


def test_replay_knows_the_seats(tianhei: Tianhei, home: Path) -> None:
    tianhei("simulate", "-n", "1", "--players", "random")
    ran = tianhei("replay", "tournament-9-000001", "--as", "10")
    assert ran.code == 2
    assert "1 to 9" in ran.err


def test_rules_lists_and_explains(tianhei: Tianhei) -> None:
    assert "tournament" in tianhei("rules").out
    full = tianhei("rules", "tournament").out
    assert "witch.self-save" in full
    card = tianhei("rules", "tournament", "--role", "witch").out
    assert card
    assert len(card) < len(full)


def test_bench_prints_json(tianhei: Tianhei) -> None:
    lines = [json.loads(line) for line in tianhei("bench", "-n", "5", "--json").out.splitlines()]
    assert [(line["ruleset"], line["seats"]) for line in lines] == [("tournament", 9), ("millers-hollow", 18)]
    numbers = lines[0]
    assert numbers["games"] == 5
    assert numbers["games_per_second"] > 0
