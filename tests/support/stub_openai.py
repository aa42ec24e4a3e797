"""A small OpenAI-compatible server on loopback: answers by schema, deterministically. For tests only."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from threading import Event, Thread
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


FAULTS = (
    "malformed", "fenced", "empty", "refusal", "illegal", "overlong", "cut", "dropped", "http429", "http500", "hang",
)  # fmt: skip
"""cut: the reply ends in the middle, as such where it is whole and without a word where it is streamed. dropped: the
connection is closed in the middle of a reply."""
AS_WE_CALL_THEM = {
    "malformed": "unparsable", "fenced": "fenced", "empty": "empty", "refusal": "refused", "illegal": "illegal",
    "overlong": "overlong", "cut": "cut-off", "dropped": "server-down", "http429": "rate-limited",
    "http500": "server-down", "hang": "late",
}  # fmt: skip
"""Fault -> how a record calls what came of it (players.base.FAULTS and QUIRKS)."""


def legal(request: dict[str, Any], rng: Random) -> int | None:
    """One of the options that the question lists."""
    found = re.search(r"(?:one of: |可选：)([\d, 、]+)", request["messages"][-1]["content"]) or re.search(
        r"(?:one of: |可选：)([\d, 、]+)", str(request["messages"])
    )
    numbers = re.findall(r"\d+", found[1]) if found else []
    return int(rng.choice(numbers)) if numbers else None


def spoilt(text: str, fault: str) -> str:
    """The reply with its fault."""
    match fault:
        case "malformed":
            return text[: len(text) * 2 // 3]
        case "fenced":
            return f"Sure!\n```json\n{text}\n```"
        case "empty":
            return ""
        case "refusal":
            return "I'm sorry, but I can't help with that request."
        case "cut":
            return text[: len(text) // 2]
        case _:
            return text


def streamed(body: dict[str, Any]) -> bytes:
    """A completion as a stream of events; one that was cut simply ends."""
    (choice,) = body["choices"]
    text, finish = choice["message"]["content"], choice["finish_reason"]
    pieces = [{"delta": {"content": text[at : at + 40]}} for at in range(0, len(text), 40)]
    if finish != "length":
        pieces.append({"delta": {}, "finish_reason": finish})
    chunks = [json.dumps({"choices": [piece]}) for piece in pieces]
    return "".join(f"data: {chunk}\n\n" for chunk in (*chunks, *(["[DONE]"] if finish != "length" else []))).encode()


class Stub:
    """The server: how many requests it got, and the last one's body. formats: response formats that it takes.

    faults: probability of each fault; sent: how many of each went out. asked: requests that came, hung ones too.
    latency: seconds before each answer. keep: the requests, for tests to look at. thoughtful: no two
    reasonings are the same. thoughts: the reasoning of each request's reply, where it is thoughtful.
    """

    def __init__(
        self,
        formats: tuple[str, ...] = ("json_schema", "json_object"),
        faults: dict[str, float] | None = None,
        tools: bool = False,
        latency: float = 0.0,
        keep: bool = True,
        thoughtful: bool = False,
    ) -> None:
        self.thoughtful = thoughtful
        self.formats, self.faults, self.tools, self.latency, self._keep = formats, faults or {}, tools, latency, keep
        self.asked = 0
        self.sent: Counter[str] = Counter()
        self.requests: list[dict[str, Any]] = []
        self.thoughts: list[str] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")).strip():
                lines = head.decode("latin-1").split("\r\n")
                length = next((int(x.split(":")[1]) for x in lines if x.lower().startswith("content-length:")), 0)
                request = json.loads(await reader.readexactly(length) or b"{}")
                fault = self.fault(request)
                if fault == "hang":
                    await reader.read(1)  # until the client has had enough of it
                    return
                await asyncio.sleep(self.latency)
                status, body = self.answer(request, fault)
                kind, payload = "application/json", json.dumps(body).encode()
                if request.get("stream") and status == 200:
                    kind, payload = "text/event-stream", streamed(body)
                writer.write(
                    f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(payload)}\r\n\r\n".encode()
                    + (payload[: len(payload) // 2] if fault == "dropped" else payload)
                )
                await writer.drain()
                if fault == "dropped":
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def fault(self, request: dict[str, Any]) -> str:
        """What goes wrong with this request: seeded by its words and its number."""
        self.asked += 1
        draw = Random(f"{request.get('messages')}:{self.asked}").random()
        for fault, chance in self.faults.items():
            if draw < chance:
                self.sent[fault] += 1
                return fault
            draw -= chance
        return ""

    def answer(self, request: dict[str, Any], fault: str = "") -> tuple[int, dict[str, Any]]:
        if self._keep:
            self.requests.append(request)
            self.thoughts.append("")
        if fault in ("http429", "http500"):
            return int(fault[4:]), {"error": {"message": "not now"}}
        wanted = request.get("response_format", {})
        if request.get("tools") and not self.tools:
            return 400, {"error": {"message": "tools are not supported"}}
        if request.get("tools"):
            schema = request["tools"][0]["function"]["parameters"]
            arguments = json.dumps(sample(schema, Random(str(request["messages"]))))
            calls = [{"id": "c", "type": "function", "function": {"name": "reply", "arguments": arguments}}]
            choice = {"index": 0, "finish_reason": "tool_calls", "message": {"content": None, "tool_calls": calls}}
            return 200, {"id": "x", "object": "chat.completion", "model": "stub", "choices": [choice]}
        if wanted and wanted["type"] not in self.formats:
            return 400, {"error": {"message": f"response_format {wanted['type']} is not supported", "code": "bad"}}
        seed = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        text = '{"ok": true}'
        if wanted.get("type") == "json_schema":
            schema = wanted["json_schema"]["schema"]
            drawn = sample(schema, Random(seed))
            if schema["properties"].get("choice", {}).get("maximum"):
                drawn["choice"] = 99 if fault == "illegal" else legal(request, Random(seed))
                if fault == "illegal" and "reaction" in drawn:
                    drawn["reaction"] = "none"  # else the choice would not count
            elif fault == "illegal":
                self.sent["illegal"] -= 1  # talk and named choices have no seat to be wrong
            if self.thoughtful and "reasoning" in drawn:
                drawn["reasoning"] = self.thoughts[-1] = f"thought {seed[:12]}"
            if fault == "overlong":
                drawn["reasoning"] = "well, " * 4000
            text = json.dumps(drawn)
        text = spoilt(text, fault)
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        choice = {
            "index": 0,
            "finish_reason": "length" if fault == "cut" else "stop",
            "message": {"role": "assistant", "content": text},
        }
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


@contextmanager
def threaded(stub: Stub) -> Iterator[Stub]:
    """The stub listening in a thread of its own, for what brings its own event loop."""
    ready, loop = Event(), asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with running(stub):
            ready.set()
            await over.wait()
        await asyncio.sleep(0)

    thread = Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        ready.wait(10)
        yield stub
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
