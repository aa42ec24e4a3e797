"""What a server turned out to take, learned from its refusals and remembered from one run to the next."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec

Rung = Literal["schema", "tool", "json", "text"]
RUNGS: tuple[Rung, ...] = ("schema", "tool", "json", "text")
"""Methods of output, best first: strict JSON Schema, a tool call, any JSON object, plain text."""
TOOL = "reply"
MEMORY_LIMIT = 1 << 20  # bytes
FORMAT_WORDS = ("response_format", "json_schema", "json_object", "schema", "structured", "grammar", "guided")
TOOL_WORDS = ("tool", "function")
_CONTEXT = re.compile(r"(?:context|maximum)[^.]{0,60}?(\d{3,7}) tokens|n_ctx\D{0,20}(\d{3,7})", re.I)


class Ability(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a model is asked. system: it takes a system message. alternate: neighbouring messages of one role must be
    joined. stream: it only streams; usage: it takes stream_options. thinking: a vendor's field that turns thinking off
    must be sent. context: tokens it said it can take. exact: a schema is a grammar there and no part of the prompt, so
    it may differ from ask to ask. proven: a reply of this method has been read."""

    rung: Rung = "schema"
    tokens_field: str = "max_tokens"
    temperature: bool = True
    system: bool = True
    alternate: bool = False
    stream: bool = False
    usage: bool = True
    no_thinking: bool = False
    context: int | None = None
    exact: bool = False
    proven: bool = False

    def below(self) -> Ability | None:
        """The same with the next method of output."""
        at = RUNGS.index(self.rung) + 1
        return msgspec.structs.replace(self, rung=RUNGS[at], proven=False) if at < len(RUNGS) else None


def learned(known: Ability, said: str) -> Ability | None:
    """What a refusal teaches; said: its words in lower case. None if it names nothing that could be done otherwise."""
    change = msgspec.structs.replace
    if known.tokens_field == "max_tokens" and "max_completion_tokens" in said:
        return change(known, tokens_field="max_completion_tokens")
    if known.tokens_field == "max_completion_tokens" and "max_completion_tokens" in said:
        return change(known, tokens_field="max_tokens")
    if known.temperature and "temperature" in said:
        return change(known, temperature=False)
    if not known.no_thinking and "enable_thinking" in said:
        return change(known, no_thinking=True)
    if known.stream and known.usage and "stream_options" in said:
        return change(known, usage=False)
    if not known.stream and re.search(r"only (?:supports? )?stream|stream(?:ing)? (?:mode )?(?:is )?(?:only|required)|"
                                      r"stream['\"]?(?: must| should| to be| parameter must)", said):  # fmt: skip
        return change(known, stream=True)
    if known.system and re.search(r"system (?:role|message|prompt|instruction)|role[ '\"`:]+system", said):
        return change(known, system=False, alternate=True)
    if not known.alternate and "alternat" in said:
        return change(known, alternate=True)
    words = TOOL_WORDS if known.rung == "tool" else FORMAT_WORDS
    if known.rung != RUNGS[-1] and any(word in said for word in words):
        return known.below()
    return None


def too_long(said: str) -> int | None:
    """The context length in a server's complaint about a prompt's length, 0 if it names none, None for another one."""
    if found := _CONTEXT.search(said):
        return int(found[1] or found[2])
    return 0 if re.search(r"context[ _](?:length|window|size)|too many tokens|prompt is too long", said, re.I) else None


def shaped(messages: list[dict[str, str]], known: Ability) -> list[dict[str, str]]:
    """The messages with the roles that the server takes."""
    if known.system and not known.alternate:
        return messages
    joined: list[dict[str, str]] = []
    for message in messages:
        role = "user" if message["role"] == "system" and not known.system else message["role"]
        if joined and joined[-1]["role"] == role:
            joined[-1] = {"role": role, "content": joined[-1]["content"] + "\n\n" + message["content"]}
        else:
            joined.append({"role": role, "content": message["content"]})
    return joined


def output_fields(known: Ability, schema: dict[str, Any]) -> dict[str, Any]:
    """The request fields of the method of output."""
    if known.rung == "schema":
        return {
            "response_format": {"type": "json_schema", "json_schema": {"name": TOOL, "strict": True, "schema": schema}}
        }
    if known.rung == "tool":
        function = {"name": TOOL, "description": "Send the reply.", "strict": True, "parameters": schema}
        return {
            "tools": [{"type": "function", "function": function}],
            "tool_choice": {"type": "function", "function": {"name": TOOL}},
        }
    return {"response_format": {"type": "json_object"}} if known.rung == "json" else {}


class Memory:
    """Abilities by endpoint and model, in one small file. What cannot be read is learned again."""

    def __init__(self, path: Path | None) -> None:
        """path: the file; None remembers nothing."""
        self.path = path

    def recall(self, name: str) -> Ability | None:
        """What is known of an endpoint."""
        return self._all().get(name)

    def keep(self, name: str, known: Ability) -> None:
        """Remember it; a file that cannot be written is no reason to stop."""
        if self.path is None:
            return
        every = self._all()
        if every.get(name) == known:
            return
        every[name] = known
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(msgspec.json.encode(every))
            part.replace(self.path)

    def _all(self) -> dict[str, Ability]:
        if self.path is None:
            return {}
        try:
            with self.path.open("rb") as file:
                return msgspec.json.decode(file.read(MEMORY_LIMIT), type=dict[str, Ability])
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}
