"""Campaigns with models: what stopped goes on where it was, and says so when it cannot."""

from pathlib import Path

import pytest

from arena.campaign.journal import Bench
from arena.campaign.ledger import Ledger
from arena.campaign.limits import Caps, GameCaps, Gate, Purse, Throttle
from arena.campaign.plan import Plan, Table, record_path, write_plan
from arena.campaign.play import NO_CAPS
from arena.campaign.run import ATTEMPTS, Report, Runner, open_client, opened, retry
from arena.campaign.verify import verify
from judge.course import Course
from judge.lines import EventLine
from judge.record import read_record
from players.model import Endpoint
from tests.support.ordeal import CountingStub
from tests.support.stub_openai import running

DECK = {"werewolf": 2, "seer": 1, "villager": 3}
PLAN = Plan(Table(deck=DECK, seats=6, players=("model",), lang="en", model="stub", max_days=4), seeds=3)


async def run(
    folder: Path,
    stub: CountingStub,
    caps: Caps | None = None,
    game: GameCaps = NO_CAPS,
    *,
    again: bool = False,
    parallel: int = 2,
) -> Report:
    endpoint = Endpoint(model="stub", base_url=stub.url, outage="pause", attempts=2, backoff=0.001, breaker=500)
    client, http = open_client(endpoint)
    try:
        with opened(folder, other_code=True) as ledger:
            if again:
                retry(ledger)
            bench = Bench(client, Gate(Throttle(8), Purse(caps or Caps(), ledger.spent())))
            return await Runner(ledger, parallel=parallel, benches={"": bench}, caps=game).run()
    finally:
        await client.close()
        await http.aclose()


def sound(folder: Path) -> bool:
    with opened(folder, other_code=True) as ledger:
        return not list(verify(ledger))


async def test_a_spent_budget_stops_it_and_a_bigger_one_goes_on_with_the_same_games(tmp_path: Path) -> None:
    for name in "ab":
        write_plan(tmp_path / name, PLAN)
    stub = CountingStub(1, 0.0)
    async with running(stub):
        whole = await run(tmp_path / "a", stub)
        at_once = len(stub.log)
        steps = 0
        for steps in range(1, 50):
            report = await run(tmp_path / "b", stub, Caps(tokens=6000 * steps))
            assert report.totals.tokens_in + report.totals.tokens_out <= 6000 * steps
            if not report.stopped:
                break
            assert "budget" in report.stopped
    assert steps > 2
    assert len(stub.log) == 2 * at_once, "going on cost more than playing at once"
    assert (report.totals.finished, report.totals.calls) == (whole.totals.finished, whole.totals.calls)
    for game in PLAN.games():
        one, two = (read_record(record_path(tmp_path / name, game.id)) for name in "ab")
        events = [[line for line in record.lines if isinstance(line, EventLine)] for record in (one, two)]
        assert events[0] == events[1]
    assert sound(tmp_path / "a")
    assert sound(tmp_path / "b")


async def test_a_dead_server_stops_it_with_its_games_waiting(tmp_path: Path) -> None:
    write_plan(tmp_path, PLAN)
    stub = CountingStub(1, 0.0)
    async with running(stub):
        stub.share, stub.kinds = 1.0, "B"
        report = await run(tmp_path, stub)
        assert (report.totals.planned, report.totals.done, report.totals.answers) == (3, 0, 0)
        assert report.stopped
        stub.share = 0.0
        assert (await run(tmp_path, stub)).totals.done == 3
    assert sound(tmp_path)


async def test_a_game_that_goes_otherwise_than_it_was_paid_for_stops_and_pays_nothing(tmp_path: Path) -> None:
    write_plan(tmp_path, PLAN)  # one game at a time: another could rightly ask before this one is found out
    stub = CountingStub(1, 0.0)
    async with running(stub):
        assert (await run(tmp_path, stub, Caps(tokens=12_000), parallel=1)).totals.answers
        ledger = Ledger(tmp_path)
        ledger._db.execute("UPDATE answer SET place='elsewhere' WHERE n=0")
        ledger.close()
        before = len(stub.log)
        report = await run(tmp_path, stub, parallel=1)
        assert "stands elsewhere" in report.stopped
        assert len(stub.log) == before


async def test_a_faulty_server_is_asked_again_and_every_answer_counts_once(tmp_path: Path) -> None:
    write_plan(tmp_path, PLAN)
    stub = CountingStub(3, 0.3)
    async with running(stub):
        for _ in range(20):
            report = await run(tmp_path, stub)
            if not report.stopped:
                break
        assert report.totals.done == 3
        useful = [key for key, good in stub.log if good]
        assert len(useful) == len(set(useful))
    assert sound(tmp_path)


async def test_games_that_failed_are_tried_again_and_no_answer_is_paid_for_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        write_plan(tmp_path / name, PLAN)
    stub, failing = CountingStub(1, 0.0), Course.step
    steps = 0

    def step(self: Course) -> None:
        nonlocal steps
        steps += 1
        if self.game.public.day == 1 and steps % 3 == 0:
            raise RuntimeError("a fault in the rules")
        failing(self)

    async with running(stub):
        whole = await run(tmp_path / "a", stub)
        at_once = len(stub.log)
        monkeypatch.setattr(Course, "step", step)
        report = await run(tmp_path / "b", stub)
        assert report.totals.failed == 3
        assert 0 < report.totals.answers < whole.totals.answers
        monkeypatch.undo()
        report = await run(tmp_path / "b", stub)
        assert report.totals.failed == 3, "what failed is over, until it is asked for"
        report = await run(tmp_path / "b", stub, again=True)
    assert (report.totals.failed, report.totals.finished) == (0, whole.totals.finished)
    assert len(stub.log) == 2 * at_once, "trying again paid for an answer that was in the ledger"
    assert report.totals.answers == whole.totals.answers
    assert len(list((tmp_path / "b" / ATTEMPTS).iterdir())) == 3
    assert sound(tmp_path / "b")


async def test_a_game_ends_when_its_own_cap_is_spent(tmp_path: Path) -> None:
    write_plan(tmp_path, PLAN)
    stub = CountingStub(1, 0.0)
    async with running(stub):
        report = await run(tmp_path, stub, game=GameCaps(tokens=1))
        assert (report.totals.unfinished, report.stopped) == (3, "")
        paid = len(stub.log)
        report = await run(tmp_path, stub, game=GameCaps(tokens=1), again=True)
        assert (report.totals.unfinished, len(stub.log)) == (3, paid)
        report = await run(tmp_path, stub, again=True)
        assert report.totals.done == 3
        assert len(stub.log) > paid
    assert sound(tmp_path)
