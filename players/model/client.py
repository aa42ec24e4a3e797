"""The one wrapper round the openai client: whatever happens, a question ends as `Answer` or `Failure`."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from players.base import Call
from players.model.endpoint import Endpoint, EndpointError

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai.types.chat import ChatCompletion

Reason = Literal["refused", "unparsable", "late", "error", "denied"]
Rung = Literal["schema", "json", "text"]
RUNGS: tuple[Rung, ...] = ("schema", "json", "text")
ERROR_LIMIT = 200  # characters of an error that are kept
FORMAT_WORDS = ("response_format", "json_schema", "json_object", "schema", "structured", "grammar")


@dataclass(frozen=True, slots=True)
class Answer:
    """A usable completion's text."""

    text: str
    call: Call


@dataclass(frozen=True, slots=True)
class Failure:
    """No usable completion. denied: the server will not serve this key or model; the rest may pass."""

    reason: Reason
    detail: str
    call: Call


class _Retry(Exception):
    """This attempt failed in a way that may pass. wait: seconds the server asks for."""

    def __init__(self, reason: Reason, detail: str, wait: float | None = None) -> None:
        super().__init__(detail)
        self.reason, self.detail, self.wait = reason, detail, wait


class _Stop(Exception):
    """This attempt failed and the same request would fail again."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class _Adapted(Exception):
    """The server does not take a request field; the client has learned that and asks again at once."""


class ModelClient:
    """Asks one endpoint. Shared by all seats of a table; what it learns of the server (which output method it takes,
    which fields it refuses) holds for all of them."""

    def __init__(
        self, endpoint: Endpoint, http_client: Any = None, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.endpoint, self.rung = endpoint, RUNGS[0]
        self._http_client, self._sleep = http_client, sleep
        self._tokens_field, self._temperature = "max_tokens", endpoint.temperature
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: AsyncOpenAI | None = None
        self._turns = asyncio.Semaphore(endpoint.parallel)

    async def ask(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> Answer | Failure:
        """One question, with retries. Never raises but for cancellation, or EndpointError where the endpoint is
        strict."""
        client = self._open()
        failed: _Retry | _Stop = _Retry("error", "no attempt was made")
        call = Call(self.endpoint.model, "", "")
        attempt = 0
        while attempt < self.endpoint.attempts:
            rung, body = self.rung, self._body(messages, schema)
            began = time.monotonic()
            try:
                async with self._turns:
                    began = time.monotonic()
                    completion = await self._attempt(client, body)
                return self._read(completion, body, time.monotonic() - began)
            except _Adapted as learned:
                call = self._call(body, "", None, time.monotonic() - began, str(learned))
                attempt += rung == self.rung  # stepping down is no failed attempt, and happens at most twice
            except _Stop as stop:
                return self._failed(stop, self._call(body, "", None, time.monotonic() - began, stop.detail))
            except _Retry as retry:
                failed, attempt = retry, attempt + 1
                call = self._call(body, "", None, time.monotonic() - began, retry.detail)
                if attempt < self.endpoint.attempts:
                    await self._sleep(self._wait(attempt, retry.wait))
        return self._failed(failed, call)

    async def check(self) -> None:
        """Make sure that the server answers, knows the key and has the model. Raises EndpointError."""
        question = [{"role": "user", "content": 'Reply with the JSON {"ok": true}.'}]
        body = {"model": self.endpoint.model, "messages": question, self._tokens_field: 64, **self.endpoint.extra}
        for _ in range(2):
            try:
                completion = await self._attempt(self._open(), body)
            except _Adapted:
                body = {**body, self._tokens_field: 64}
                body.pop("max_tokens" if self._tokens_field != "max_tokens" else "", None)
                continue
            except (_Stop, _Retry) as error:
                raise self._unusable(error) from None
            if not _choices(completion):
                raise EndpointError(
                    f"{self.endpoint.host} answered, but not as an OpenAI-compatible server; "
                    "check the base URL (it usually ends in /v1)"
                )
            return
        raise EndpointError(f"{self.endpoint.host} refuses the request's fields")

    async def close(self) -> None:
        """Close the connections. The client may be used again afterwards."""
        client, self._client = self._client, None
        if client is not None and self._http_client is None:
            await client.close()

    # -- one attempt

    def _open(self) -> AsyncOpenAI:
        """The openai client of this event loop; connections cannot move from one loop to another."""
        from openai import AsyncOpenAI

        loop = asyncio.get_running_loop()
        if self._client is None or loop is not self._loop:
            end, self._loop = self.endpoint, loop
            key = end.api_key.get_secret_value() if end.api_key else "none"
            self._turns = asyncio.Semaphore(end.parallel)
            self._client = AsyncOpenAI(
                api_key=key,
                base_url=end.base_url or "https://api.openai.com/v1",  # never from the environment behind our back
                max_retries=0,
                timeout=end.timeout,
                http_client=self._http_client,
            )
        return self._client

    def _body(self, messages: list[dict[str, str]], schema: dict[str, Any]) -> dict[str, Any]:
        end = self.endpoint
        body: dict[str, Any] = {"model": end.model, "messages": messages, self._tokens_field: end.max_tokens}
        if self._temperature is not None:
            body["temperature"] = self._temperature
        if self.rung == "schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            }
        elif self.rung == "json":
            body["response_format"] = {"type": "json_object"}
        return {**body, **end.extra}

    async def _attempt(self, client: AsyncOpenAI, body: dict[str, Any]) -> object:
        """One request. Raises _Retry, _Stop or _Adapted, nothing else."""
        import openai

        fields = {key: value for key, value in body.items() if key not in self.endpoint.extra}
        try:
            create: Callable[..., Awaitable[object]] = client.chat.completions.create
            async with asyncio.timeout(self.endpoint.timeout):  # the client's own limits each read, not the whole
                return await create(**fields, extra_body=self.endpoint.extra or None)
        except (openai.APITimeoutError, TimeoutError):  # a subclass of the connection error: first
            raise _Retry("late", f"no answer within {self.endpoint.timeout:g} s") from None
        except openai.APIConnectionError as error:
            raise _Retry("error", f"cannot connect to {self.endpoint.host}: {_root(error)}") from None
        except openai.APIStatusError as error:
            raise self._judged(error) from None
        except (openai.OpenAIError, ValueError) as error:  # ValueError: a broken body is a bare JSONDecodeError
            raise _Retry("error", f"unreadable answer: {type(error).__name__}") from None

    def _judged(self, error: APIStatusError) -> Exception:
        """What an HTTP error means."""
        status, said = error.status_code, _said(error)
        detail = f"HTTP {status}: {said}"[:ERROR_LIMIT]
        if status in (400, 415, 422, 500, 501) and self._learns(said.lower()):
            return _Adapted(detail)
        if status in (401, 403):
            return _Stop("denied", detail)
        if status == 404:
            return _Stop("denied", detail)
        if status == 429 and "insufficient_quota" in said:
            return _Stop("denied", detail)
        if status in (408, 409, 425, 429) or status >= 500:
            return _Retry("late" if status == 408 else "error", detail, _retry_after(error))
        return _Stop("error", detail)

    def _learns(self, said: str) -> bool:
        """Whether the refusal names a field that can be left out, which is then left out for good."""
        if self._tokens_field in said and self._tokens_field == "max_tokens" and "max_completion_tokens" in said:
            self._tokens_field = "max_completion_tokens"
            return True
        if self._temperature is not None and "temperature" in said:
            self._temperature = None
            return True
        if self.rung != RUNGS[-1] and any(word in said for word in FORMAT_WORDS):
            self.rung = RUNGS[RUNGS.index(self.rung) + 1]
            return True
        return False

    def _read(self, completion: object, body: dict[str, Any], latency: float) -> Answer | Failure:
        """The text of a completion, or why there is none."""
        choices = _choices(completion)
        if not choices:
            detail = "no choices" if _is_completion(completion) else f"not a completion but {type(completion).__name__}"
            return Failure("unparsable", detail, self._call(body, "", completion, latency, detail))
        message, finish = choices[0].message, choices[0].finish_reason
        text = message.content or ""
        detail, reason = "", "unparsable"
        if getattr(message, "refusal", None) or finish == "content_filter":
            detail, reason = "the model refused", "refused"
        elif finish == "length":
            detail = f"cut off after {self.endpoint.max_tokens} tokens"
        elif not text.strip():
            detail = "an empty answer"
        call = self._call(body, text, completion, latency, detail)
        if detail:
            return Failure("refused" if reason == "refused" else "unparsable", detail, call)
        return Answer(text, call)

    # -- what is kept of it

    def _call(self, body: dict[str, Any], text: str, completion: object, latency: float, error: str) -> Call:
        usage = getattr(completion, "usage", None)
        details = getattr(usage, "prompt_tokens_details", None)
        return Call(
            str(getattr(completion, "model", None) or self.endpoint.model),
            _digest(json.dumps(body, ensure_ascii=False, sort_keys=True)),
            _digest(text) if text else "",
            getattr(usage, "prompt_tokens", 0) or 0,
            getattr(usage, "completion_tokens", 0) or 0,
            getattr(details, "cached_tokens", 0) or 0,
            round(latency, 4),
            error,
        )

    def _wait(self, attempt: int, asked: float | None) -> float:
        """Seconds before the next attempt: what the server asks for, else doubling, never beyond the bound."""
        own = self.endpoint.backoff * 2 ** (attempt - 1)
        return min(self.endpoint.wait_most, own if asked is None else asked)

    def _failed(self, failed: _Retry | _Stop, call: Call) -> Failure:
        if self.endpoint.strict:
            raise self._unusable(failed)
        return Failure(failed.reason, failed.detail, call)

    def _unusable(self, failed: _Retry | _Stop) -> EndpointError:
        """The failure in words, with what to do."""
        end, detail = self.endpoint, failed.detail
        if "HTTP 401" in detail or "HTTP 403" in detail:
            advice = f"{end.host} refuses the API key; set a valid OPENAI_API_KEY"
        elif "HTTP 404" in detail:
            advice = f"{end.host} has no model {end.model!r} at this address; check the model and the base URL"
        elif "HTTP 429" in detail:
            advice = f"{end.host} takes no more requests now (rate or quota); wait, or use another key"
        elif failed.reason == "late":
            advice = f"{end.host} did not answer in time; is it overloaded, or the timeout too short?"
        elif "cannot connect" in detail:
            advice = f"nothing answers at {end.host}; is the server running, and the base URL right?"
        else:
            advice = f"{end.host} cannot be used"
        return EndpointError(f"{advice} ({detail})")


def _is_completion(completion: object) -> bool:
    from openai.types.chat import ChatCompletion

    return isinstance(completion, ChatCompletion)


def _choices(completion: object) -> list[Any]:
    """The choices of what came back, which is a string where a web page answered, and may lack all its fields."""
    if not _is_completion(completion):
        return []
    found: ChatCompletion = completion  # type: ignore[assignment]
    return [choice for choice in found.choices or [] if getattr(choice, "message", None) is not None]


def _said(error: APIStatusError) -> str:
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        inner = " ".join(str(inner[key]) for key in ("message", "code", "param", "type") if inner.get(key))
    return " ".join(str(inner or error.message).split())[: 2 * ERROR_LIMIT]


def _retry_after(error: APIStatusError) -> float | None:
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None


def _root(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return f"{type(error).__name__}: {error}"[:ERROR_LIMIT]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
