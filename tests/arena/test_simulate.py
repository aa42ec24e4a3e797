"""Many games: records that are whole, found again, and never overwritten by another table's."""

import errno
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from arena.shelf import entries, find, peek
from arena.simulate import Line, OtherGame, simulate, simulate_models
from engine.setup import Setup, deal
from judge.record import RecordError, RecordWriter, read_record, verify
from players.base import Player
from players.random import RandomPlayer


class Seats:
    """Random players, and how often a table was seated."""

    def __init__(self, kind: str = "random") -> None:
        self.kind, self.tables = kind, 0

    def __call__(self, setup: Setup) -> Mapping[int, Player]:
        self.tables += 1
        players = {seat: RandomPlayer(setup.seed * 100 + seat) for seat in range(1, setup.size + 1)}
        for player in players.values():
            player.kind = player.spec = self.kind
        return players


def boards(*seeds: int, seats: int = 9) -> list[Setup]:
    return [deal("tournament", seats, seed=seed, lang="en") for seed in seeds]


def test_every_game_has_a_record_that_verifies(tmp_path: Path) -> None:
    lines = list(simulate(boards(1, 2), Seats(), tmp_path / "new" / "folder"))
    assert [line.status for line in lines] == ["finished", "finished"]
    for line in lines:
        record = read_record(Path(line.record))
        assert verify(record).outcome is not None
        assert record.result is not None
        assert (record.result.winners, record.result.days) == (line.winners, line.days)


def test_same_seed_same_record(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        list(simulate(boards(3), Seats(), tmp_path / folder))
    a, b = (next((tmp_path / folder).iterdir()).read_bytes() for folder in ("a", "b"))
    assert a == b


def test_finished_games_are_skipped_with_the_same_line(tmp_path: Path) -> None:
    first = list(simulate(boards(1, 2), Seats(), tmp_path))
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = list(simulate(boards(1, 2, 3), Seats(), tmp_path))
    assert [line.skipped for line in again] == [True, True, False]
    for old, new in zip(first, again, strict=False):
        assert (old.winners, old.days, old.decisions, old.calls) == (new.winners, new.days, new.decisions, new.calls)
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in stamps.items())


def test_stopping_leaves_whole_records_only(tmp_path: Path) -> None:
    games: Iterator[object] = iter(simulate(boards(1, 2, 3), Seats(), tmp_path))
    next(games)
    del games
    assert [entry.state for entry in entries(tmp_path)] == ["finished"]
    (tmp_path / "tournament-9-000002.jsonl.999999999.part").write_bytes(b'{"half')
    assert [line.skipped for line in simulate(boards(1, 2), Seats(), tmp_path)] == [True, False]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".jsonl", ".jsonl"]


def test_an_interrupt_in_a_game_keeps_the_earlier_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    games = simulate(boards(1, 2), Seats(), tmp_path)
    next(games)
    monkeypatch.setattr(RandomPlayer, "decide", stopped)
    with pytest.raises(KeyboardInterrupt):
        next(games)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["tournament-9-000001.jsonl"]
    assert [line.skipped for line in simulate(boards(1, 2), Seats(), tmp_path)] == [True, False]


def test_other_settings_are_not_overwritten(tmp_path: Path) -> None:
    list(simulate(boards(1), Seats(), tmp_path))
    other = [deal("tournament", 9, seed=1, lang="en", options={"witch.self-save": "yes"})]
    with pytest.raises(OtherGame):
        list(simulate(other, Seats(), tmp_path))
    with pytest.raises(OtherGame):
        list(simulate(boards(1), Seats("scripted"), tmp_path))


def test_a_full_disk_ends_with_an_error_and_no_debris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: RecordWriter, lines: object) -> None:
        raise RecordError("the disk is full") from OSError(errno.ENOSPC, "No space left on device")

    games = simulate(boards(1, 2), Seats(), tmp_path)
    next(games)
    monkeypatch.setattr(RecordWriter, "write", full)
    with pytest.raises(RecordError):
        next(games)
    assert [path.name for path in tmp_path.iterdir()] == ["tournament-9-000001.jsonl"]


def test_a_fault_in_the_rules_fails_one_game_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.game import Game

    answer, broken = Game.answer, boards(1)[0]

    def faulty(self: Game, answers: Mapping[int, object]) -> None:
        if self.setup == broken:
            raise RuntimeError("a rule broke")
        answer(self, answers)

    monkeypatch.setattr(Game, "answer", faulty)
    lines = list(simulate(boards(1, 2), Seats(), tmp_path))
    assert [line.status for line in lines] == ["failed", "finished"]
    assert "a rule broke" in lines[0].reason
    assert peek(Path(lines[0].record)).state == "failed"


async def test_tables_play_the_same_games_and_are_skipped_too(tmp_path: Path) -> None:
    plain = list(simulate(boards(1, 2, 3), Seats(), tmp_path / "plain"))
    seen: list[Line] = []
    await simulate_models(boards(1, 2, 3), Seats(), tmp_path / "tables", parallel=2, done=seen.append)
    assert sorted((line.seed, line.winners, line.days) for line in seen) == [
        (line.seed, line.winners, line.days) for line in plain
    ]
    again: list[Line] = []
    await simulate_models(boards(1, 2, 3), Seats(), tmp_path / "tables", parallel=2, done=again.append)
    assert [line.skipped for line in again] == [True, True, True]


def test_two_simulations_of_one_folder_share_no_unfinished_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One would else cut off, or put in place, what the other still writes."""
    opened, opens = [], RecordWriter.open

    def spied(path: Path, *, durable: bool = True) -> RecordWriter:
        opened.append(path)
        return opens(path, durable=durable)

    monkeypatch.setattr(RecordWriter, "open", spied)
    for process in (1, 2):
        monkeypatch.setattr("os.getpid", lambda process=process: process)
        (line,) = simulate(boards(1), Seats(), tmp_path)
        Path(line.record).unlink()
    assert len(set(opened)) == 2


def test_the_shelf_tells_whole_torn_and_broken_records_apart(tmp_path: Path) -> None:
    list(simulate(boards(1), Seats(), tmp_path))
    whole = next(tmp_path.iterdir()).read_bytes()
    (tmp_path / "b.jsonl").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "c.jsonl").write_bytes(b"")
    (tmp_path / "d.jsonl").write_bytes(b"\xff\x00 not a record\n")
    (tmp_path / "e.txt").write_bytes(whole)
    (tmp_path / "f.jsonl").mkdir()
    states = {entry.name: entry.state for entry in entries(tmp_path)}
    assert states == {
        "tournament-9-000001": "finished",
        "b": "unfinished",
        "c": "broken",
        "d": "broken",
        "f": "broken",
    }
    assert list(entries(tmp_path / "nowhere")) == []


def test_a_record_is_found_by_path_name_and_beginning(tmp_path: Path) -> None:
    list(simulate(boards(1, 2), Seats(), tmp_path))
    one = tmp_path / "tournament-9-000001.jsonl"
    assert find(tmp_path, str(one)) == one
    assert find(tmp_path, "tournament-9-000001") == one
    assert find(tmp_path, "tournament-9-000001.jsonl") == one
    assert find(tmp_path, "tournament") is None
    assert find(tmp_path, "../" + tmp_path.name + "/tournament-9-000001") is None
