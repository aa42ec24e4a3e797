"""What sits in a seat: the one interface of humans, models, built-in bots, scripts and remote agents."""

from __future__ import annotations

from typing import Protocol

import msgspec

from engine.asks import Answer, Ask
from engine.views import View


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

    request: hash of the request. latency: seconds. error: empty when the answer was used.
    """

    model: str
    request: str
    response: str
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    latency: float = 0.0
    error: str = ""


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's reply to its ask. The engine still checks the answer against the mask.

    reaction: (kind, answer) to be taken instead of the answer. beliefs: probability by other seat that it is a wolf.
    fallback: why the answer was substituted (illegal, unparsable, refused, late, error), empty when it is the seat's
    own.
    """

    answer: Answer
    reaction: tuple[str, Answer] | None = None
    reasoning: str = ""
    beliefs: dict[int, float] = {}
    claims: tuple[Claim, ...] = ()
    fallback: str = ""
    calls: tuple[Call, ...] = ()


class Player(Protocol):
    """Sits in a seat and knows its view, its asks and its offers; never raises for what a model or person did."""

    kind: str
    """human, builtin, model, scripted, random or remote."""
    name: str

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. offers: reactions this seat may take beside it."""
        ...

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """A reaction taken while others are asked, or None. Must be cheap: no model call."""
        ...
