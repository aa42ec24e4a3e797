"""Whether a phase brought what a case expects of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.bits import EVERYONE
from engine.cases.model import Expect
from engine.cases.record import PhaseRecord, Posed, Problem, Table
from engine.cases.words import REACTIONS
from engine.events import Eliminated, Event, Over
from engine.game import Game


def judge(game: Game, record: PhaseRecord, table: Table, expect: Expect) -> list[Problem]:
    """Everything that does not hold at the end of this phase."""
    seen = list(zip(game.events, game.audiences, strict=True))[record.first : record.last]
    whole = game.outcome if game.outcome is not None and game.outcome in (event for event, _ in seen) else None
    found = [
        *_eliminations([event for event, _ in seen], expect),
        *_asks(record, expect),
        *_events(seen, expect),
        *_state(table, expect),
        *_outcome(whole, expect),
    ]
    return [Problem(record.name, what, expected, happened) for what, expected, happened in found]


Finding = tuple[str, str, str]


def _eliminations(events: list[Event], expect: Expect) -> Iterator[Finding]:
    out = [event for event in events if isinstance(event, Eliminated)]
    seats = [event.seat for event in out]
    if expect.dead is not None and sorted(expect.dead) != sorted(seats):
        yield "dead", str(sorted(expect.dead)), str(sorted(seats))
    if expect.order is not None and expect.order != seats:
        yield "order", str(expect.order), str(seats)
    causes = {event.seat: event.cause for event in out}
    for seat, cause in expect.causes.items():
        if causes.get(seat) != cause:
            yield f"causes, seat {seat}", cause, causes.get(seat, "not eliminated")


def _asks(record: PhaseRecord, expect: Expect) -> Iterator[Finding]:
    for key, seats in expect.asked.items():
        asked = sorted({posed.ask.seat for posed in _posed(record, key)})
        if asked != sorted(set(seats)):
            yield f"asked {key}", str(sorted(seats)), str(asked)
    for key, seats in expect.asked_order.items():
        order = [posed.ask.seat for posed in _posed(record, key)]
        if order != seats:
            yield f"asked-order {key}", str(seats), str(order)
    for legal, table in ((True, expect.can), (False, expect.cannot)):
        for key, by_seat in table.items():
            for seat, answers in by_seat.items():
                yield from _legal(record, key, seat, answers, legal)


def _posed(record: PhaseRecord, key: str) -> list[Posed]:
    among = record.offered if key.partition("#")[0] in REACTIONS else record.posed
    return [posed for posed in among if posed.fits(key)]


def _legal(record: PhaseRecord, key: str, seat: int, answers: list[Any], legal: bool) -> Iterator[Finding]:
    what = f"{'can' if legal else 'cannot'} {key}, seat {seat}"
    ask = next((posed.ask for posed in _posed(record, key) if posed.ask.seat == seat), None)
    if ask is None:
        yield what, str(_plain(answers)), "this seat was not asked"
        return
    wrong = [answer for answer in answers if ask.allows(answer) is not legal]
    if wrong:
        yield (
            what,
            str(_plain(answers)),
            f"{_plain(wrong)} {'not legal' if legal else 'legal'}; it was {ask.describe()}",
        )


def _events(seen: list[tuple[Event, int]], expect: Expect) -> Iterator[Finding]:
    for seat, wanted in expect.told.items():
        private = [event for event, to in seen if to != EVERYONE and to >> seat & 1]
        yield from ((f"told, seat {seat}", *miss) for miss in _missing(private, wanted))
    for seat, unwanted in expect.untold.items():
        visible = [event for event, to in seen if to == EVERYONE or to >> seat & 1]
        yield from ((f"untold, seat {seat}", *hit) for hit in _present(visible, unwanted))
    public = [event for event, to in seen if to == EVERYONE]
    yield from (("public", *miss) for miss in _missing(public, expect.public))
    yield from (("unpublic", *hit) for hit in _present(public, expect.unpublic))


def _missing(events: list[Event], wanted: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for fields in wanted:
        if not any(_matches(event, fields) for event in events):
            same = [_show(event.fields()) for event in events if event.kind == fields["kind"]]
            yield _show(fields), ", ".join(same[:3]) or f"no {fields['kind']}"


def _present(events: list[Event], unwanted: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for fields in unwanted:
        hit = next((event for event in events if _matches(event, fields)), None)
        if hit is not None:
            yield f"no {_show(fields)}", _show(hit.fields())


def _matches(event: Event, fields: dict[str, Any]) -> bool:
    if event.kind != fields["kind"]:
        return False
    plain = _plain(event.fields())
    return all(name in plain and plain[name] == _plain(value) for name, value in fields.items())


def _plain(value: Any) -> Any:
    """Lists for tuples, at every depth."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _show(fields: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{name}: {_plain(value)}" for name, value in fields.items()) + "}"


def _state(table: Table, expect: Expect) -> Iterator[Finding]:
    if expect.alive is not None and sorted(expect.alive) != list(table.living):
        yield "alive", str(sorted(expect.alive)), str(list(table.living))
    for name, wanted, now in (("role", expect.role, table.roles), ("camp", expect.camp, table.camps)):
        for seat, word in wanted.items():
            if now.get(seat) != word:
                yield f"{name}, seat {seat}", word, now.get(seat, "no such seat")
    for seat, marks in expect.marks.items():
        if sorted(marks) != list(table.marks.get(seat, ())):
            yield f"marks, seat {seat}", str(sorted(marks)), str(list(table.marks.get(seat, ())))
    if expect.sheriff is not None:
        office: int | str = table.sheriff or "none"
        if expect.sheriff != office:
            yield "sheriff", str(expect.sheriff), str(office)


def _outcome(over: Over | None, expect: Expect) -> Iterator[Finding]:
    if expect.over is not None and expect.over is not (over is not None):
        yield "over", str(expect.over).lower(), _result(over)
    if expect.winners is not None and (over is None or sorted(expect.winners) != sorted(over.winners)):
        yield "winners", str(sorted(expect.winners)), _result(over)
    seats = expect.winning_seats
    if seats is not None and (over is None or sorted(seats) != sorted(over.seats)):
        yield "winning-seats", str(sorted(seats)), _result(over) if over is None else str(_list(over.seats))


def _result(over: Over | None) -> str:
    return "the game goes on" if over is None else f"the game is over, winners {_list(over.winners)}"


def _list(items: Iterable[Any]) -> list[Any]:
    return sorted(items)
