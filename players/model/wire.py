"""A server's answer as it came, read without trust: whole bodies, and streams put together again."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from players.model.faults import Retry, Stop

_LOCAL = re.compile(r"fp_ollama|b\d{3,6}-")
BODY_LIMIT = 4 << 20  # bytes of a body that are read


class Completion(msgspec.Struct, frozen=True):
    """What a server sent, whatever it calls it.

    text: the content, or the arguments of the tool call. thoughts: reasoning that it sent apart. finish: why it ended,
    None where that is not told.
    counts: prompt, completion and cached prompt tokens; 0 where usage is missing.
    """

    model: str = ""
    text: str = ""
    thoughts: str = ""
    refusal: str = ""
    finish: str | None = None
    counts: tuple[int, int, int] = (0, 0, 0)
    local: bool = False


def read_body(content: bytes, kind: str) -> Completion:
    """A completion out of a body. kind: its content type. Raises Retry (broken JSON) and Stop (no completion)."""
    head = content[:200].lstrip()
    if head.startswith(b"data:"):
        return read_events(content)
    if "html" in kind or head[:1] == b"<":
        raise Stop("not-a-server", "a web page instead of a completion")
    try:
        plain = json.loads(content[:BODY_LIMIT])
    except (ValueError, RecursionError) as error:
        raise Retry("unparsable", f"the body is no JSON: {type(error).__name__}") from None
    if not isinstance(plain, dict):
        raise Stop("not-a-server", f"not a completion but {type(plain).__name__}")
    if plain.get("error") and not plain.get("choices"):
        raise Retry("server-down", f"an error in a 200: {_error(plain['error'])}")
    if "choices" not in plain:
        raise Stop("not-a-server", "not a completion: it has no choices")
    return _of_choices(plain)


def read_events(content: bytes) -> Completion:
    """A stream that was received whole. Raises Retry."""
    stream = Stream()
    for line in content[:BODY_LIMIT].splitlines():
        if line.startswith(b"data:") and line[5:].strip() not in (b"", b"[DONE]"):
            try:
                stream.take(json.loads(line[5:]))
            except (ValueError, RecursionError):
                raise Retry("unparsable", "a broken event in the stream") from None
    return stream.done()


class Stream:
    """Puts the chunks of a stream together."""

    def __init__(self) -> None:
        self.text = self.thoughts = self.refusal = self.arguments = self.model = ""
        self.finish: str | None = None
        self.counts = (0, 0, 0)

    def take(self, chunk: Any) -> str:
        """One chunk. Returns the piece of content in it. Raises Retry for an error event."""
        if not isinstance(chunk, dict):
            return ""
        if chunk.get("error"):
            raise Retry("server-down", f"an error in the stream: {_error(chunk['error'])}")
        self.model = self.model or _words(chunk.get("model"))
        self.counts = counts_of(chunk.get("usage")) or self.counts
        piece = ""
        for choice in _list(chunk.get("choices"))[:1]:  # the last chunk of a stream with usage has none
            given = choice.get("delta")
            delta: dict[str, Any] = given if isinstance(given, dict) else {}
            piece = _words(delta.get("content"))
            self.text += piece
            self.thoughts += _words(delta.get("reasoning_content")) or _words(delta.get("reasoning"))
            self.refusal += _words(delta.get("refusal"))
            self.arguments += _arguments(delta)
            self.finish = choice.get("finish_reason") or self.finish
        if len(self.text) + len(self.arguments) + len(self.thoughts) > BODY_LIMIT:
            raise Retry("cut-off", "the stream does not end")
        return piece

    def done(self) -> Completion:
        """What came in all."""
        text = self.arguments or self.text
        return Completion(self.model, text, self.thoughts, self.refusal, self.finish, self.counts)


def _of_choices(plain: dict[str, Any]) -> Completion:
    counts = counts_of(plain.get("usage")) or (0, 0, 0)
    model = _words(plain.get("model"))
    choice = next((one for one in _list(plain.get("choices")) if isinstance(one.get("message"), dict)), None)
    if choice is None:
        return Completion(model, finish="stop", counts=counts)
    message = choice["message"]
    return Completion(
        model,
        _arguments(message) or _content(message.get("content")),
        _words(message.get("reasoning_content")) or _words(message.get("reasoning")),
        _words(message.get("refusal")),
        _words(choice.get("finish_reason")) or "stop",
        counts,
        "timings" in plain or _LOCAL.match(_words(plain.get("system_fingerprint"))) is not None,
    )


def _content(content: Any) -> str:
    """Text, or a list of parts of text."""
    if isinstance(content, list):
        return "".join(_words(part.get("text")) for part in content if isinstance(part, dict))
    return _words(content)


def _arguments(message: dict[str, Any]) -> str:
    """The arguments of the first tool call, which some servers send as an object."""
    for call in _list(message.get("tool_calls"))[:1]:
        function = call.get("function")
        if isinstance(function, dict):
            given = function.get("arguments")
            return json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else _words(given)
    return ""


def counts_of(usage: Any) -> tuple[int, int, int] | None:
    """Prompt, completion and cached tokens, by any of their names."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else usage.get("prompt_cache_hit_tokens")
    return _number(usage.get("prompt_tokens")), _number(usage.get("completion_tokens")), _number(cached)


def _number(given: Any) -> int:
    return int(given) if isinstance(given, int | float) and 0 <= given < 1e12 else 0


def _words(given: Any) -> str:
    return given if isinstance(given, str) else ""


def _list(given: Any) -> list[dict[str, Any]]:
    return [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []


def _error(given: Any) -> str:
    return str(given.get("message") or given) if isinstance(given, dict) else str(given)
