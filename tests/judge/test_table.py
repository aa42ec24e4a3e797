"""The table: LangGraph rounds, people, reactions, pause, resume."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from engine.asks import Ask, IllegalAnswer
from engine.events import Phase, Step
from engine.game import Answered
from engine.setup import Setup
from engine.views import View
from judge.direct import play_direct
from judge.lines import DecisionLine
from judge.record import MemorySink, RecordError, verify
from judge.store import Store, StoreError
from judge.table import Table
from players.base import Player, Reply
from tests.judge.sitters import Legal, Never, Paid, Strange, exploded, nine, seats


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(tmp_path / "data")
    yield store
    store.close()


def legal(setup: Setup, kind: str = "random") -> dict[int, Player]:
    return seats(setup, lambda seat: Legal(1, kind=kind, reacts=0.03))


@pytest.mark.parametrize("kind", ["random", "model"])
async def test_a_whole_game_through_the_graph(store: Store, kind: str) -> None:
    setup, sink, updates = nine(2), MemorySink(), []
    outcome = play_direct(setup, legal(setup, kind), sink)
    table = Table.new(setup, legal(setup, kind), store, game_id="g", on_update=lambda: updates.append(table.course.n))
    assert await table.run() == ()
    await table.close()
    assert table.over
    assert table.result is not None
    assert table.result.winners == outcome.winners
    assert store.data("g").splitlines()[1:] == sink.data().splitlines()[1:]
    verify(store.record("g"))
    assert updates == sorted(updates)
    assert len(set(updates)) == outcome.decisions + 1
    assert not store.checkpoints.exists(), "the store and its journal are enough where no person sits"


class Barrier(Legal):
    """Replies to a ballot only once all that are asked have been asked."""

    def __init__(self, meet: asyncio.Barrier) -> None:
        super().__init__(1, kind="model")
        self.meet = meet

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        if ask.kind == "werewolf.bite" and view.day == 1:
            await self.meet.wait()
        return self.decide(view, ask, offers)


async def test_seats_asked_together_think_at_the_same_time(store: Store) -> None:
    setup = nine(2)
    meet = asyncio.Barrier(setup.seats.count("werewolf"))
    table = Table.new(setup, seats(setup, lambda s: Barrier(meet)), store, max_days=1, patience=5)
    async with asyncio.timeout(20):
        await table.run()
    await table.close()
    assert table.course.fallbacks == 0


async def next_asks(table: Table, kind: str, person: Legal | None = None) -> tuple[Ask, ...]:
    """Play people at random until a question of this kind comes."""
    while asks := await table.run():
        if asks[0].kind == kind:
            return asks
        for ask in asks:
            view = table.game.view(ask.seat)
            table.submit(ask.seat, person.decide(view, ask, ()).answer if person else ask.quiet())
    raise AssertionError(f"{kind} never came")


async def test_two_people_asked_at_once(store: Store) -> None:
    setup = nine(2)
    table = Table.new(setup, seats(setup, lambda s: Strange(lambda ask: Reply(ask.quiet()))), store,
                      human_seats={4, 5})  # fmt: skip
    asks = await next_asks(table, "day.vote")
    assert [ask.seat for ask in asks] == [4, 5]
    n = table.course.n
    with pytest.raises(IllegalAnswer):
        table.submit(5, 5)
    with pytest.raises(IllegalAnswer):
        table.submit(3, 4)
    table.submit(5, 4)
    with pytest.raises(IllegalAnswer, match="it has been given"):
        table.submit(5, 4)
    assert await table.run() == asks[:1]
    assert table.course.n == n, "nobody's ballot counts before all are in"
    table.submit(4, 5)
    await table.run()
    decision = table.game.decisions[n]
    assert isinstance(decision, Answered)
    ballots = decision.answers
    assert (ballots[4], ballots[5]) == (5, 4)
    await table.close()


async def test_an_answer_survives_the_process(store: Store) -> None:
    setup = nine(2)
    quiet = Strange(lambda ask: Reply(ask.quiet()))
    table = Table.new(setup, seats(setup, lambda s: quiet), store, human_seats={4, 5}, game_id="g")
    await next_asks(table, "day.vote")
    table.submit(5, 4)
    with pytest.raises(StoreError, match="already being played"):
        Table.resume(store, "g", lambda setup, specs: {})
    await table.close()
    again = Table.resume(store, "g", lambda setup, specs: seats(setup, lambda s: Never()))
    assert [ask.seat for ask in again.pending] == [4]
    assert [ask.seat for ask in await again.run()] == [4], "the others' ballots are in the journal"
    await again.close()


async def test_people_may_answer_while_others_think(store: Store) -> None:
    setup, gate, thinking = nine(2), asyncio.Event(), asyncio.Event()

    class Slow(Legal):
        async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
            if ask.kind == "day.vote":
                thinking.set()
                await gate.wait()
            return Reply(ask.quiet())

    table = Table.new(setup, seats(setup, lambda s: Slow(kind="model")), store, human_seats={4}, max_days=1)
    running = asyncio.create_task(next_asks(table, "never"))
    async with asyncio.timeout(20):
        await thinking.wait()
        (ask,) = table.pending
        assert ask.kind == "day.vote"
        table.submit(4, 5)
        gate.set()
        with pytest.raises(AssertionError, match="never came"):
            await running
    vote = next(line for line in store.record(table.game_id).decisions if line.asked[0].ask.kind == "day.vote")
    assert [asked.answer for asked in vote.asked if asked.ask.seat == 4] == [5]
    await table.close()


async def explosive(store: Store, game_id: str = "g") -> tuple[Table, int, int]:
    """A table where a wolf is a person and another person is about to speak: the table, the wolf, the speaker."""
    setup = nine(2)
    wolf = setup.seats.index("werewolf") + 1
    speaker = next(seat for seat in range(1, 10) if setup.seats[seat - 1] == "villager")
    quiet = Strange(lambda ask: Reply(ask.quiet()))
    players = {**seats(setup, lambda s: quiet)}
    table = Table.new(setup, players, store, human_seats={wolf, speaker}, game_id=game_id)
    while (await next_asks(table, "day.speak"))[0].seat != speaker:
        table.submit(table.pending[0].seat, None)
    return table, wolf, speaker


async def test_a_person_reacts_while_another_is_asked(store: Store) -> None:
    table, wolf, speaker = await explosive(store)
    with pytest.raises(IllegalAnswer):
        table.request_reaction(speaker, "werewolf.explode", True)
    table.request_reaction(wolf, "werewolf.explode", True)
    asks = await table.run()
    assert exploded(table.game) == [wolf]
    assert table.game.public.day == 2
    assert all(ask.seat != wolf for ask in asks)
    await table.close()
    verify(store.record("g"))


async def test_a_requested_reaction_survives_the_process(store: Store) -> None:
    table, wolf, _ = await explosive(store)
    table.request_reaction(wolf, "werewolf.explode", True)
    await table.close()
    quiet = Strange(lambda ask: Reply(ask.quiet()))
    again = Table.resume(store, "g", lambda setup, specs: seats(setup, lambda s: quiet))
    await again.run()
    assert exploded(again.game) == [wolf]
    await again.close()


async def test_replies_set_aside_by_a_reaction_stay_in_the_record(store: Store) -> None:
    setup = nine(2)
    wolf = setup.seats.index("werewolf") + 1

    class Explodes(Paid):
        async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
            if ask.kind == "day.vote" and offers and view.day == 1:
                return Reply(None, reaction=("werewolf.explode", True), reasoning="boom")
            return await super().reply(view, ask, offers)

    players = {**seats(setup, lambda s: Paid(1)), wolf: Explodes(1)}
    table = Table.new(setup, players, store, game_id="g", max_days=2)
    await table.run()
    await table.close()
    line = next(line for line in verify_and_get(store) if line.reaction is not None)
    assert line.reaction is not None
    assert line.reaction.reasoning == "boom"
    assert len(line.aside) > 1
    assert all(asked.calls for asked in line.aside)


def verify_and_get(store: Store) -> tuple[DecisionLine, ...]:
    record = store.record("g")
    verify(record)
    return record.decisions


async def test_pause_and_close(store: Store) -> None:
    setup = nine(2)
    begun, halfway = asyncio.Event(), asyncio.Event()
    calls: list[str] = []

    def called(ask: Ask) -> None:
        calls.append(ask.kind)
        if len(calls) == 20:
            begun.set()
        if len(calls) == 40:
            halfway.set()

    table = Table.new(setup, seats(setup, lambda s: Paid(1, called)), store, game_id="g")
    running = asyncio.create_task(table.run())
    await begun.wait()
    await table.pause()
    assert await running == ()
    assert not table.over
    assert table.course.n > 0
    running = asyncio.create_task(table.run())
    await halfway.wait()
    await table.close()
    await table.close()
    assert await running == ()
    with pytest.raises(StoreError, match="is closed"):
        await table.run()
    again = Table.resume(store, "g", lambda setup, specs: seats(setup, lambda s: Paid(1)))
    await again.run()
    assert again.over
    await again.close()
    finished = Table.resume(store, "g", lambda setup, specs: seats(setup, lambda s: Paid(1)))
    assert await finished.run() == ()
    await finished.close()


async def test_a_cancelled_run_can_be_taken_up_again(store: Store) -> None:
    setup = nine(2)
    table = Table.new(setup, seats(setup, lambda s: Never()), store, max_days=1, patience=None)
    running = asyncio.create_task(table.run())
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    table.course.patience = 0.0
    await table.run()
    assert table.over
    await table.close()


async def test_a_full_disk_stops_the_table_and_loses_nothing(store: Store) -> None:
    setup, calls = nine(2), []
    players = seats(setup, lambda s: Paid(1, lambda ask: calls.append((table.course.n, ask.seat))))
    table = Table.new(setup, players, store, game_id="g")
    assert store._db is not None
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count={pages + 3}")
    with pytest.raises(RecordError, match="the disk is full"):
        await table.run()
    store._db.execute(f"PRAGMA max_page_count={pages + 100000}")
    assert await table.run() == ()
    await table.close()
    assert table.over
    assert len(set(calls)) == len(calls), "no reply was asked for twice"
    sink = MemorySink()
    outcome = play_direct(setup, seats(setup, lambda s: Legal(1, kind="model")), sink)
    assert [line.decision() for line in store.record("g").decisions] == outcome.game.decisions
    verify(store.record("g"))


async def test_every_public_step_has_the_same_pace(store: Store) -> None:
    """A step that asks nobody is shown, and waited for, like one that does."""
    setup, shown = nine(2), []

    async def pace(table: Table) -> None:
        view = table.view(None)
        shown.append(view.events[-1])
        assert len(view.events) == len(shown)

    table = Table.new(setup, legal(setup), store, pace=pace)
    await table.run()
    await table.close()
    assert shown == table.game.public.events
    last = max(i for i, event in enumerate(shown) if isinstance(event, Phase) and event.name == "night")
    steps = [event.role for event in shown[last:] if isinstance(event, Step) and event.state == "open"]
    assert {"wolves", "seer", "witch"} <= set(steps)


async def test_a_table_over_its_days_is_unfinished(store: Store) -> None:
    setup = nine(2)
    table = Table.new(setup, seats(setup, lambda s: Strange(lambda ask: Reply(ask.quiet()))), store, max_days=1)
    await table.run()
    await table.close()
    assert table.result is not None
    assert (table.result.status, table.result.winners) == ("unfinished", ())
    assert store.games()[0].status == "unfinished"


def test_the_store_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANHEI_HOME", str(tmp_path / "home"))
    store = Store()
    assert store.folder == tmp_path / "home"
    setup = nine()
    Table.new(setup, legal(setup), store, game_id="g")._claim.close()
    with pytest.raises(StoreError, match="already a game g"):
        Table.new(setup, legal(setup), store, game_id="g")
    with pytest.raises(StoreError, match="no game id"):
        Table.new(setup, legal(setup), store, game_id="../g")
    with pytest.raises(StoreError, match="there is no game 'h'"):
        Table.resume(store, "h", lambda setup, specs: {})
    store.export("g", tmp_path / "g.jsonl")
    assert (tmp_path / "g.jsonl").read_bytes() == store.data("g")
    with pytest.raises(RecordError, match="No such file"):
        store.export("g", tmp_path / "nowhere" / "g.jsonl")
    store.close()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "tables.sqlite").write_text("this is no database at all, but long enough to be looked at" * 9)
    with pytest.raises(StoreError, match=r"tables\.sqlite: file is not a database"):
        Store(tmp_path / "bad")
