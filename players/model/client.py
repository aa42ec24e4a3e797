"""The one wrapper round the openai client: whatever happens, a question ends as `Answer` or `Failure`."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from players.base import Call
from players.model.ability import RUNGS, Ability, Memory, Rung, learned, output_fields, shaped, too_long
from players.model.breaker import Breaker
from players.model.endpoint import Endpoint
from players.model.faults import (
    Adapted,
    Retry,
    Stop,
    TooLong,
    Trouble,
    is_refusal,
    of_status,
    root,
    said,
    timed_out,
    unusable,
)
from players.model.transport import Heard, Transport, packed
from players.model.wire import Completion

if TYPE_CHECKING:
    from openai import APIStatusError

Messages = list[dict[str, str]]
Seen = Callable[[dict[str, Any], float, float], None]
"""Is told of each request: its body, when it went and when its answer was there, in seconds that only grow."""
ADAPTIONS = 12  # refused fields that one question may meet
MORE_TOKENS = 4  # how far max_tokens grows for a model whose thoughts take them all
MOST_TOKENS = 100_000
PROBE = 'Reply with the JSON {"ok": true}.'
PROBE_SCHEMA = {
    "type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"], "additionalProperties": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """A completion's text. rung: the method of output it was asked with. calls: all requests that were made for it."""

    text: str
    rung: Rung
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """No completion with text. fault: one of players.base.FAULTS. final: asking again is no use now."""

    fault: str
    detail: str
    calls: tuple[Call, ...]
    final: bool = True
    limit: int | None = None
    """Where the prompt was too long: the tokens that the model takes, 0 if it does not say."""


