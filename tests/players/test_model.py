"""The model client and seat: every way a server can fail ends as a typed outcome and a legal, marked answer."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from engine.asks import Ask, seat_ask, text_ask
from engine.game import Game
from engine.setup import deal
from players.model import Endpoint, EndpointError, ModelClient, ModelPlayer, check_endpoint
from tests.support.stub_openai import Stub, running

URL = "http://127.0.0.1:9/v1"
POST = URL + "/chat/completions"
GAME = Game(deal("tournament", 9, seed=3, lang="en"))
VOTE = seat_ask(1, "day.vote", 0b1001010000, can_pass=True)  # seats 4, 6, 9
GOOD = '{"reasoning": "r", "beliefs": [{"seat": 4, "wolf": 0.7}, {"seat": 1, "wolf": 0.1}], "choice": 4}'


def body(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    usage = {
        "prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57, "prompt_tokens_details": {"cached_tokens": 32},
    }  # fmt: skip
    return {
        "id": "x", "object": "chat.completion", "created": 0, "model": "m-1", "choices": [choice], "usage": usage,
    }  # fmt: skip


def error(status: int, message: str = "no", headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message}}, headers=headers or {})


class Table:
    """A model seat whose waits are noted instead of waited."""

    def __init__(self, **options: Any) -> None:
        self.waits: list[float] = []
        self.now = 0.0

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)
            self.now += seconds

        endpoint = Endpoint(model="m", base_url=URL, **options)
        self.client = ModelClient(endpoint, sleep=sleep, clock=lambda: self.now)
        self.player = ModelPlayer(self.client, seed=1)

    async def ask(self, ask: Ask = VOTE, offers: tuple[Ask, ...] = ()) -> Any:
        reply = await self.player.reply(GAME.view(1), ask, offers)
        await self.client.close()
        ask.check(reply.answer)
        return reply


async def test_a_good_reply(httpx2_mock: Any) -> None:
    route = httpx2_mock.post(POST).respond(json=body(GOOD))
    reply = await Table().ask()
    assert (reply.answer, reply.fallback, reply.reasoning, reply.beliefs) == (4, "", "r", {4: 0.7})
    (call,) = reply.calls
    assert (call.model, call.tokens_in, call.tokens_out, call.tokens_cached, call.error) == ("m-1", 50, 7, 32, "")
    assert call.request
    assert call.response
    sent = json.loads(route.calls.last.request.content)
    assert sent["response_format"]["json_schema"]["strict"] is True
    assert sent["messages"][0]["role"] == "system"


@pytest.mark.parametrize(
    ("responses", "waits", "answer"),
    [
        ([error(500), error(429, headers={"retry-after": "3"})], [0.5, 3.0], 4),
        ([error(429, headers={"retry-after": "250"})], [250.0], 4),
        ([error(429, headers={"retry-after-ms": "1500"})], [1.5], 4),
        ([error(503), error(408), error(409)], [0.5, 1.0, 2.0], 4),
        ([httpx.ReadTimeout("t"), httpx.ConnectError("c")], [0.5, 1.0], 4),
        ([httpx.Response(200, text="{broken", headers={"content-type": "application/json"})], [0.5], 4),
    ],
)
async def test_what_may_pass_is_tried_again(
    httpx2_mock: Any, responses: list[Any], waits: list[float], answer: int
) -> None:
    httpx2_mock.post(POST).mock(side_effect=[*responses, httpx.Response(200, json=body(GOOD))])
    table = Table()
    reply = await table.ask()
    assert (reply.answer, reply.fallback, table.waits) == (answer, "", waits)


@pytest.mark.parametrize(
    ("response", "fallback", "requests"),
    [
        (error(500), "server-down", 4),
        (error(429), "rate-limited", 4),
        (error(429, headers={"retry-after": "9999"}), "rate-limited", 1),
        (httpx.ReadTimeout("t"), "late", 4),
        (httpx.ConnectError("c"), "server-down", 4),
        (error(401), "denied", 1),
        (error(403), "denied", 1),
        (error(404), "denied", 1),
        (error(409), "server-down", 4),
        (error(422), "denied", 1),
        (error(408), "late", 4),
        (error(400, "context length exceeded"), "denied", 2),
        (error(429, "insufficient_quota"), "denied", 1),
        (httpx.Response(200, json={"error": {"message": "overloaded"}}), "server-down", 4),
        (httpx.Response(200, text="[1, 2]", headers={"content-type": "application/json"}), "unparsable", 2),
        (httpx.Response(200, text="{broken", headers={"content-type": "application/json"}), "unparsable", 8),
        (httpx.Response(200, text="<html>hello</html>", headers={"content-type": "text/html"}), "unparsable", 2),
        (httpx.Response(200, json={**body(GOOD), "choices": []}), "empty", 2),
        (httpx.Response(200, json={**body(GOOD), "choices": None}), "empty", 2),
        (httpx.Response(200, json=body(GOOD, finish="length")), "cut-off", 2),
        (httpx.Response(200, json=body("I'm sorry, but I can't help with that.")), "refused", 2),
        (httpx.Response(200, json=body("很抱歉，我无法参与这个话题。")), "refused", 2),
        (httpx.Response(200, json=body(None, finish="content_filter")), "refused", 2),
        (httpx.Response(200, json=body(None, refusal="I will not")), "refused", 2),
        (httpx.Response(200, json=body("")), "empty", 2),
        (httpx.Response(200, json=body("I vote for seat four")), "unparsable", 2),
        (httpx.Response(200, json=body('{"choice": 5}')), "illegal", 2),
        (httpx.Response(200, json=body('{"nothing": 5}')), "unparsable", 2),
    ],
)
async def test_what_does_not_pass_is_a_marked_fallback(
    httpx2_mock: Any, response: Any, fallback: str, requests: int
) -> None:
    route = httpx2_mock.post(POST).mock(side_effect=[response] * requests)
    reply = await Table().ask()
    again = ModelPlayer(ModelClient(Endpoint(model="m")), seed=1).fallback(GAME.view(1), VOTE)
    assert (reply.fallback, route.call_count, reply.answer) == (fallback, requests, again)
    assert reply.calls[-1].error
    assert [call.fault for call in reply.calls] == [fallback] * requests


async def test_an_illegal_reply_is_asked_again_with_the_reason(httpx2_mock: Any) -> None:
    first, second = (httpx.Response(200, json=body(text)) for text in ('{"choice": 5}', GOOD))
    route = httpx2_mock.post(POST).mock(side_effect=[first, second])
    reply = await Table().ask()
    assert (reply.answer, reply.fallback, len(reply.calls)) == (4, "", 2)
    sent = json.loads(route.calls.last.request.content)["messages"]
    assert "not among" in sent[-1]["content"]
    assert sent[-2] == {"role": "assistant", "content": '{"choice": 5}'}


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_the_ladder_of_output_methods(httpx2_mock: Any, status: int) -> None:
    said = ["response_format json_schema unknown", "tools are not supported", "response_format not supported"]
    plain = httpx.Response(200, json=body("I vote for seat 6."))
    route = httpx2_mock.post(POST).mock(side_effect=[*(error(status, words) for words in said), plain, plain])
    table = Table()
    reply = await table.ask()
    assert (reply.answer, table.client.rung, table.waits) == (6, "text", [])
    await table.ask()  # remembered: no further refusal
    bodies = [json.loads(call.request.content) for call in route.calls]
    sent = ["tool" if "tools" in one else one.get("response_format", {}).get("type") for one in bodies]
    assert sent == ["json_schema", "tool", "json_object", None, None]
    assert [call.fault for call in reply.calls] == ["adapted"] * 3 + [""]


async def test_fields_a_server_refuses_are_left_out(httpx2_mock: Any) -> None:
    refused = [error(400, "use max_completion_tokens, not max_tokens"), error(400, "temperature is not supported")]
    route = httpx2_mock.post(POST).mock(side_effect=[*refused, httpx.Response(200, json=body(GOOD))])
    reply = await Table(temperature=0.5).ask()
    sent = json.loads(route.calls.last.request.content)
    assert reply.answer == 4
    assert "max_completion_tokens" in sent
    assert not {"max_tokens", "temperature"} & sent.keys()


async def test_a_speech_is_bounded_and_clean(httpx2_mock: Any) -> None:
    said = "法官：\n天亮了\x1b[31m " + "长" * 900
    claims = [
        {"act": "accuse", "subject": 1, "target": 4, "about": None, "value": None, "negated": False},
        {"act": "accuse", "subject": 1, "target": 77, "about": None, "value": None, "negated": False},
        "nonsense",
    ]
    httpx2_mock.post(POST).respond(json=body(json.dumps({"speech": said, "claims": claims})))
    reply = await Table().ask(text_ask(1, "day.speak"))
    assert len(reply.answer) == 500
    assert "\n" not in reply.answer
    assert "\x1b" not in reply.answer
    assert [claim.target for claim in reply.claims] == [4]


@pytest.mark.parametrize(
    ("status", "words"), [(401, "OPENAI_API_KEY"), (404, "no model"), (429, "quota"), (500, "cannot be used")]
)
async def test_check_endpoint(httpx2_mock: Any, status: int, words: str) -> None:
    httpx2_mock.post(POST).respond(status, json={"error": {"message": "no"}})
    with pytest.raises(EndpointError, match=words) as caught:
        await check_endpoint(Endpoint(model="m", base_url=URL, api_key="sk-secret"))  # type: ignore[arg-type]  # pydantic takes the plain text
    assert "sk-secret" not in str(caught.value)


async def test_a_strict_endpoint_ends_the_game(httpx2_mock: Any) -> None:
    httpx2_mock.post(POST).respond(401, json={"error": {"message": "no"}})
    with pytest.raises(EndpointError):
        await Table(strict=True).ask()


async def test_nothing_listens() -> None:
    with pytest.raises(EndpointError, match="server running"):
        await check_endpoint(Endpoint(model="m", base_url="http://127.0.0.1:9/v1", timeout=5))


@pytest.mark.parametrize("formats", [("json_schema", "json_object"), ()])
async def test_a_real_server_on_loopback(formats: tuple[str, ...]) -> None:
    async with running(Stub(formats)) as stub:
        endpoint = Endpoint(model="stub", base_url=stub.url, backoff=0)
        await check_endpoint(endpoint)
        client = ModelClient(endpoint)
        game = Game(deal("tournament", 9, seed=8, lang="zh"))
        own = fallen_back = 0
        try:
            for _ in range(6):
                answers = {}
                for ask in game.asks:
                    reply = await ModelPlayer(client, seed=ask.seat).reply(game.view(ask.seat), ask, ())
                    answers[ask.seat] = reply.answer
                    own += not reply.fallback
                    fallen_back += bool(reply.fallback)
                game.answer(answers)
        finally:
            await client.close()
        assert own + fallen_back >= 6
        assert own > 0 if formats else fallen_back > 0
        assert len(stub.requests) > 6
