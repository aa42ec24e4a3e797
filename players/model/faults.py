"""What can go wrong with one request, and what it means: try again, ask otherwise, or give up."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from engine.text import clean
from players.model.endpoint import Endpoint, EndpointError

if TYPE_CHECKING:
    from openai import APIStatusError

ERROR_LIMIT = 200  # characters of an error that are kept
_REFUSAL = re.compile(
    r"\b(?:I(?:'m| am) (?:sorry|unable|not able)|I (?:can(?:'t|not)|won't|will not)\b.{0,40}"
    r"\b(?:help|assist|comply|do that|continue|participate)|as an ai\b)|"
    r"(?:抱歉|对不起|很遗憾).{0,20}(?:不能|无法|不可以)|我(?:不能|无法)(?:协助|帮助|回答|满足|参与)",
    re.I | re.S,
)


class Trouble(Exception):
    """An attempt that failed. fault: one of players.base.FAULTS or QUIRKS."""

    def __init__(self, fault: str, detail: str) -> None:
        super().__init__(detail)
        self.fault, self.detail = fault, clean(detail)[:ERROR_LIMIT]


class Retry(Trouble):
    """It may pass. wait: seconds the server asks for."""

    def __init__(self, fault: str, detail: str, wait: float | None = None) -> None:
        super().__init__(fault, detail)
        self.wait = wait


class Stop(Trouble):
    """The same request would fail again."""


class Adapted(Trouble):
    """The server does not take a request field; the client has learned that and asks again at once."""

    def __init__(self, detail: str) -> None:
        super().__init__("adapted", detail)


class TooLong(Trouble):
    """The prompt is longer than the model takes. limit: tokens, 0 if the server does not say."""

    def __init__(self, detail: str, limit: int) -> None:
        super().__init__("denied", detail)
        self.limit = limit


def of_status(error: APIStatusError) -> Retry | Stop:
    """What an HTTP error means that teaches nothing."""
    status, words = error.status_code, said(error)
    detail = f"HTTP {status}: {words}"
    if status in (401, 402, 403, 404) or (status == 429 and "insufficient_quota" in words):
        return Stop("denied", detail)
    if status == 429:
        return Retry("rate-limited", detail, retry_after(error))
    if status == 408:
        return Retry("late", detail, retry_after(error))
    if status in (409, 425) or status >= 500:
        return Retry("server-down", detail, retry_after(error))
    return Stop("denied", detail)


def said(error: APIStatusError) -> str:
    """What the server says about its refusal, in one bounded line."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        inner = " ".join(str(inner[key]) for key in ("message", "code", "param", "type", "detail") if inner.get(key))
    return " ".join(str(inner or error.message).split())[: 3 * ERROR_LIMIT]


def retry_after(error: APIStatusError) -> float | None:
    """Seconds that the server asks to wait: a number, milliseconds in the vendor's header, or a date."""
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= seconds < 1e9:
            return seconds
    try:
        until, now = parsedate_to_datetime(headers["retry-after"]), parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None


def is_refusal(text: str) -> bool:
    """Whether prose is a refusal in words: short, and with one of their usual turns."""
    return len(text) < 600 and _REFUSAL.search(text) is not None


def timed_out(error: BaseException) -> bool:
    """Whether time ran out; the aiohttp transport also calls a refused or broken connection a timeout."""
    causes = [error, *_causes(error)]
    broken = any(isinstance(one, ConnectionError) or type(one).__module__.startswith("aiohttp.") for one in causes)
    return not broken or any(isinstance(one, TimeoutError) for one in causes)


def root(error: BaseException) -> str:
    """The innermost cause of an error, in words."""
    inner = [error, *_causes(error)][-1]
    return f"{type(inner).__name__}: {inner}"[:ERROR_LIMIT]


def _causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    while (cause := error.__cause__) is not None and cause not in causes:
        causes.append(cause)
        error = cause
    return causes


def unusable(end: Endpoint, trouble: Trouble) -> EndpointError:
    """The failure in words, with what to do."""
    detail = trouble.detail
    if "HTTP 401" in detail or "HTTP 403" in detail:
        advice = f"{end.host} refuses the API key; set a valid OPENAI_API_KEY"
    elif "HTTP 404" in detail:
        advice = f"{end.host} has no model {end.model!r} at this address; check the model and the base URL"
    elif "HTTP 429" in detail or trouble.fault == "rate-limited":
        advice = f"{end.host} takes no more requests now (rate or quota); wait, or use another key"
    elif trouble.fault == "late":
        advice = f"{end.host} did not answer in time; is it overloaded, or the timeout too short?"
    elif "cannot connect" in detail:
        closed = "refused" in detail.lower() or "All connection attempts failed" in detail
        silence = "nothing listens" if closed else "nothing answers"
        advice = f"{silence} at {end.host}; is the server running, and the base URL right?"
    elif trouble.fault == "not-a-server":
        advice = (
            f"{end.host} answered, but not as an OpenAI-compatible server; "
            "check the base URL (it usually ends in /v1)"
        )  # fmt: skip
    else:
        advice = f"{end.host} cannot be used"
    return EndpointError(f"{advice} ({detail})")
