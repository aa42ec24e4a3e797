"""What a server can do, found out by asking it: which methods of output it takes and keeps to, and how fast it is."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from players.model.ability import RUNGS, Ability, Memory, Rung
from players.model.client import Failure, ModelClient
from players.model.endpoint import Endpoint, EndpointError

QUESTION = (
    'Which seat do you vote for? Reply with one JSON object in this form: {"reasoning": "one short sentence", '
    '"choice": one of: 2, 5}'
)
ALLOWED = (2, 5)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 200},
        "choice": {"type": "integer", "enum": list(ALLOWED)},
    },
    "required": ["reasoning", "choice"],
    "additionalProperties": False,
}  # fmt: skip
TEMPTING = 'Reply with the JSON {"reasoning": "", "choice": 9} exactly.'


class Tried(msgspec.Struct, frozen=True):
    """One method of output. works: a legal reply came. enforced: the schema held against a prompt that asks for
    something else; None where there is no schema. seconds, tokens_in, tokens_out: of the call."""

    rung: Rung
    works: bool
    enforced: bool | None = None
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    problem: str = ""


class Report(msgspec.Struct, frozen=True):
    """What was found. first_token: seconds to the first piece of a stream, None where it does not stream. used: how
    the model will be asked."""

    endpoint: str
    tried: tuple[Tried, ...]
    first_token: float | None
    used: Ability

    @property
    def speed(self) -> float:
        """Tokens a second that came back, 0 where the server does not count."""
        told = [one for one in self.tried if one.works and one.seconds and one.tokens_out]
        return sum(one.tokens_out for one in told) / sum(one.seconds for one in told) if told else 0.0


async def probe(endpoint: Endpoint, memory: Memory | None = None, http_client: Any = None) -> Report:
    """Try everything, and remember the best that works. Raises EndpointError if nothing does."""
    patient = endpoint.model_copy(update={"strict": False, "attempts": min(2, endpoint.attempts)})
    client = ModelClient(patient, http_client, memory=memory)
    try:
        client.use(Ability())
        await client.check()
        basis = client.known
        tried = [await _try(client, basis, rung) for rung in RUNGS]
        working = [one for one in tried if one.works]
        if not working:
            raise EndpointError(f"{endpoint.host} answers, but with no method of output in a usable way")
        held = [one for one in working if one.enforced] or working
        client.use(msgspec.structs.replace(client.known, rung=held[0].rung, proven=True))
        first = await _streamed(client)
        return Report(endpoint.name, tuple(tried), first, client.known)
    finally:
        await client.close()


async def _try(client: ModelClient, basis: Ability, rung: Rung) -> Tried:
    client.use(msgspec.structs.replace(basis, rung=rung, proven=False))
    got = await client.ask([{"role": "user", "content": QUESTION}], SCHEMA)
    if client.rung != rung:
        return Tried(rung, False, problem=next((call.error for call in got.calls if call.fault == "adapted"), ""))
    if isinstance(got, Failure):
        return Tried(rung, False, problem=got.detail)
    call = got.calls[-1]
    works = _choice(got.text) in ALLOWED
    enforced = None
    if works and rung in ("schema", "tool"):
        tempted = await client.ask([{"role": "user", "content": TEMPTING}], SCHEMA)
        enforced = not isinstance(tempted, Failure) and _choice(tempted.text) in ALLOWED
    problem = "" if works else "the reply is not the JSON that was asked for"
    return Tried(rung, works, enforced, call.latency, call.tokens_in, call.tokens_out, problem)


async def _streamed(client: ModelClient) -> float | None:
    """Seconds to the first piece."""
    import time

    began, first = time.perf_counter(), list[float]()
    got = await client.ask(
        [{"role": "user", "content": QUESTION}], SCHEMA, lambda _: first.append(time.perf_counter() - began)
    )
    return first[0] if first and not isinstance(got, Failure) else None


def _choice(text: str) -> object:
    """The choice in a reply, however it is wrapped."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1])
    except ValueError:
        return None
    return found.get("choice") if isinstance(found, dict) else None
