"""Where a model answers, and how it is asked: checked once, at the edge."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class EndpointError(RuntimeError):
    """The server cannot be used at all: what is wrong, and what to do. Never holds the key."""


class Endpoint(BaseModel):
    """An OpenAI-compatible server and one of its models.

    timeout: seconds for one request. attempts: requests for one question before it counts as failed. backoff: seconds
    before the second attempt, doubled for each later one. wait_most: the longest wait in seconds, whatever the server
    asks for. parallel: requests under way at once. strict: failures end the game with EndpointError instead of becoming
    fallbacks. extra: further fields of the request body, as vendors have them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    model: str = Field(min_length=1, max_length=200)
    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout: float = Field(default=90.0, gt=0, le=3600)
    attempts: int = Field(default=4, ge=1, le=20)
    backoff: float = Field(default=0.5, ge=0, le=60)
    wait_most: float = Field(default=30.0, ge=0, le=600)
    parallel: int = Field(default=64, ge=1, le=1024)
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int = Field(default=2000, ge=64, le=100_000)
    strict: bool = False
    extra: dict[str, Any] = {}

    @property
    def host(self) -> str:
        """The server's name and port for messages, without a user or a key."""
        parts = urlsplit(self.base_url or "https://api.openai.com/v1")
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
