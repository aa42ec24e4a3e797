"""Recorded shapes of servers, and what the client learns of each: told as they come over the wire."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.asks import seat_ask
from engine.game import Game
from engine.setup import deal
from players.model import Ability, Endpoint, EndpointError, Failure, Memory, ModelClient, ModelPlayer
from players.model.breaker import Breaker
from players.model.live import SpeechStream
from players.model.probe import probe
from tests.support.stub_openai import Stub, running

URL = "http://127.0.0.1:9/v1"
POST = URL + "/chat/completions"
GAME = Game(deal("tournament", 9, seed=3, lang="en"))
VOTE = seat_ask(1, "day.vote", 0b1001010000, can_pass=True)  # seats 4, 6, 9
REPLY = '{"reasoning": "r", "beliefs": [], "choice": 4}'


def completion(message: dict[str, Any], **more: Any) -> httpx.Response:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    return httpx.Response(200, json={"id": "x", "object": "chat.completion", "choices": [choice], **more})


def events(*chunks: Any, done: bool = True) -> httpx.Response:
    lines = [f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n" for chunk in chunks]
    text = "".join(lines) + ("data: [DONE]\n\n" if done else "")
    return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})


def piece(text: str = "", finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish}]}


def refused(message: str, status: int = 400) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message}})


CALLED = {"id": "c", "type": "function", "function": {"name": "reply", "arguments": REPLY}}
LLAMA = {"timings": {"prompt_n": 1}, "usage": {"prompt_tokens": 9, "completion_tokens": 3}}
DEEPSEEK = {"usage": {"prompt_tokens": 90, "completion_tokens": 30, "prompt_cache_hit_tokens": 64}}


@pytest.mark.parametrize(
    ("responses", "known"),
    [
        ([completion({"content": REPLY}, usage=None)], {}),
        ([completion({"content": REPLY, "reasoning_content": "thinking {x}"}, **DEEPSEEK)], {}),
        ([completion({"content": "", "reasoning_content": f"so: {REPLY}"})], {}),
        ([completion({"content": f"<think>seat 9? {{}}</think>\n{REPLY}"})], {}),
        ([completion({"content": [{"type": "text", "text": REPLY}]})], {}),
        ([completion({"content": REPLY}, **LLAMA)], {"exact": True}),
        ([completion({"content": REPLY}, system_fingerprint="fp_ollama")], {"exact": True}),
        ([refused("Unsupported parameter: use 'max_completion_tokens'")], {"tokens_field": "max_completion_tokens"}),
        ([refused("Conversation roles must alternate user/assistant")], {"alternate": True}),
        ([refused("System role not supported")], {"system": False, "alternate": True}),
        ([refused("response_format type json_schema is unavailable now"), completion({"tool_calls": [CALLED]})],
         {"rung": "tool"}),
        ([refused("json_schema?", 500), refused("tool choice not supported"), completion({"content": REPLY})],
         {"rung": "json"}),
        ([refused("parameter.enable_thinking must be set to false for non-streaming calls")], {"no_thinking": True}),
        ([refused("This model only supports streaming"), events(piece(REPLY), piece(finish="stop"))],
         {"stream": True}),
        ([refused("stream must be true"), refused("unknown field stream_options"),
          events(piece(REPLY[:9]), piece(REPLY[9:], "stop"))], {"stream": True, "usage": False}),
        ([events(piece(REPLY, "stop"), {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}})], {}),
        ([completion({"content": "\ufeff  " + REPLY})], {}),
        ([completion({"content": REPLY[:-1] + ",}"})], {}),
    ],
)  # fmt: skip
async def test_shapes_of_servers(httpx2_mock: Any, responses: list[httpx.Response], known: dict[str, Any]) -> None:
    httpx2_mock.post(POST).mock(side_effect=[*responses, *[completion({"content": REPLY})] * 2])
    client = ModelClient(Endpoint(model="m", base_url=URL, backoff=0))
    reply = await ModelPlayer(client, seed=1).reply(GAME.view(1), VOTE, ())
    await client.close()
    assert (reply.answer, reply.fallback) == (4, "")
    expected = {"proven": True, **known}
    assert {name: getattr(client.known, name) for name in expected} == expected
    assert not [call for call in reply.calls[:-1] if call.fault != "adapted"]


async def test_no_system_role_means_one_message(httpx2_mock: Any) -> None:
    route = httpx2_mock.post(POST).mock(
        side_effect=[refused("System role not supported"), completion({"content": REPLY})]
    )
    client = ModelClient(Endpoint(model="m", base_url=URL))
    await ModelPlayer(client, seed=1).reply(GAME.view(1), VOTE, ())
    await client.close()
    sent = json.loads(route.calls.last.request.content)["messages"]
    assert [message["role"] for message in sent] == ["user"]


@pytest.mark.parametrize(
    ("response", "fault"),
    [
        (events(piece(REPLY[:20]), done=False), "cut-off"),
        (events(piece(REPLY[:20])), "cut-off"),
        (events(piece(REPLY, "length")), "cut-off"),
        (events("{broken"), "unparsable"),
        (events({"error": {"message": "overloaded"}}), "server-down"),
        (httpx.Response(200, text="<html>", headers={"content-type": "text/html"}), "unparsable"),
        (events(), "cut-off"),
    ],
)
async def test_streams_that_break(httpx2_mock: Any, response: httpx.Response, fault: str) -> None:
    httpx2_mock.post(POST).mock(side_effect=[response] * 4)
    client = ModelClient(Endpoint(model="m", base_url=URL, backoff=0))
    client.use(Ability(stream=True))
    got = await client.ask([{"role": "user", "content": "?"}], {})
    await client.close()
    assert isinstance(got, Failure)
    assert got.fault == fault


async def test_a_prompt_too_long_is_made_shorter_and_the_limit_remembered(
    httpx2_mock: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "tiktoken"))
    complaint = refused("This model's maximum context length is 900 tokens. However, you requested 1200 tokens")
    route = httpx2_mock.post(POST).mock(side_effect=[complaint, completion({"content": REPLY})])
    client = ModelClient(Endpoint(model="m", base_url=URL, max_tokens=64))
    player = ModelPlayer(client, seed=1)
    player._notes[1] = ["a thought that is rather long " * 9] * 8
    reply = await player.reply(GAME.view(1), VOTE, ())
    await client.close()
    assert (reply.answer, client.known.context) == (4, 900)
    first, second = (json.loads(call.request.content)["messages"] for call in route.calls)
    assert first[:2] == second[:2], "the public part stays"
    assert len(second[2]["content"]) < len(first[2]["content"])


def test_what_was_learned_is_remembered_by_server_and_model(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "endpoints.json"
    memory, known = Memory(path), Ability(rung="json", proven=True)
    memory.keep("a m", known)
    memory.keep("b m", Ability())
    assert Memory(path).recall("a m") == known
    assert Memory(path).recall("c m") is None
    client = ModelClient(Endpoint(model="m", base_url="http://user:secret@a/v1"), memory=memory)
    assert "secret" not in client.endpoint.name
    path.write_text("{broken")
    assert memory.recall("a m") is None
    memory.keep("a m", known)
    assert memory.recall("a m") == known


@pytest.mark.parametrize(
    ("formats", "rung"), [(("json_schema", "json_object"), "schema"), (("json_object",), "tool"), ((), "tool")]
)
async def test_the_probe_finds_what_works(tmp_path: Path, formats: tuple[str, ...], rung: str) -> None:
    memory = Memory(tmp_path / "endpoints.json")
    async with running(Stub(formats, tools=True)) as stub:
        report = await probe(Endpoint(model="stub", base_url=stub.url, backoff=0), memory)
    assert report.used.rung == rung
    assert memory.recall(report.endpoint) == report.used
    assert [one.rung for one in report.tried] == ["schema", "tool", "json", "text"]


def test_the_breaker_tries_one_at_a_time_and_closes_again() -> None:
    now = [0.0]
    breaker = Breaker(3, 1.0, lambda: now[0])
    for _ in range(3):
        assert breaker.wait() == 0
        breaker.sent()
        breaker.bad()
    assert breaker.wait() == 1.0
    assert not breaker.dead(5.0)
    now[0] = 1.0
    assert breaker.wait() == 0
    breaker.sent()
    assert breaker.wait() > 0, "one request tries"
    breaker.bad()
    assert breaker.wait() == 2.0
    now[0] = 6.0
    assert breaker.dead(5.0)
    breaker.sent()
    breaker.good()
    assert breaker.wait() == 0
    breaker.limited(200.0)
    assert breaker.wait() == 200.0


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_speech_is_heard_while_it_is_made(size: int) -> None:
    said = '我是"预言家"\n, seat 3\u0007 is \\ good 🐺'
    text = '<think>"speech": "no"</think>' + json.dumps({"reasoning": "secret", "speech": said, "claims": []})
    stream, heard = SpeechStream(), ""
    for at in range(0, len(text), size):
        heard += stream.feed(text[at : at + size])
    assert heard.replace(" ", "") == '我是"预言家",seat3is\\good🐺'
    assert "secret" not in heard


@pytest.mark.parametrize("aiohttp", [True, False])
async def test_a_port_where_nothing_listens_is_no_server_that_is_late(aiohttp: bool) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # bound and not listening: nobody else can take it meanwhile
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        client = ModelClient(Endpoint(model="m", base_url=url, attempts=1), aiohttp=aiohttp)
        try:
            got = await client.ask([{"role": "user", "content": "?"}], {"type": "object"})
            with pytest.raises(EndpointError, match="nothing listens at 127"):
                await client.check()
        finally:
            await client.close()
    assert isinstance(got, Failure)
    assert got.fault == "server-down"
    assert "cannot connect" in got.detail


@pytest.mark.parametrize("aiohttp", [True, False])
async def test_a_server_that_does_not_answer_in_time_is_late(aiohttp: bool) -> None:
    async with running(Stub(faults={"hang": 1.0})) as stub:
        client = ModelClient(Endpoint(model="m", base_url=stub.url, attempts=1, timeout=0.05), aiohttp=aiohttp)
        got = await client.ask([{"role": "user", "content": "?"}], {"type": "object"})
        await client.close()
    assert isinstance(got, Failure)
    assert got.fault == "late"
