"""The game record: round trip, replay, and every way in which a file can be broken."""

import errno
import io
from pathlib import Path

import pytest

from judge.direct import play_direct
from judge.lines import EventLine, encode_line, plain
from judge.record import MemorySink, Record, RecordError, RecordWriter, parse_record, read_record, replay, verify
from tests.judge.sitters import Legal, nine, seats

GAMES = 1000


def played(seed: int = 1, reacts: float = 0.05) -> bytes:
    setup, sink = nine(seed), MemorySink()
    play_direct(setup, seats(setup, lambda seat: Legal(seed, reacts=reacts)), sink, game_id=f"g{seed}")
    return sink.data()


def test_replayed_records_yield_the_same_events_byte_for_byte() -> None:
    reactions = 0
    for seed in range(GAMES):
        data = played(seed)
        record = parse_record(data, "a game")
        game = verify(record)
        assert b"".join(map(encode_line, record.lines)) == data
        assert game.outcome is not None
        assert record.result is not None
        assert record.result.winners == game.outcome.winners
        reactions += sum(1 for line in record.decisions if line.reaction is not None)
    assert reactions > 0, "no game with a reaction was tried"


def test_a_record_holds_what_the_seats_replied(tmp_path: Path) -> None:
    setup, path = nine(), tmp_path / "g.jsonl"
    writer = RecordWriter.open(path)
    outcome = play_direct(setup, seats(setup, lambda seat: Legal(3)), writer, game_id="g")
    writer.close()
    record = read_record(path)
    assert record.header.setup == setup
    assert [sitter.seat for sitter in record.header.players] == [*range(1, 10)]
    assert [line.decision() for line in record.decisions] == outcome.game.decisions
    assert [line.decoded() for line in record.events][-1] == outcome.game.outcome
    assert [line.audience for line in record.events] == list(outcome.game.audiences)
    spoken = [a for line in record.decisions for a in line.asked if a.claims]
    assert spoken
    assert spoken[0].reasoning == "想一想 再说"
    assert all(plain(asked.checked) == asked.answer for line in record.decisions for asked in line.asked)


@pytest.mark.parametrize("end", [1, 2, 30])
def test_a_torn_last_line_is_cut(end: int) -> None:
    whole = parse_record(played(), "g")
    data = b"".join(whole.raw)
    last_event = data.rfind(b'{"type":"event"')
    torn = parse_record(data[: last_event + end], "g")
    assert torn.torn
    assert torn.result is None
    assert torn.lines == whole.lines[:-2]
    assert len(replay(torn).events) == len(whole.events)
    verify(torn)


def test_a_last_line_that_only_lacks_its_newline_counts() -> None:
    data = played()
    record = parse_record(data[:-1], "g")
    assert not record.torn
    assert record.result is not None
    assert parse_record(data.replace(b"\n", b"\r\n"), "g").lines == record.lines


def test_a_writer_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    path, record = tmp_path / "g.jsonl", parse_record(played(), "g")
    path.write_bytes(b"".join(record.raw[:5]) + record.raw[5][:10])
    writer = RecordWriter.open(path)
    writer.write(record.lines[5:])
    writer.close()
    assert path.read_bytes() == b"".join(record.raw)


def change(number: int, old: bytes, new: bytes) -> bytes:
    lines = played().splitlines(keepends=True)
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    return b"".join(lines)


