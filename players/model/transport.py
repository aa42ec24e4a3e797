"""One request to an endpoint: the openai client of the running loop, what goes over it raw, and what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from players.model.endpoint import Endpoint
from players.model.wire import BODY_LIMIT, Completion, Stream, read_body

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Heard = Callable[[str], None]
"""Is told the pieces of a streamed content as they come."""


def packed(body: dict[str, Any]) -> bytes:
    """The body as JSON. Raises ValueError for what no JSON can hold."""
    return msgspec.json.encode(body)


class Transport:
    """Sends to one endpoint. Its connections belong to one event loop and are made anew in another."""

    def __init__(self, endpoint: Endpoint, http_client: Any = None, *, aiohttp: bool = False) -> None:
        """http_client: instead of the openai client's own. aiohttp: the one for many requests at once."""
        self.endpoint = endpoint
        self.turns = asyncio.Semaphore(endpoint.parallel)
        """One for each request that may be under way."""
        self._http_client, self._aiohttp = http_client, aiohttp
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: AsyncOpenAI | None = None

    async def send(self, body: dict[str, Any], heard: Heard | None) -> Completion:
        """One request; it goes raw and is read here, as servers send much that the client would not stand.

        Raises Trouble, and whatever the openai client and its transport raise.
        """
        client = self._open()
        if not body.get("stream"):
            import httpx2

            # As bytes the fields go as they are; as arguments the library would walk through every message and schema,
            # which takes a third of a call's time.
            raw = await client.post("/chat/completions", cast_to=httpx2.Response, content=packed(body))
            return read_body(raw.content, raw.headers.get("content-type", ""))
        completions: Any = client.chat.completions
        fields = {"model": body["model"], "messages": (), "extra_body": body}
        async with completions.with_streaming_response.create(**fields) as response:
            kind = response.headers.get("content-type", "")
            if "event-stream" not in kind:
                return read_body((await response.read())[:BODY_LIMIT], kind)
            stream = Stream()
            async for line in response.iter_lines():
                data = line[5:].strip() if line.startswith("data:") else ""
                if data == "[DONE]":
                    break
                piece = stream.take(json.loads(data)) if data else ""
                if piece and heard is not None:
                    heard(piece)
            return stream.done()

    async def close(self) -> None:
        """Close the connections. It may be used again afterwards."""
        client, self._client = self._client, None
        if client is not None and self._http_client is None:
            await client.close()

    def _open(self) -> AsyncOpenAI:
        """The openai client of this event loop; connections cannot move from one loop to another."""
        from openai import AsyncOpenAI, DefaultAioHttpClient

        loop = asyncio.get_running_loop()
        if self._client is None or loop is not self._loop:
            end, self._loop = self.endpoint, loop
            key = end.api_key.get_secret_value() if end.api_key else "none"
            self.turns = asyncio.Semaphore(end.parallel)
            http = self._http_client
            if http is None and self._aiohttp:
                import httpx2

                limits = httpx2.Limits(max_connections=end.parallel, max_keepalive_connections=end.parallel)
                http = DefaultAioHttpClient(limits=limits)
            self._client = AsyncOpenAI(
                api_key=key,
                base_url=end.base_url or "https://api.openai.com/v1",  # never from the environment behind our back
                max_retries=0,
                timeout=end.timeout,
                http_client=http,
            )
        return self._client


__all__ = ["Heard", "Transport", "packed"]
