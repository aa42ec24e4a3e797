"""The lines of a game record, and their one spelling as JSON.

A record is a header, then events and decisions in the order in which they came, then a result. Two games with the same
setup and decisions have the same event lines, byte for byte.
"""

from __future__ import annotations

import math
from hashlib import sha256
from typing import Any, Literal

import msgspec

from engine.asks import Answer, Ask, Question
from engine.bits import EVERYONE, seats_of
from engine.events import KINDS, Event
from engine.game import Answered, Decision, Game, Reacted
from engine.rules.ruleset import roles
from engine.setup import Setup
from engine.text import clean
from players.base import Call, Claim, Reply

SCHEMA = 1
REASONING_LIMIT = 8000  # characters of one private reasoning
RESPONSE_LIMIT = 20_000  # characters of one model response

Status = Literal["finished", "failed", "unfinished"]


class Sitter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits in a seat. spec: how players.factory made it ("builtin:sly"); never a key or an address."""

    seat: int
    kind: str
    name: str
    spec: str


class Header(msgspec.Struct, frozen=True, tag_field="type", tag="header", forbid_unknown_fields=True):
    """A record's first line. created: UTC, ISO 8601; empty where equal games must give equal records."""

    schema: int
    engine: str
    game: str
    setup: Setup
    players: tuple[Sitter, ...] = ()
    max_days: int = 40
    created: str = ""


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An ask with what its seat replied. answer: plain JSON, as `plain` writes it; `checked` reads it.

    fallback: why the answer is not the seat's own. reaction: (kind, answer) that the seat wanted to take instead.
    """

    ask: Ask
    answer: Any = None
    reaction: tuple[str, Any] | None = None
    reasoning: str = ""
    beliefs: dict[int, float] = {}
    claims: tuple[Claim, ...] = ()
    fallback: str = ""
    calls: tuple[Call, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def checked(self) -> Answer:
        """The answer in its canonical form. Raises IllegalAnswer."""
        return self.ask.check(self.answer)

    def reply(self) -> Reply:
        """The reply as it was received. Raises IllegalAnswer."""
        answer = None if self.reaction else self.checked
        return Reply(
            answer, self.reaction, self.reasoning, self.beliefs, self.claims, self.fallback, self.calls, self.flags
        )


class DecisionLine(
    msgspec.Struct, frozen=True, tag_field="type", tag="decision", omit_defaults=True, forbid_unknown_fields=True
):
    """One decision: either the answers of all that were asked together, or a reaction taken beside them.

    aside: replies that were received for the pending asks and not used, because a reaction came first.
    """

    n: int
    asked: tuple[Asked, ...] = ()
    reaction: Asked | None = None
    aside: tuple[Asked, ...] = ()

    def decision(self) -> Decision:
        """The decision as the engine takes it. Raises IllegalAnswer."""
        if self.reaction is not None:
            ask = self.reaction.ask
            return Reacted(ask.seat, ask.kind, self.reaction.checked)
        return Answered({asked.ask.seat: asked.checked for asked in self.asked})


class EventLine(msgspec.Struct, frozen=True, tag_field="type", tag="event", forbid_unknown_fields=True):
    """One event with those who learned of it, 0 being the judge."""

    seq: int
    to: Literal["all"] | tuple[int, ...]
    event: msgspec.Raw

    def decoded(self) -> Event:
        """The event. Raises msgspec.ValidationError if its kind or a field is unknown."""
        kind = msgspec.json.decode(self.event, type=_Kind).kind
        if kind not in KINDS:
            roles()  # a role's own events are known once its file is loaded
        if kind not in KINDS:
            raise msgspec.ValidationError(f"there is no event kind {kind!r}")
        event: Event = msgspec.json.decode(self.event, type=KINDS[kind], strict=False)
        return event

    @property
    def audience(self) -> int:
        """The mask of those who learned of it, -1 for everyone."""
        return EVERYONE if self.to == "all" else sum(1 << int(seat) for seat in self.to)


class Result(msgspec.Struct, frozen=True, tag_field="type", tag="result", forbid_unknown_fields=True):
    """A record's last line. reason: why the game failed or stopped; empty when it ended by its rules."""

    status: Status
    winners: tuple[str, ...] = ()
    days: int = 0
    reason: str = ""


class _Kind(msgspec.Struct):
    kind: str


Line = Header | DecisionLine | EventLine | Result

decode_line = msgspec.json.Decoder(Line).decode
decode_asked = msgspec.json.Decoder(Asked).decode
_encode = msgspec.json.Encoder().encode


def encode_line(line: Line) -> bytes:
    """The line with its newline."""
    return _encode(line) + b"\n"


def encode_asked(asked: Asked) -> bytes:
    """An ask and its reply, for the journal."""
    return _encode(asked)


def ask_key(ask: Ask) -> str:
    """A short hash of an ask: equal asks, equal keys."""
    return sha256(_encode(ask)).hexdigest()[:16]


def event_lines(game: Game, start: int) -> list[EventLine]:
    """The game's events from number `start` on."""
    log, audiences = game.events, game.audiences
    return [EventLine(seq, _to(audiences[seq]), msgspec.Raw(_encode(log[seq]))) for seq in range(start, len(log))]


def _to(audience: int) -> Literal["all"] | tuple[int, ...]:
    return "all" if audience == EVERYONE else seats_of(audience)


def plain(answer: Answer) -> Any:
    """An answer as JSON holds it and as `Ask.check` takes it back."""
    if isinstance(answer, Question):
        return {"text": answer.text, "question-to": answer.to}
    return list(answer) if isinstance(answer, tuple) else answer


def asked_of(ask: Ask, reply: Reply) -> Asked:
    """The reply as the record keeps it: bounded, without control characters, finite numbers only."""
    return Asked(
        ask,
        None if reply.reaction else plain(reply.answer),
        (reply.reaction[0], plain(reply.reaction[1])) if reply.reaction else None,
        clean(reply.reasoning[:REASONING_LIMIT]),
        {seat: float(p) for seat, p in reply.beliefs.items() if math.isfinite(p)},
        tuple(_tidy_claim(claim) for claim in reply.claims),
        clean(reply.fallback[:REASONING_LIMIT]),
        tuple(msgspec.structs.replace(call, response=_encodable(call.response)) for call in reply.calls),
        reply.flags,
    )


def _tidy_claim(claim: Claim) -> Claim:
    if claim.value is None:
        return claim
    return msgspec.structs.replace(claim, value=clean(claim.value[:REASONING_LIMIT]))


def _encodable(text: str) -> str:
    """Raw text of a server may hold lone surrogates, which no file can."""
    return text[:RESPONSE_LIMIT].encode("utf-8", "replace").decode()
