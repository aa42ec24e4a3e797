"""`tianhei campaign`: planned, played, looked at, merged and checked; mistakes are told in one line."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.command import Tianhei

GAME = ("--deck", "werewolf=2,seer=1,villager=3", "--seats", "6", "--players", "random")


def test_a_campaign_is_planned_played_and_checked(tianhei: Tianhei, tmp_path: Path) -> None:
    folder = str(tmp_path / "trial")
    ran = tianhei("campaign", "run", folder, "-n", "6", "-w", "1", *GAME)
    assert ran.code == 0, ran.err
    assert "6 of 6 games done" in ran.out
    again = tianhei("campaign", "run", folder, "--json")
    assert json.loads(again.out)["totals"]["finished"] == 6
    assert "6 局中已完成 6 局" in tianhei("campaign", "status", folder, "--lang", "zh").out
    checked = tianhei("campaign", "verify", folder, "--json")
    assert (checked.code, json.loads(checked.out)["findings"]) == (0, [])
    record = next((tmp_path / "trial" / "games").glob("??/*"))
    record.write_bytes(record.read_bytes() + b"\n")
    broken = tianhei("campaign", "verify", folder)
    assert broken.code == 1
    assert record.stem in broken.out


def test_parts_come_together(tianhei: Tianhei, tmp_path: Path) -> None:
    parts = [str(tmp_path / name) for name in "ab"]
    for at, part in enumerate(parts, 1):
        assert tianhei("campaign", "run", part, "-n", "6", "--shard", f"{at}/2", "-w", "1", *GAME).code == 0
    whole = str(tmp_path / "all")
    assert "6 games came" in tianhei("campaign", "merge", whole, *parts).out
    assert tianhei("campaign", "verify", whole).code == 0


def test_a_pause_is_for_the_running_process_and_resume_goes_on(tianhei: Tianhei, tmp_path: Path) -> None:
    folder = str(tmp_path / "trial")
    assert tianhei("campaign", "run", folder, "-n", "2", "-w", "1", *GAME).code == 0
    assert tianhei("campaign", "pause", folder).code == 0
    assert "paused" in tianhei("campaign", "status", folder).out
    assert tianhei("campaign", "resume", folder).code == 0
    assert "paused" not in tianhei("campaign", "status", folder).out


def test_mistakes_are_told_in_one_line(tianhei: Tianhei, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    folder = str(tmp_path / "trial")
    for words, says in (
        (("status", folder), "there is no campaign here"),
        (("run", folder), "give -n to plan one"),
        (("run", folder, "-n", "3", "--shard", "3/2", *GAME), "--shard takes K/N"),
        (("run", folder, "-n", "3", "--seats", "99"), "--seats"),
        (("run", folder, "-n", "3", "--model-cost", "gpt", *GAME), "--model-cost takes MODEL=N"),
    ):
        ran = tianhei("campaign", *words)
        assert ran.code in (2, 3)
        assert says in ran.err
        assert ran.err.count("\n") == 1
    assert not (tmp_path / "trial").exists()
    assert tianhei("campaign", "run", folder, "-n", "2", "-w", "1", *GAME).code == 0
    assert "another plan" in tianhei("campaign", "run", folder, "-n", "3", *GAME).err
    assert "pip install ray" in tianhei("campaign", "resume", folder, "--ray", "auto").err
    (tmp_path / "trial" / "plan.json").write_text("{")
    assert tianhei("campaign", "verify", folder).code == 3
