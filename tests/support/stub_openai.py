"""A small OpenAI-compatible server on loopback: answers by schema, deterministically. For tests only."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any


def sample(schema: dict[str, Any], rng: Random) -> Any:
    """Something that fits a schema of the kinds our prompts use."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: sample(part, rng) for name, part in schema["properties"].items()}
    if kind == "array":
        return [sample(schema["items"], rng) for _ in range(schema.get("minItems", 0) or rng.randint(0, 2))]
    return {"string": "I listen.", "integer": 1, "number": 0.5, "boolean": rng.random() < 0.5, "null": None}[str(kind)]


class Stub:
    """The server: how many requests it got, and the last one's body. formats: response formats that it takes."""

    def __init__(self, formats: tuple[str, ...] = ("json_schema", "json_object")) -> None:
        self.formats = formats
        self.requests: list[dict[str, Any]] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")).strip():
                lines = head.decode("latin-1").split("\r\n")
                length = next((int(x.split(":")[1]) for x in lines if x.lower().startswith("content-length:")), 0)
                status, body = self.answer(json.loads(await reader.readexactly(length) or b"{}"))
                payload = json.dumps(body).encode()
                writer.write(
                    f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n"
                    f"content-length: {len(payload)}\r\n\r\n".encode()
                    + payload
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def answer(self, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.requests.append(request)
        wanted = request.get("response_format", {})
        if wanted and wanted["type"] not in self.formats:
            return 400, {"error": {"message": f"response_format {wanted['type']} is not supported", "code": "bad"}}
        seed = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        text = '{"ok": true}'
        if wanted.get("type") == "json_schema":
            text = json.dumps(sample(wanted["json_schema"]["schema"], Random(seed)))
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        return 200, {
            "id": "x", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice], "usage": usage,
        }  # fmt: skip


@asynccontextmanager
async def running(stub: Stub) -> AsyncIterator[Stub]:
    """The stub listening on a free port of loopback."""
    server = await asyncio.start_server(stub.serve, "127.0.0.1", 0)
    stub.port = server.sockets[0].getsockname()[1]
    try:
        yield stub
    finally:
        server.close()
        server.close_clients() if hasattr(server, "close_clients") else None
