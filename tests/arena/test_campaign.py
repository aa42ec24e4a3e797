"""Campaigns: plans, the ledger, limits, processes, parts and the check of it all."""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from arena.campaign.crew import Job, Played, Processes, conduct
from arena.campaign.desk import Desk
from arena.campaign.ledger import Answered, Busy, Ended, Ledger, LedgerError, Lost
from arena.campaign.limits import Bucket, Caps, Halt, Purse, Throttle, Took
from arena.campaign.merge import merge, shards
from arena.campaign.plan import CampaignError, Plan, Table, code_hash, record_path, write_plan
from arena.campaign.run import PAUSED, OtherCode, Rate, Runner, opened
from arena.campaign.verify import verify

TABLE = Table(deck={"werewolf": 2, "seer": 1, "villager": 3}, seats=6, players=("random",), lang="en")


def plan(games: int = 4, table: Table = TABLE) -> Plan:
    return Plan(table, seeds=games, code=code_hash())


def answer(game: str, n: int = 0) -> Answered:
    return Answered(game, 1, n, "0:a", "b", "stub", 1, 100, 10, 0.5, b"text")


def run(folder: Path) -> int:
    with opened(folder) as ledger:
        return asyncio.run(Runner(ledger, parallel=2).run()).totals.done


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


# ---------------------------------------------------------------- the plan and the ledger


def test_ids_follow_from_the_game_alone() -> None:
    ids = [game.id for game in plan(3).games()]
    assert ids == [game.id for game in plan(5).games()][:3]
    assert not {*ids} & {game.id for game in plan(3, msgspec.structs.replace(TABLE, max_days=9)).games()}
    assert len({game.id for game in msgspec.structs.replace(plan(3), replicates=2).games()}) == 6
    parts = [game.id for part in shards(plan(9), 3) for game in part.games()]
    assert sorted(parts) == sorted(game.id for game in plan(9).games())


def test_a_plan_is_never_changed(tmp_path: Path) -> None:
    write_plan(tmp_path, plan(3))
    write_plan(tmp_path, plan(3))
    with pytest.raises(CampaignError, match="another plan"):
        write_plan(tmp_path, plan(4))


def test_a_campaign_is_run_by_one_process_and_by_the_code_that_planned_it(tmp_path: Path) -> None:
    write_plan(tmp_path / "a", plan())
    with opened(tmp_path / "a"), pytest.raises(Busy), opened(tmp_path / "a"):
        pass
    write_plan(tmp_path / "b", msgspec.structs.replace(plan(), code="other"))
    with pytest.raises(OtherCode), opened(tmp_path / "b"):
        pass


def test_a_lease_that_was_lost_writes_nothing(tmp_path: Path) -> None:
    write_plan(tmp_path, plan())
    ledger = Ledger(tmp_path)
    (old,) = ledger.lease("a", 1)
    ledger.release(old)
    (new,) = ledger.lease("b", 1)
    assert new.game == old.game
    ledger.record([(new.fence, answer(new.game.id))])
    for late in (answer(old.game.id, 1), Ended(old.game.id, "finished")):
        with pytest.raises(Lost):
            ledger.record([(old.fence, late)])
    with pytest.raises(LedgerError, match="UNIQUE"):
        ledger.record([(new.fence, answer(new.game.id))])
    assert ledger.totals().answers == 1
    ledger.close()


def test_a_new_run_takes_over_what_a_dead_one_had_leased_whatever_the_clock_says(tmp_path: Path) -> None:
    write_plan(tmp_path, plan())
    dead = Ledger(tmp_path)
    lease = dead.lease("a", 1)[0]
    dead.record([(lease.fence, answer(lease.game.id))])
    dead.close()
    with opened(tmp_path) as ledger:
        again = ledger.lease("b", 9)
        assert len(again) == 4
        assert again[0].answers == (answer(lease.game.id),)


