"""The data of data.toml, checked."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec


class MarkRule(msgspec.Struct, frozen=True):
    """Which field of an event holds seats, and what they are marked with: a fixed mark or the event's result.

    beside: whether the mark says more than the seat's card does.
    """

    seats: str
    mark: str = ""
    result: str = ""
    beside: bool = False


class Data(msgspec.Struct, frozen=True):
    """See data.toml."""

    confirm: frozenset[str]
    marks: dict[str, MarkRule]
    ballots: dict[str, str]
    topics: dict[str, str]


@cache
def data() -> Data:
    """The app's data about kinds of asks and events."""
    return msgspec.convert(tomllib.loads((files("tui") / "data.toml").read_text("utf-8")), Data)
