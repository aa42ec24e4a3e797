"""How many tokens a text has, without a network: exact where the model's encoding is known, estimated elsewhere.

The two encodings come with the package, compressed. They are unpacked into a cache folder of the user's under the names
that tiktoken looks for; never is tiktoken pointed at the originals, since it deletes a file whose hash is wrong.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

NAMES = {
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}
"""Encoding -> its name in tiktoken's cache, and the SHA-256 of its data."""
MARGIN = 1.15  # on the estimate of an encoding that is not the model's own
WEIGHT = 0.2  # of the newest call in the moving ratio
FRAME = 4  # tokens that a chat template puts round each message, about


def cache_folder() -> Path:
    """Where the encodings are unpacked: TIKTOKEN_CACHE_DIR, else a folder of the user's cache."""
    named = os.environ.get("TIKTOKEN_CACHE_DIR")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("tianhei", appauthor=False) / "tiktoken"


@cache
def encoding(name: str) -> Encoding:
    """An encoding, unpacked first if need be. Takes 0.3 to 0.7 CPU s, once a process. Raises OSError."""
    folder = cache_folder()
    key, digest = NAMES[name]
    target = folder / key
    if not target.is_file() or hashlib.sha256(target.read_bytes()).hexdigest() != digest:
        packed = (files("players") / "data" / f"{name}.tiktoken.gz").read_bytes()
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{key}.{os.getpid()}.part"
        part.write_bytes(gzip.decompress(packed))
        part.replace(target)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken

    return tiktoken.get_encoding(name)


def encoding_name(model: str) -> tuple[str, bool]:
    """The encoding of a model, and whether it is known to be the model's own."""
    import tiktoken

    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        return "o200k_base", False
    return (name, True) if name in NAMES else ("o200k_base", False)


class Counter:
    """Counts for one model; learns from the server's usage how far its own count is off."""

    def __init__(self, model: str) -> None:
        self.name, self.exact = encoding_name(model)
        self.ratio = 1.0 if self.exact else MARGIN

    def raw(self, text: str) -> int:
        """Tokens of the encoding; a player's <|endoftext|> is plain text."""
        return len(encoding(self.name).encode(text, disallowed_special=()))

    def count(self, messages: list[dict[str, str]]) -> int:
        """Tokens of a prompt, as the model's server will count them, about."""
        return round(self.ratio * sum(self.raw(message["content"]) + FRAME for message in messages))

    def learn(self, messages: list[dict[str, str]], told: int) -> None:
        """What the server counted for these messages."""
        own = sum(self.raw(message["content"]) + FRAME for message in messages)
        if own > 50 and told > 0:
            now = min(8.0, max(0.2, told / own))
            self.ratio += WEIGHT * (now - self.ratio)


@cache
def counter(model: str) -> Counter:
    """The process's counter for a model."""
    return Counter(model)