def test_games_are_played_once_and_a_lost_entry_is_found_again(tmp_path: Path) -> None:
    write_plan(tmp_path, plan())
    assert run(tmp_path) == 4
    records = {path: path.stat().st_mtime_ns for path in (tmp_path / "games").glob("??/*")}
    with opened(tmp_path) as ledger:
        assert not list(verify(ledger))
        ledger._db.execute("UPDATE game SET status='planned', outcome='', sha256='', days=0, winners=''")
    assert run(tmp_path) == 4
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "games").glob("??/*")} == records
    with opened(tmp_path) as ledger:
        assert not list(verify(ledger))


def test_the_check_finds_what_is_wrong(tmp_path: Path) -> None:
    write_plan(tmp_path, plan())
    run(tmp_path)
    one, two, three, four = (record_path(tmp_path, game.id) for game in plan().games())
    one.unlink()
    two.write_bytes(two.read_bytes().replace(b'"days":', b'"days": '))
    three.with_name("f" * 20 + ".jsonl").write_bytes(b"")
    with opened(tmp_path) as ledger:
        ledger._db.execute("UPDATE game SET days=99 WHERE id=?", (four.stem,))
        words = {finding.game: finding.what for finding in verify(ledger)}
    assert "cannot be read" in words[one.stem]
    assert "changed" in words[two.stem]
    assert "no such game" in words["f" * 20]
    assert "otherwise" in words[four.stem]


def test_a_pause_stops_it_and_it_goes_on(tmp_path: Path) -> None:
    write_plan(tmp_path, plan())
    (tmp_path / PAUSED).touch()

    class Never:
        slots = 1

        def submit(self, job: Job) -> object:
            raise AssertionError("a paused campaign begins nothing")

        def wait(self, tickets: Sequence[object], seconds: float) -> list[tuple[object, tuple[Played, ...] | None]]:
            return []

        def close(self) -> None:
            pass

    with opened(tmp_path) as ledger:
        assert conduct(ledger, Never()).stopped == "paused"
    (tmp_path / PAUSED).unlink()
    assert run(tmp_path) == 4


def test_parts_are_merged_once_and_contradictions_are_refused(tmp_path: Path) -> None:
    for name, part in zip("ab", shards(plan(6), 2), strict=True):
        write_plan(tmp_path / name, part)
        run(tmp_path / name)
    assert merge(tmp_path / "all", [tmp_path / "a", tmp_path / "b"]) == 6
    assert merge(tmp_path / "all", [tmp_path / "b", tmp_path / "a"]) == 0
    with opened(tmp_path / "all") as ledger:
        assert not list(verify(ledger))
        assert ledger.totals().finished == 6
    with opened(tmp_path / "a") as ledger:
        ledger._db.execute("UPDATE game SET days=99")
    with pytest.raises(CampaignError, match="another record"):
        merge(tmp_path / "all", [tmp_path / "a"])
    write_plan(tmp_path / "c", plan(2))
    with pytest.raises(CampaignError, match="no part of the same"):
        merge(tmp_path / "all", [tmp_path / "a", tmp_path / "c"])


# ---------------------------------------------------------------- processes


def test_processes_that_die_cost_nothing_but_what_they_played(tmp_path: Path) -> None:
    write_plan(tmp_path, plan(24))

    class Mortal(Processes):
        killed = 0

        def submit(self, job: Job) -> object:
            ticket = super().submit(job)
            if self.killed < 2:
                self.killed += 1
                os.kill(self.pids()[-1], signal.SIGKILL)
            return ticket

    with opened(tmp_path) as ledger:
        report = conduct(ledger, Mortal(2), batch=6)
        assert (report.totals.finished, report.stopped) == (24, "")
        assert not list(verify(ledger))


