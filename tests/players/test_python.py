"""Seats from the entry point group `tianhei.players`."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.main import run
from engine.asks import Answer, Ask
from engine.setup import deal
from engine.views import View
from judge.record import read_record
from judge.store import Store
from judge.table import Table
from players.base import Reply
from players.factory import SpecError, make_players


class Ten:
    """The seat of docs/players.md."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    def answer(self, view: View, ask: Ask) -> Answer:
        if ask.form == "text":
            return f"I am seat {view.seat}."
        return ask.random(self.rng)


class Slow:
    """A coroutine that says why."""

    def __init__(self, seed: int) -> None:
        pass

    async def answer(self, view: View, ask: Ask) -> Reply:
        return Reply(ask.quiet(), reasoning="as little as may be")


class Broken(Ten):
    def answer(self, view: View, ask: Ask) -> Answer:
        raise RuntimeError("no idea")


class Mute:
    def __init__(self, seed: int) -> None:
        pass


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    here = EntryPoints(
        EntryPoint(name, f"{__name__}:{kind.__name__}", "tianhei.players")
        for name, kind in {"ten": Ten, "slow": Slow, "broken": Broken, "mute": Mute}.items()
    )
    kinds = {"ten": Ten, "slow": Slow, "broken": Broken, "mute": Mute}

    def found(**wanted: Any) -> EntryPoints:
        return here.select(**wanted)

    monkeypatch.setattr("players.python.entry_points", found)
    monkeypatch.setattr(EntryPoint, "load", lambda point: kinds[point.name])


async def test_python_seats_play_a_game_and_a_broken_one_is_marked(tmp_path: Path) -> None:
    setup = deal("tournament", 9, seed=2, lang="en")
    specs = dict.fromkeys(range(1, 10), "builtin") | {1: "python:ten", 2: "python:slow", 3: "python:broken"}
    store = Store(tmp_path)
    table = Table.new(setup, make_players(setup, specs), store)
    await table.run()
    await table.close()
    assert table.result is not None
    assert table.result.status == "finished"
    assert table.course.substituted.keys() == {"error"}
    assert {sitter.spec for sitter in table.header.players} >= {"python:ten", "python:slow"}
    store.close()


@pytest.mark.parametrize("spec", ["python:nobody", "python:mute", "python:"])
def test_what_is_no_seat_is_told(spec: str) -> None:
    with pytest.raises(SpecError):
        make_players(deal("tournament", 9), {1: spec})


def test_the_command_line_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def simulate(players: str) -> int:
        folder = ("--home", str(tmp_path), "-o", str(tmp_path / "out"))
        return run(("simulate", "-n", "1", "--players", players, "--lang", "en", *folder))

    assert simulate("python:ten") == 0
    (path,) = (tmp_path / "out").glob("*.jsonl")
    assert {sitter.spec for sitter in read_record(path).header.players if sitter.seat} == {"python:ten"}
    capsys.readouterr()
    for wrong, word in (("python:nobody", "there are broken, mute, slow, ten"), ("python:", "must be one of")):
        assert simulate(wrong) == 2
        assert word in capsys.readouterr().err
