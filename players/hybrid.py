"""A hybrid seat: a built-in player decides what to do and what to claim, a model puts the speech into words.

One call for each speech and none for anything else. Words that name another seat or card than planned, or claim
something else, are not used: the built-in player's own speech is made instead, and the reply says so in its flags.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from engine.asks import Answer, Ask
from engine.text import clean
from engine.views import View
from players.base import Call, Claim, Reply
from players.builtin import BuiltinPlayer
from players.builtin.listen import listen, named_cards, named_seats
from players.model.client import Failure, ModelClient
from players.model.guard import flags_of
from players.model.reading import unthought

if TYPE_CHECKING:
    from players.model.client import Messages

OFF_PLAN, UNWORDED = "off-plan", "unworded"
"""Flags: the model's words were not what was planned; there were no words."""
EARLIER = 3  # own speeches that the model is shown
WEIGHTY = frozenset({"claim-role", "claim-result", "plan"})
HOSTILE, KIND = frozenset({"accuse", "vote-call", "disagree"}), frozenset({"vouch", "agree"})
FATAL = frozenset({"role-leaked", "meta", "language", "no-seat", "false-event"})
"""Flags of a model's speech with which it is not made."""


class HybridPlayer:
    """The choices and claims of a built-in player in a model's words."""

    kind = "hybrid"
    spec = "hybrid"
    patience = None  # the client keeps its own deadline

    def __init__(self, plan: BuiltinPlayer, client: ModelClient, persona: str = "", name: str = "") -> None:
        """persona: how the seat talks, in words."""
        self.plan, self.client, self.persona = plan, client, persona
        self.name = name or f"hybrid:{client.endpoint.model}"

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """The plan, with its speech in the model's words where they hold to it."""
        planned = self.plan.decide(view, ask, offers)
        gist = planned.answer
        if ask.form != "text" or planned.reaction or not isinstance(gist, str) or not gist:
            return planned
        outcome = await self.client.ask(self._prompt(view, gist), _schema())
        words = "" if isinstance(outcome, Failure) else _spoken(outcome.text)
        if not words or not ask.allows(words):
            return msgspec.structs.replace(planned, calls=outcome.calls, flags=(UNWORDED,))
        if not self.holds(view, gist, words, planned.claims):
            return msgspec.structs.replace(planned, calls=_marked(outcome.calls), flags=(OFF_PLAN,))
        self.client.proven()
        return msgspec.structs.replace(planned, answer=ask.check(words), calls=outcome.calls)

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """The built-in player's."""
        return self.plan.react(view, offers)

    def holds(self, view: View, gist: str, words: str, claims: tuple[Claim, ...]) -> bool:
        """Whether the model's words say what was planned, and nothing else."""
        if named_seats(words, view.size) != named_seats(gist, view.size) - {view.seat or 0}:
            return False
        if named_cards(words) - named_cards(gist):
            return False
        if FATAL & set(flags_of(words, "", view, view.lang)):
            return False
        return agrees(claims, listen(words, view.seat or 0, view.size, view.day))

    def _prompt(self, view: View, gist: str) -> Messages:
        from prompts.hybrid import messages

        own = [said.text for said in view.said if said.seat == view.seat and said.text][-EARLIER:]
        return [
            {"role": one.role, "content": one.content} for one in messages(view, gist, own, self.persona, view.lang)
        ]


def agrees(planned: Iterable[Claim], heard: Iterable[Claim]) -> bool:
    """Whether the same is claimed: cards, results and plans exactly, and nobody attacked or defended but as planned."""
    planned, heard = tuple(planned), tuple(heard)
    weighty = [{_key(claim) for claim in claims if claim.act in WEIGHTY} for claims in (planned, heard)]
    if weighty[0] != weighty[1]:
        return False
    for acts in (HOSTILE, KIND):
        meant, said = (_turned(claims, acts) for claims in (planned, heard))
        if said - meant:
            return False
    return True


def _key(claim: Claim) -> tuple[object, ...]:
    return claim.act, claim.target, claim.value, claim.negated


def _turned(claims: Iterable[Claim], acts: frozenset[str]) -> set[int]:
    """Seats that are spoken of in this way; a bad result is hostile, a good one kind."""
    value = "bad" if acts is HOSTILE else "good"
    return {
        claim.target
        for claim in claims
        if claim.target and not claim.negated and (claim.act in acts or claim.value == value)
    }


def _spoken(text: str) -> str:
    """The speech in a reply: of the JSON object, or the bare words."""
    plain = unthought(text).replace("```", " ")
    try:
        found = json.loads(plain[plain.index("{") : plain.rindex("}") + 1])
    except ValueError:
        return "" if "{" in plain else clean(plain)
    speech = found.get("speech") if isinstance(found, dict) else None
    return clean(speech) if isinstance(speech, str) else ""


def _marked(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """The last call was of no use."""
    return (*calls[:-1], msgspec.structs.replace(calls[-1], error=OFF_PLAN)) if calls else calls


def _schema() -> dict[str, object]:
    from prompts.hybrid import SCHEMA

    return SCHEMA


__all__ = ["OFF_PLAN", "UNWORDED", "HybridPlayer", "agrees"]
