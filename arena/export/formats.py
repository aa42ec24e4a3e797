"""The formats by name."""

from __future__ import annotations

from arena.export.base import Writer
from arena.export.heavy import inspect, parquet
from arena.export.plain import aiwolf, chat, convokit, html, jsonl

FORMATS: dict[str, Writer] = {
    "parquet": parquet,
    "jsonl": jsonl,
    "convokit": convokit,
    "chat": chat,
    "inspect": inspect,
    "aiwolf": aiwolf,
    "html": html,
}
