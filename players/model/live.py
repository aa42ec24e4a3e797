"""A speech out of a JSON reply that is still coming."""

from __future__ import annotations

import json
import re

from engine.text import clean
from players.model.reading import SPEECH_LIMIT, unthought

_OPENS = re.compile(r'"speech"\s*:\s*"')
BUFFER_LIMIT = 40_000  # characters before the speech that are looked through


class SpeechStream:
    """Fed with the pieces of a reply, gives the clean words of its field `speech` that are new, at most as many as a
    speech may have. Whatever else the reply holds never gets through."""

    def __init__(self) -> None:
        self._text, self._given, self._at = "", 0, -1

    def feed(self, piece: str) -> str:
        """The words that are new."""
        if self._given >= SPEECH_LIMIT or len(self._text) > BUFFER_LIMIT:
            return ""
        self._text += piece
        if self._at < 0:
            reply = unthought(self._text)
            found = _OPENS.search(reply)
            if found is None or (reply is self._text and self._text.lstrip().startswith("<think>")):
                return ""
            self._at = len(self._text) - len(reply) + found.end()
        words = clean(self._so_far())[:SPEECH_LIMIT]
        fresh, self._given = words[self._given :], max(self._given, len(words))
        return fresh

    def _so_far(self) -> str:
        """The string up to its closing quote, or up to the last whole escape."""
        raw = self._text[self._at :]
        end = re.match(r'(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*', raw)
        body = end[0] if end else ""
        try:
            words: str = json.loads(f'"{body}"', strict=False)
        except ValueError:
            return ""
        return words.encode("utf-8", "ignore").decode()  # half of a surrogate pair
