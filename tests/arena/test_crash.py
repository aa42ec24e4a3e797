"""A campaign that is killed at a model call loses no reply and plays no game twice."""

import json
import subprocess
import sys
from pathlib import Path

from judge.record import read_record, verify

ROOT = Path(__file__).parents[2]


def played(folder: Path, dies: int) -> tuple[int, int]:
    """Exit code and calls."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(ROOT / "tests/arena/kill_child.py"), str(folder), str(dies)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        timeout=300,
        check=False,
    )
    return done.returncode, int(json.loads(done.stdout)["calls"]) if done.stdout else 0


def calls_in(path: Path) -> int:
    """Calls that the record keeps."""
    decisions = read_record(path).decisions
    every = [
        one for line in decisions for one in (*line.asked, *line.aside, *([line.reaction] if line.reaction else []))
    ]
    return sum(len(one.calls) for one in every)


def test_killed_at_any_call(tmp_path: Path) -> None:
    code, whole = played(tmp_path / "whole", 0)
    assert code == 0
    assert whole > 50
    expected = {path.name for path in (tmp_path / "whole" / "games").rglob("*.jsonl")}
    assert len(expected) == 4
    for dies in (whole // 3, whole - 1):
        folder = tmp_path / str(dies)
        assert played(folder, dies)[0] == -9
        code, again = played(folder, 0)
        assert code == 0
        found = sorted((folder / "games").rglob("*.jsonl"), key=lambda path: path.name)
        assert [path.name for path in found] == sorted(expected)
        for path in found:
            record = read_record(path)
            verify(record)
            assert record.result is not None
            assert record.result.status == "finished"
        # every answer stands in a record, but for the calls that were under way at the kill
        assert 0 <= (dies - 1 + again) - sum(map(calls_in, found)) <= 20
        assert not list((folder / "games").rglob("*.part"))
