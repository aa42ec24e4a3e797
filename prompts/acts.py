"""What a model is asked that labels the acts of a speech."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from prompts.texts import fill, template


def act_messages(speech: str, lang: str) -> list[dict[str, str]]:
    """The question about one speech, which stands in it as a JSON string. Raises TextError for an unknown language."""
    quoted = {"speech": json.dumps(speech, ensure_ascii=False)}
    return [{"role": "user", "content": fill(template(lang, "acts"), quoted, f"the {lang} template acts")}]


def act_schema(acts: Sequence[str]) -> dict[str, Any]:
    """JSON Schema of the reply."""
    return {
        "type": "object",
        "properties": {"acts": {"type": "array", "items": {"type": "string", "enum": list(acts)}}},
        "required": ["acts"],
        "additionalProperties": False,
    }
