"""A small question to a model on the judge's behalf: a JSON object with the wanted field, or nothing."""

from __future__ import annotations

import json
from typing import Any, Protocol

import msgspec

from players.base import Call, SeatDown


class Asker(Protocol):
    """The part of a model client that the judge needs (players.model.ModelClient)."""

    async def ask(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> Any:
        """Ask one question."""
        ...


class Heard(msgspec.Struct, frozen=True):
    """What came of a question. fields: empty if there is no usable reply, and `fault` says why (players.base.FAULTS).

    calls: what it took.
    """

    fields: dict[str, Any]
    fault: str = ""
    calls: tuple[Call, ...] = ()


async def ask_for(client: Asker, messages: list[dict[str, str]], schema: dict[str, Any]) -> Heard:
    """Ask one question. Never raises for what the server did."""
    try:
        got = await client.ask(messages, schema)
    except SeatDown:
        return Heard({}, "server-down")
    calls: tuple[Call, ...] = getattr(got, "calls", ())
    text = str(getattr(got, "text", ""))
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return Heard(found, "", calls)
    return Heard({}, getattr(got, "fault", "unparsable"), calls)


async def reply_of(client: Asker, messages: list[dict[str, str]], schema: dict[str, Any]) -> dict[str, Any]:
    """The reply's fields; empty if there is no usable reply. Never raises for what the server did."""
    return (await ask_for(client, messages, schema)).fields


def number_in(reply: dict[str, Any], field: str, most: int) -> int:
    """A number from 1 to `most` in a reply, else 0."""
    given = reply.get(field)
    return given if type(given) is int and 1 <= given <= most else 0
