"""The record's events as rows, in a chain of hashes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec

from arena.annotate.tables import EventRow
from judge.lines import EventLine
from judge.record import Record


def event_rows(record: Record, game_id: str) -> Iterator[EventRow]:
    """The record's events, each with the hash of all that stood before it."""
    day, phase, chain = 0, "setup", ""
    for line in record.events:
        payload: dict[str, Any] = msgspec.json.decode(line.event)
        kind = str(payload.pop("kind"))
        if kind == "phase":
            phase, day = str(payload["name"]), int(payload["number"]) or day
        actor = payload.get("seat")
        listed = payload.get("seats", ())
        target = payload.get("target")
        targets = tuple(listed) if isinstance(listed, list) else (target,) if isinstance(target, int) else ()
        yield EventRow(
            game_id=game_id,
            seq=line.seq,
            day=day,
            phase=phase,
            type=kind,
            actor=actor if isinstance(actor, int) else None,
            targets=targets,
            visible_to=() if line.to == "all" else line.to,
            payload=payload,
            ts="",
            prev_hash=chain,
        )
        chain = sha256(chain.encode() + _raw(line)).hexdigest()[:16]


def _raw(line: EventLine) -> bytes:
    return bytes(line.event)
