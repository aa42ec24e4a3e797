"""What sits in a seat: the one interface of humans, models, built-in bots, scripts and remote agents."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from engine.asks import Answer, Ask
from engine.views import View

FAULTS = (
    "illegal", "unparsable", "empty", "refused", "cut-off", "late", "rate-limited", "server-down", "denied", "error",
)  # fmt: skip
"""What can make a reply useless. denied: the server will not serve this key, model or request. error: all else."""
QUIRKS = ("adapted", "fenced", "overlong", "adjusted")
"""What is counted and does no harm: a request field the server refuses, prose round the JSON, fields over length,
beliefs or claims about no seat or out of range."""

FORKED = "forked"
"""A flag of replies whose beliefs were asked for in a fork of the game (players.model.fork)."""


class SeatDown(Exception):
    """This seat cannot go on for a reason outside the game (its server is down, or it is strict): the table stops,
    keeps what it has, and can be resumed."""


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """A statement made in a speech, as its speaker declares it.

    act: claim-role, claim-result, accuse, vouch, estimate, vote-call, plan, ask, agree, disagree, defend, cite.
    subject: the seat whose deed or role it is about (usually the speaker). target: the seat it points at.
    about: the day or night it is about. value: a role, a result (good, bad, saved, poisoned, guarded) or a camp.
    """

    act: str
    subject: int
    target: int | None = None
    about: int | None = None
    value: str | None = None
    negated: bool = False


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """One model call as the record keeps it: never its key, never hidden state of another seat.

    request: hash of the request. latency: seconds. error: empty when the answer was used. fault: what was wrong with
    it, one of FAULTS or QUIRKS, also where the answer could be used all the same.
    """

    model: str
    request: str
    response: str
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    latency: float = 0.0
    error: str = ""
    fault: str = ""


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's reply to its ask. The engine still checks the answer against the mask.

    reaction: (kind, answer) to be taken instead of the answer. beliefs: probability by other seat that it is a wolf.
    fallback: why the answer was substituted (one of FAULTS), empty when it is the seat's own. flags: what a reader of
    the speech should know (players.model.guard), and FORKED; the speech itself is never changed.
    """

    answer: Answer
    reaction: tuple[str, Answer] | None = None
    reasoning: str = ""
    beliefs: dict[int, float] = {}
    claims: tuple[Claim, ...] = ()
    fallback: str = ""
    calls: tuple[Call, ...] = ()
    flags: tuple[str, ...] = ()


class Player(Protocol):
    """Sits in a seat and knows its view, its asks and its offers; never raises for what a model or person did."""

    kind: str
    """human, builtin, model, scripted, random or remote."""
    spec: str
    """Who it is, as the record keeps it: the spec it was made from (players.factory)."""
    name: str

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. offers: reactions this seat may take beside it."""
        ...

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """A reaction taken while others are asked, or None. Must be cheap: no model call."""
        ...


@runtime_checkable
class Recalling(Protocol):
    """A player that remembers what it thought, and must be told so when its game is resumed."""

    def recall(self, seat: int, reasoning: str) -> None:
        """What this seat thought in an earlier reply, oldest first. What it remembers already is no news."""
        ...
