"""Games in the plain loop: fallbacks, failures, and games that do not end."""

from collections.abc import Callable

import pytest

from engine.asks import Ask
from judge.direct import play_direct, play_direct_async
from judge.record import MemorySink, parse_record, verify
from players.base import Reply
from tests.judge.sitters import Legal, Never, Strange, nine, seats


def fail(ask: Ask) -> object:
    raise RuntimeError("the player has a bug")


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (fail, "error"),
        (lambda ask: None, "error"),
        (lambda ask: Reply(99), "illegal"),
        (lambda ask: Reply("x" * 5000), "illegal"),
        (lambda ask: Reply(99, reaction=("werewolf.explode", True)), "illegal"),
        (lambda ask: Reply(99, fallback="unparsable"), "unparsable"),
    ],
)
def test_whatever_a_seat_does_becomes_a_legal_answer(how: Callable[[Ask], object], why: str) -> None:
    setup, sink = nine(4), MemorySink()
    outcome = play_direct(setup, seats(setup, lambda s: Strange(how)), sink, game_id="g")
    again = play_direct(setup, seats(setup, lambda s: Strange(how)), game_id="g")
    assert outcome.game.decisions == again.game.decisions, "fallbacks are seeded"
    record = parse_record(sink.data(), "g")
    verify(record)
    asked = [a for line in record.decisions for a in line.asked if a.ask.seat and a.ask.form == "seat"]
    assert {a.fallback for a in asked} == {why}
    assert outcome.fallbacks >= len(asked)


async def test_a_seat_that_is_late_gets_a_fallback_and_no_winner() -> None:
    setup, sink = nine(4), MemorySink()
    players = seats(setup, lambda s: Never() if s == 1 else Legal(1))
    outcome = await play_direct_async(setup, players, sink, patience=0.01)
    assert (outcome.status, outcome.winners) == ("failed", ()), "a model that never answered has not played"
    replies = [a for line in parse_record(sink.data(), "g").decisions for a in line.asked if a.ask.seat == 1]
    assert replies
    assert {a.fallback for a in replies} == {"late"}


async def test_both_loops_play_the_same_game() -> None:
    setup, one, two = nine(5), MemorySink(), MemorySink()
    play_direct(setup, seats(setup, lambda s: Legal(1, reacts=0.05)), one)
    await play_direct_async(setup, seats(setup, lambda s: Legal(1, reacts=0.05)), two)
    assert one.data() == two.data()


def test_a_game_that_exceeds_its_days_has_no_winner() -> None:
    setup, sink = nine(), MemorySink()
    outcome = play_direct(setup, seats(setup, lambda s: Strange(lambda ask: Reply(ask.quiet()))), sink, max_days=1)
    assert (outcome.status, outcome.winners, outcome.days) == ("unfinished", (), 1)
    record = parse_record(sink.data(), "g")
    verify(record)
    assert record.result is not None
    assert record.result.status == "unfinished"


def test_an_error_in_the_rules_is_raised_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("engine.flow.vote.leaders", breaks)
    setup, sink = nine(), MemorySink()
    with pytest.raises(ZeroDivisionError):
        play_direct(setup, seats(setup, lambda s: Legal(1)), sink)
    monkeypatch.undo()
    record = parse_record(sink.data(), "g")
    assert record.result is not None
    assert record.result.status == "failed"
    assert "ZeroDivisionError" in record.result.reason


def test_an_empty_seat_is_refused() -> None:
    setup = nine()
    with pytest.raises(ValueError, match="nobody sits in seat 9"):
        play_direct(setup, {seat: Legal() for seat in range(1, 9)})