class ModelClient:
    """Asks one endpoint. Shared by all seats of a table, or of many; what it learns of the server holds for all."""

    def __init__(
        self,
        endpoint: Endpoint,
        http_client: Any = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        *,
        memory: Memory | None = None,
        clock: Callable[[], float] = time.monotonic,
        aiohttp: bool = False,
        seen: Seen | None = None,
    ) -> None:
        """http_client: instead of the openai client's own. aiohttp: the transport for many requests at once. memory:
        what earlier runs learned of the server. clock: seconds that only grow. seen: for measurements."""
        self.endpoint, self._memory = endpoint, memory or Memory(None)
        self._known = self._memory.recall(endpoint.name) or Ability()
        self.remembered = self._known.proven
        self._transport = Transport(endpoint, http_client, aiohttp=aiohttp)
        self._sleep, self._clock = sleep, clock
        self._tokens, self._seen = endpoint.max_tokens, seen
        self._breaker = Breaker(endpoint.breaker, endpoint.backoff, clock)

    @property
    def known(self) -> Ability:
        """What is known of the server."""
        return self._known

    @property
    def rung(self) -> Rung:
        """The method of output in use."""
        return self._known.rung

    @property
    def schemed(self) -> bool:
        """Whether the server is sent a schema that its model is shown or held to, so that a prompt need not repeat it.
        Small local models do better with both."""
        return self._known.rung in ("schema", "tool") and not self._known.exact

    @property
    def context(self) -> int | None:
        """Tokens that the model takes, where that is known."""
        said_so, set_so = self._known.context, self.endpoint.context
        return min(said_so, set_so) if said_so and set_so else set_so or said_so

    @property
    def resting(self) -> float:
        """Seconds for which the server wants no request, or is not asked as it is down; 0 if it may be asked."""
        return self._breaker.wait()

    def use(self, known: Ability) -> None:
        """Ask like this from now on, and remember it."""
        self._known = known
        if known.proven:
            self._memory.keep(self.endpoint.name, known)

    async def ask(self, messages: Messages, schema: dict[str, Any], heard: Heard | None = None) -> Answer | Failure:
        """One question, with retries, within the deadline. heard: asks for a stream. Raises for cancellation alone."""
        end, calls = self.endpoint, list[Call]()
        until, attempt, adapted, began = self._clock() + end.deadline, 0, 0, time.perf_counter()
        while True:
            body: dict[str, Any] = {}
            try:
                async with self._transport.turns:
                    await self._allowed(until)
                    body = self._body(messages, schema, streamed=heard is not None)
                    began = time.perf_counter()
                    try:
                        got = await self._attempt(body, until, heard)
                    finally:
                        if self._seen is not None:
                            self._seen(body, began, time.perf_counter())
                if got.local and not self._known.exact:
                    self._known = msgspec.structs.replace(self._known, exact=True)
                text = self._usable(got)
            except Trouble as trouble:
                if body:
                    calls.append(self._call(body, Completion(), time.perf_counter() - began, trouble))
                if isinstance(trouble, Adapted) and adapted < ADAPTIONS:
                    adapted += 1
                    continue
                attempt += 1
                wait = self._wait(trouble, attempt)
                if wait is None or attempt >= end.attempts or self._clock() + wait > until:
                    return self._failure(trouble, calls)
                await self._sleep(wait)
            else:
                fault, detail = text[1:]
                useless = Trouble(fault, detail) if fault else None
                calls.append(self._call(body, got, time.perf_counter() - began, useless))
                if useless is not None:
                    return Failure(fault, detail, tuple(calls), final=False)
                return Answer(text[0], self._known.rung, tuple(calls))

    async def check(self) -> Answer:
        """Make sure that the server answers, knows the key and has the model, and learn what it takes.

        Raises EndpointError.
        """
        got = await self.ask([{"role": "user", "content": PROBE}], PROBE_SCHEMA)
        while isinstance(got, Failure):
            trouble = Trouble("not-a-server" if got.detail.startswith(NOT_A_SERVER) else got.fault, got.detail)
            below = self._known.below()
            if got.fault not in ("server-down", "unparsable", "empty") or "cannot connect" in got.detail or not below:
                raise unusable(self.endpoint, trouble)
            if "HTTP 5" not in got.detail and got.fault == "server-down":
                raise unusable(self.endpoint, trouble)
            self._known = below  # some servers answer an output method they do not know with a 500
            got = await self.ask([{"role": "user", "content": PROBE}], PROBE_SCHEMA)
        self.proven()
        return got

    def proven(self) -> None:
        """The last answer was readable: what is known of the server is worth remembering."""
        if not self._known.proven:
            self.use(msgspec.structs.replace(self._known, proven=True))

    def unusable(self, fault: str, detail: str) -> Exception:
        """The EndpointError that says so, with what to do."""
        return unusable(self.endpoint, Trouble(fault, detail))

    async def close(self) -> None:
        """Close the connections. The client may be used again afterwards."""
        await self._transport.close()

    # -- one attempt

    async def _allowed(self, until: float) -> None:
        """Wait until the server may be asked. Raises Stop if it is down for too long."""
        while (wait := self._breaker.wait()) > 0:
            if self._breaker.dead(self.endpoint.deadline):
                raise Stop("server-down", f"{self.endpoint.host} has been down for a while")
            if self._clock() + wait > until:
                down = self._breaker.down_since is not None
                raise Stop("server-down" if down else "rate-limited", f"{self.endpoint.host} takes no requests now")
            await self._sleep(wait)
        self._breaker.sent()

    def _body(self, messages: Messages, schema: dict[str, Any], *, streamed: bool) -> dict[str, Any]:
        end, known = self.endpoint, self._known
        body: dict[str, Any] = {"model": end.model, "messages": shaped(messages, known)}
        body[known.tokens_field] = self._tokens
        if end.temperature is not None and known.temperature:
            body["temperature"] = end.temperature
        body.update(output_fields(known, schema))
        if known.stream or streamed:
            body["stream"] = True
            if known.usage:
                body["stream_options"] = {"include_usage": True}
        if known.no_thinking:
            body["enable_thinking"] = False
        return {**body, **end.extra}

    async def _attempt(self, body: dict[str, Any], until: float, heard: Heard | None) -> Completion:
        """One request. Raises Trouble, nothing else but cancellation."""
        import openai

        seconds = max(0.05, min(self.endpoint.timeout, until - self._clock()))
        try:
            async with asyncio.timeout(seconds):  # the client's own limits each read, not the whole
                got = await self._transport.send(body, heard)
        except (openai.APITimeoutError, TimeoutError) as error:  # a subclass of the connection error: first
            self._breaker.bad()
            if not timed_out(error):
                raise Retry("server-down", f"cannot connect to {self.endpoint.host}: {root(error)}") from None
            raise Retry("late", f"no answer within {seconds:.3g} s") from None
        except openai.APIConnectionError as error:
            self._breaker.bad()
            raise Retry("server-down", f"cannot connect to {self.endpoint.host}: {root(error)}") from None
        except openai.APIStatusError as error:
            raise self._judged(error) from None
        except Retry as retry:
            (self._breaker.bad if retry.fault == "server-down" else self._breaker.good)()
            raise
        except (openai.OpenAIError, ValueError) as error:
            self._breaker.good()
            raise Retry("unparsable", f"unreadable answer: {type(error).__name__}") from None
        except asyncio.CancelledError:
            self._breaker.aborted()
            raise
        except Trouble:
            self._breaker.good()
            raise
        except Exception as error:  # a transport may raise anything; a seat must not
            self._breaker.bad()
            raise Retry("server-down", f"cannot connect to {self.endpoint.host}: {root(error)}") from None
        self._breaker.good()
        return got

    def _judged(self, error: APIStatusError) -> Trouble:
        """What an HTTP error means; a refusal that names a field teaches, and counts as no failure."""
        status, words = error.status_code, said(error)
        teaching = status in (400, 415, 422, 500, 501)
        if status in (400, 413, 422) and (limit := too_long(words)) is not None:
            self._breaker.good()
            if limit:
                self.use(msgspec.structs.replace(self._known, context=limit))
            return TooLong(f"HTTP {status}: {words}", limit)
        if teaching and (known := learned(self._known, words.lower())) is not None:
            self._breaker.good()
            self._known = known
            return Adapted(f"HTTP {status}: {words}")
        trouble = of_status(error)
        if trouble.fault == "server-down":
            self._breaker.bad()
        elif trouble.fault == "rate-limited" and isinstance(trouble, Retry):
            self._breaker.limited(trouble.wait or 0.0)
        else:
            self._breaker.good()
        return trouble

    def _usable(self, got: Completion) -> tuple[str, str, str]:
        """The text of a completion; else the fault and what to tell of it."""
        text = got.text
        if not text.strip() and "{" in got.thoughts:
            text = got.thoughts  # servers that split off the thoughts sometimes put all of the reply there
        if got.refusal or got.finish == "content_filter":
            return "", "refused", "the model refused"
        if got.finish == "length":
            if got.thoughts and not got.text.strip():  # the thoughts took everything
                self._tokens = min(MOST_TOKENS, MORE_TOKENS * self.endpoint.max_tokens)
            return "", "cut-off", f"cut off after {got.counts[1] or self._tokens} tokens"
        if got.finish is None:
            return "", "cut-off", "the stream broke off"
        if not text.strip():
            return "", "empty", "an empty answer"
        if "{" not in text and is_refusal(text):
            return "", "refused", "the model refused in words"
        return text, "", ""

    # -- what is kept of it

    def _call(self, body: dict[str, Any], got: Completion, latency: float, trouble: Trouble | None) -> Call:
        tokens_in, tokens_out, cached = got.counts
        return Call(
            got.model[:200] or self.endpoint.model,
            _digest(packed(body)),
            _digest(got.text.encode("utf-8", "replace")) if got.text else "",
            tokens_in,
            tokens_out,
            cached,
            round(latency, 4),
            trouble.detail if trouble else "",
            _fault(trouble) if trouble else "",
        )

    def _wait(self, trouble: Trouble, attempt: int) -> float | None:
        """Seconds before the next attempt: what the server asks for, else doubling; None if there is none."""
        if not isinstance(trouble, Retry):
            return None
        own = self.endpoint.backoff * 2.0 ** (attempt - 1)
        return own if trouble.wait is None else trouble.wait

    def _failure(self, trouble: Trouble, calls: list[Call]) -> Failure:
        final = trouble.fault not in ("unparsable", "not-a-server")
        limit = trouble.limit if isinstance(trouble, TooLong) else None
        detail = f"{NOT_A_SERVER}: {trouble.detail}" if trouble.fault == "not-a-server" else trouble.detail
        return Failure(_fault(trouble), detail, tuple(calls), final, limit)


NOT_A_SERVER = "no OpenAI-compatible server"


def _fault(trouble: Trouble) -> str:
    return "unparsable" if trouble.fault == "not-a-server" else trouble.fault


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


__all__ = ["RUNGS", "Answer", "Failure", "ModelClient"]
