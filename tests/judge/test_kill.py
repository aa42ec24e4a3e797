"""A table whose process is killed again and again loses no answer and asks nothing twice."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from judge.lines import Header
from judge.record import Record, verify
from judge.store import Store

ROOT = Path(__file__).parents[2]
CHAINS = {
    "seats": [f"{what}:{k}" for k in (1, 2, 5, 9) for what in ("asked", "kept")],
    "decisions": [f"{what}:{k}" for k in (1, 2, 4) for what in ("deciding", "decided")],
    "graph": [f"checkpoint:{k}" for k in (1, 2, 3, 4, 5, 6, 8, 11)],
    "any time": [f"time:{ms / 1000}" for ms in (15, 40, 65, 90, 120, 150)],
}


def play(folder: Path, points: list[str]) -> tuple[Record, list[list[str]], int]:
    """The record, the log and how many processes were killed."""
    folder.mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "tests.judge.kill_child", str(folder), *points],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    store = Store(folder)
    record = store.record("game")
    store.close()
    return record, [line.split() for line in (folder / "log").read_text().splitlines()], int(run.stdout)


@pytest.fixture(scope="module")
def unkilled(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return play(tmp_path_factory.mktemp("whole") / "game", [])[0]


@pytest.mark.parametrize("chain", list(CHAINS))
def test_killed_tables_go_on(chain: str, unkilled: Record, tmp_path: Path) -> None:
    points = CHAINS[chain]
    record, log, killed = play(tmp_path / "game", points)
    assert killed == len(points), "every process was to be killed"
    assert record.raw[1:] == unkilled.raw[1:]
    assert isinstance(record.lines[0], Header)
    assert record.header.setup == unkilled.header.setup
    verify(record)
    kept: set[tuple[str, str]] = set()
    for what, *key in log:
        if what == "kept":
            kept.add((key[0], key[1]))
        elif what == "asked":
            assert (key[0], key[1]) not in kept, f"decision {key[0]}, seat {key[1]} was asked after it had replied"
    again = sum(count - 1 for count in Counter(tuple(line) for line in log if line[0] == "asked").values())
    assert again <= 8 * killed, "only calls that were under way when the process died are made again"


def test_nothing_is_asked_twice_without_a_kill(unkilled: Record, tmp_path: Path) -> None:
    _, log, _ = play(tmp_path / "game", [])
    assert max(Counter(map(tuple, log)).values()) == 1
    asked = [line for line in log if line[0] == "asked"]
    assert len(asked) == sum(len(a.calls) for line in unkilled.decisions for a in line.asked)