def broken() -> dict[str, tuple[bytes, str]]:
    lines = played().splitlines(keepends=True)
    return {
        "no JSON": (change(4, b"{", b"{{"), "line 4: this is not JSON"),
        "not UTF-8": (change(4, b"event", b"\xff\xff"), "line 4: this is not JSON"),
        "schema": (change(1, b'"schema":1', b'"schema":99'), "line 1: the record has schema 99, this version reads"),
        "another file": (b'{"hello":1}\n', "line 1: this is not a game record"),
        "empty": (b"", "the record is empty"),
        "unknown field": (change(1, b'"schema"', b'"extra":1,"schema"'), "line 1: Object contains unknown field"),
        "unknown event": (change(2, b'"kind":"phase"', b'"kind":"phrase"'), "line 2: there is no event kind 'phrase'"),
        "event number": (change(3, b'"seq":1', b'"seq":7'), "line 3: event 7 stands where event 1 belongs"),
        "two headers": (lines[0] + lines[0], "line 2: a record begins with one header line"),
        "no header": (b"".join(lines[1:]), "line 1: this is not a game record"),
        "after the result": (b"".join([*lines, lines[1]]), "nothing may follow the result"),
        "unknown ruleset": (change(1, b"tournament", b"tournamint"), "line 1:"),
    }


@pytest.mark.parametrize("what", list(broken()))
def test_broken_records_name_the_file_and_the_line(what: str) -> None:
    data, message = broken()[what]
    with pytest.raises(RecordError) as error:
        verify(parse_record(data, "games/g.jsonl"))
    assert str(error.value).startswith("games/g.jsonl")
    assert message in str(error.value)


def test_an_answer_outside_its_ask_is_refused() -> None:
    record = parse_record(played(), "g")
    at = next(i for i, raw in enumerate(record.raw) if b'"form":"seat"' in raw and b'"answer":' in raw)
    text = record.raw[at]
    start = text.index(b'"answer":')
    end = min(i for i in (text.find(b",", start), text.find(b"}", start)) if i > 0)
    bad = b"".join([*record.raw[:at], text[:start] + b'"answer":77' + text[end:], *record.raw[at + 1 :]])
    with pytest.raises(RecordError, match=f"line {at + 1}: the answer is outside its own ask"):
        parse_record(bad, "g")


def test_verify_finds_a_changed_event() -> None:
    record = parse_record(played(), "g")
    at = next(i for i, line in enumerate(record.lines) if isinstance(line, EventLine) and line.to != "all")
    changed = record.raw[at].replace(b'"to":[', b'"to":[9,')
    data = b"".join([*record.raw[:at], changed, *record.raw[at + 1 :]])
    with pytest.raises(RecordError, match=f"line {at + 1}: the replayed game does not yield this event"):
        verify(parse_record(data, "g"))


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nowhere\.jsonl: No such file"):
        read_record(tmp_path / "nowhere.jsonl")


class SmallDisk(io.BytesIO):
    """Takes half of a write when it is full, then refuses, until `room` is raised."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # of any buffer, bytes are all that is written here
        left = self.room - self.tell()
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data[:left])


def test_a_full_disk_loses_nothing() -> None:
    record: Record = parse_record(played(), "g")
    for room in range(10, len(b"".join(record.raw)), 1777):
        disk = SmallDisk(room)
        writer = RecordWriter(disk, "g.jsonl", durable=False)
        for line in record.lines:
            if disk.tell() + len(encode_line(line)) > disk.room:
                with pytest.raises(RecordError, match=r"g\.jsonl: the disk is full"):
                    writer.write([line])
                whole = disk.getvalue()
                assert whole == b"".join(record.raw[: whole.count(b"\n")])
                disk.room = 1 << 30
            writer.write([line])
        assert disk.getvalue() == b"".join(record.raw)


def test_a_game_goes_on_when_the_disk_has_room_again() -> None:
    from judge.course import Course

    setup = nine()
    disk = SmallDisk(4000)
    course = Course(verify(parse_record(played(), "g")).branch(0), seats(setup, lambda s: Legal(1)),
                    RecordWriter(disk, "g.jsonl", durable=False))  # fmt: skip
    course.begin()
    refused = 0
    while not course.over:
        for ask in course.missing():
            course.replies[ask.seat] = course.hear_now(ask)
        try:
            course.step()
        except RecordError:
            refused += 1
            disk.room = disk.tell() if refused < 3 else 1 << 30
    course.finish()
    body = disk.getvalue()
    assert refused >= 3
    assert body.count(b'"type":"decision"') == course.n
    assert body.count(b'"type":"event"') == len(course.game.events)
