"""A stand-in for a model: a whole ModelPlayer whose server answers at once, with a draw from the requested schema.

It lets a campaign with models be tried end to end without a key: prompts, parsing and records are the real ones.
"""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from players.model import Endpoint, ModelClient

MOST = 2  # items of an array that has no least number
DEPTH = 12


def stub_client(endpoint: Endpoint) -> ModelClient:
    """A client whose answers follow from the request alone. endpoint: only its server is another."""
    import httpx2
    from openai import DefaultAsyncHttpxClient

    from players.model import ModelClient

    nowhere = endpoint.model_copy(update={"base_url": "http://stub.invalid/v1", "api_key": None})
    return ModelClient(nowhere, DefaultAsyncHttpxClient(transport=httpx2.MockTransport(_answer)))


def _answer(request: Any) -> Any:
    import httpx2

    body = json.loads(request.content)
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    rng = Random(sha256(json.dumps(body.get("messages", "")).encode()).hexdigest())
    content = json.dumps(draw(schema, rng, schema), ensure_ascii=False)
    return httpx2.Response(
        200,
        json={
            "id": "stub",
            "object": "chat.completion",
            "created": 0,
            "model": body.get("model", "stub"),
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {
                "prompt_tokens": len(request.content) // 4,
                "completion_tokens": len(content) // 4,
                "total_tokens": (len(request.content) + len(content)) // 4,
            },
        },
    )


def draw(schema: dict[str, Any], rng: Random, root: dict[str, Any], depth: int = 0) -> Any:
    """A value that fits the schema."""
    if "$ref" in schema:
        part: Any = root
        for key in str(schema["$ref"]).removeprefix("#/").split("/"):
            part = part[key]
        return draw(part, rng, root, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "anyOf" in schema:
        return draw(rng.choice(schema["anyOf"]), rng, root, depth + 1)
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        kind = rng.choice(kind)
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: draw(part, rng, root, depth + 1) for name, part in fields.items()}
    if kind == "array":
        least = int(schema.get("minItems", 0))
        most = min(int(schema.get("maxItems", MOST)), max(least, MOST))
        count = 0 if depth > DEPTH else rng.randint(least, most)
        return [draw(schema.get("items", {}), rng, root, depth + 1) for _ in range(count)]
    if kind in ("number", "integer"):
        low, high = float(schema.get("minimum", 0)), float(schema.get("maximum", 1))
        return rng.randint(int(low), int(high)) if kind == "integer" else round(rng.uniform(low, high), 2)
    return {"string": "…", "boolean": rng.random() < 0.5}.get(kind)