def test_a_game_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    write_plan(tmp_path, plan(3))
    killer = next(plan(3).games()).id

    class Dying:
        slots = 1

        def submit(self, job: Job) -> object:
            return job

        def wait(self, tickets: Sequence[object], seconds: float) -> list[tuple[object, tuple[Played, ...] | None]]:
            (job,) = tickets
            assert isinstance(job, Job)
            if any(lease.game.id == killer for lease in job.leases):
                return [(job, None)]
            from arena.campaign.crew import play_job

            return [(job, play_job(job))]

        def close(self) -> None:
            pass

    with opened(tmp_path) as ledger:
        totals = conduct(ledger, Dying()).totals
        assert (totals.finished, totals.failed) == (2, 1)
        assert not list(verify(ledger))


# ---------------------------------------------------------------- limits


def test_a_bucket_holds_its_rate_and_stands_jumping_clocks() -> None:
    clock = Clock()
    bucket = Bucket(2.0, clock)
    taken = 0
    for _ in range(100):
        if bucket.wait() == 0:
            bucket.take(1)
            taken += 1
        clock.now += 0.1
    assert 20 <= taken <= 23
    clock.now -= 10_000
    waited = bucket.wait()
    assert waited < 5
    clock.now += 1e9
    bucket.wait()
    assert bucket._level <= 20


async def test_a_rate_limit_halves_the_window_once_and_answers_widen_it_again() -> None:
    clock = Clock()
    throttle = Throttle(16, clock=clock, sleep=clock.sleep)
    for _ in range(5):
        throttle.learned(Took(1, 0.0, 1, 1), 1)
    assert throttle.window == 8
    clock.now -= 50_000  # a clock that jumps back must not close the window for good
    for _ in range(200):
        throttle.learned(Took(1, 0.0, 1), 1)
    assert throttle.window == 16


async def test_no_more_are_under_way_than_the_window_has_room_for() -> None:
    throttle, most, now = Throttle(3), 0, 0

    async def one() -> None:
        nonlocal most, now
        async with throttle.turn(1):
            now += 1
            most = max(most, now)
            await asyncio.sleep(0)
            now -= 1

    await asyncio.gather(*(one() for _ in range(20)))
    assert most == 3


async def test_a_purse_is_never_overdrawn_by_what_is_under_way() -> None:
    purse, spent, halted = Purse(Caps(tokens=1000), {"m": (100, 0.0)}), 100, 0

    async def one() -> None:
        nonlocal spent, halted
        try:
            async with purse.reserve("m", 200, 0.0) as settle:
                await asyncio.sleep(0)
                spent += 150
                settle(150, 0.0)
        except Halt:
            halted += 1

    await asyncio.gather(*(one() for _ in range(20)))
    assert spent == purse.spent()[0]
    assert 850 <= spent <= 1000
    assert halted == 20 - (spent - 100) // 150


async def test_caps_hold_for_each_model() -> None:
    purse = Purse(Caps(models={"a": (None, 1.0)}), {"a": (5, 0.9), "b": (5, 7.0)})
    async with purse.reserve("b", 1, 5.0):
        pass
    with pytest.raises(Halt, match="for a has no room"):
        async with purse.reserve("a", 1, 0.2):
            pass


def test_progress_stands_jumping_clocks() -> None:
    clock = Clock()
    rate = Rate(clock)
    assert rate.left(10) is None
    for step in (10, 10, -5000, 10):
        clock.now += step
        rate.ended()
        assert rate.per_second() > 0


# ---------------------------------------------------------------- the desk


async def test_answers_under_way_find_room_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_plan(tmp_path, plan())
    ledger, told = Ledger(tmp_path), list[str]()
    (lease,) = ledger.lease("a", 1)
    record = Ledger.record

    def full(self: Ledger, entries: Sequence[tuple[int, Answered | Ended]]) -> None:
        if (self.folder / "reserve").exists():
            raise LedgerError("the disk is full", full=True)
        record(self, entries)

    monkeypatch.setattr(Ledger, "record", full)
    desk = Desk(ledger, told.append)
    await asyncio.gather(*(desk.put(lease.fence, answer(lease.game.id, n)) for n in range(5)))
    await desk.close()
    assert "the disk is full" in told[0]
    assert len(ledger.answers(lease.game.id)) == 5
    ledger.close()
