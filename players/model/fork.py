"""Beliefs elicited beside the game, in a fork: what a seat is asked there is in no memory, record or view of the game.

Asking for beliefs within the game may change how a model plays (evaluation: probes), so an evaluation asks here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from engine.views import View
from players.base import Call
from players.model.client import Failure
from players.model.reading import probabilities, read_object
from prompts.probe import probe_messages, probe_schema

if TYPE_CHECKING:
    from players.model.player import ModelPlayer


class Belief(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat believes now. p_wolf: by other seat, in 0..1. p_lie: that the seat asked about said in its last
    speech what it knows to be false; None where it was not asked or not told. vote: for whom it would vote, None for
    nobody. fault: why there is no answer, one of players.base.FAULTS; nothing is substituted, and nothing asked again.
    """

    p_wolf: dict[int, float] = {}
    p_lie: float | None = None
    vote: int | None = None
    fault: str = ""
    calls: tuple[Call, ...] = ()


async def probe(player: ModelPlayer, view: View, about: int | None = None) -> Belief:
    """Ask a seat what it believes, from its view and its own thoughts. The player is the same afterwards.

    about: a seat that has just spoken, whose honesty is asked too. Raises for cancellation alone.
    """
    client, lang = player.client, player.lang or view.lang
    parts = probe_messages(view, about, player.persona, lang, player.thoughts(view.seat or 0), schema=client.schemed)
    asked = [{"role": part.role, "content": part.content} for part in parts]
    got = await client.ask(asked, probe_schema(view.size, lie=about is not None))
    if isinstance(got, Failure):
        return Belief(fault=got.fault, calls=got.calls)
    given = read_object(got.text)
    if given is None:
        return Belief(fault="unparsable", calls=got.calls)
    others = {seat: p for seat, p in probabilities(given.get("beliefs")).items() if 1 <= seat <= view.size}
    others.pop(view.seat or 0, None)
    lie = given.get("p_lie") if about is not None else None
    vote = given.get("vote")
    return Belief(others, _share(lie), vote if type(vote) is int and vote in view.alive else None, calls=got.calls)


def _share(given: Any) -> float | None:
    """A probability, or None."""
    return float(given) if type(given) in (int, float) and 0 <= given <= 1 else None
