"""Where a model answers, and how it is asked: checked once, at the edge."""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from players.base import SeatDown

PER = 1_000_000  # tokens that a price is for


class EndpointError(SeatDown, RuntimeError):
    """The server cannot be used: what is wrong, and what to do. Never holds the key."""


class Price(BaseModel):
    """What a model costs, in any one currency for a million tokens. cached: prompt tokens served from its cache."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, le=1e6)
    output: float = Field(ge=0, le=1e6)
    cached: float | None = Field(default=None, ge=0, le=1e6)

    def of(self, tokens_in: int, tokens_out: int, tokens_cached: int) -> float:
        """The cost of a call."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(0, tokens_in - tokens_cached)
        return (fresh * self.input + min(tokens_in, tokens_cached) * cached + tokens_out * self.output) / PER


class Endpoint(BaseModel):
    """An OpenAI-compatible server and one of its models.

    timeout: seconds for one request. attempts: requests for one question before it counts as failed. deadline: seconds
    for one question with all its attempts and waits. backoff: seconds before the second attempt, doubled for each later
    one; what the server asks for counts instead, as far as the deadline allows. breaker: failures in a row after which
    the server counts as down and is only tried now and then. parallel: requests under way at once. context: tokens that
    the model can take, None where unknown. strict: nothing is substituted; the first reply that cannot be used stops
    the game with EndpointError. outage: what a dead server does to a game: it stops and can be resumed (pause), or
    plays on with marked fallbacks. extra: further fields of the request body, as vendors have them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    model: str = Field(min_length=1, max_length=200)
    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout: float = Field(default=90.0, gt=0, le=3600)
    attempts: int = Field(default=4, ge=1, le=20)
    deadline: float = Field(default=280.0, gt=0, le=86_400)
    backoff: float = Field(default=0.5, ge=0, le=60)
    breaker: int = Field(default=12, ge=1, le=1000)
    parallel: int = Field(default=64, ge=1, le=4096)
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int = Field(default=2000, ge=64, le=100_000)
    context: int | None = Field(default=None, ge=512)
    price: Price | None = None
    strict: bool = False
    outage: Literal["fallback", "pause"] = "fallback"
    extra: dict[str, Any] = {}

    @property
    def host(self) -> str:
        """The server's name and port for messages, without a user or a key."""
        parts = urlsplit(self.base_url or "https://api.openai.com/v1")
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def name(self) -> str:
        """Server and model, as what was learned of them is remembered: no user, no key."""
        return f"{self.host}{urlsplit(self.base_url or '').path.rstrip('/')} {self.model}"
