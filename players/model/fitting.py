"""Prompts within a model's context: private notes go first, the oldest speeches are then shortened, facts never go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.asks import Ask
from engine.views import View
from players.model.tokens import counter

if TYPE_CHECKING:
    from players.model.client import Messages
    from players.model.endpoint import Endpoint

STEPS = (None, 200, 100, 50, 20)
"""Characters that are kept of the speeches before today's, one try after another."""
ASSUMED = 0.75  # of the prompt that was too long for a server that names no limit


def fitted(
    view: View,
    ask: Ask,
    offers: tuple[Ask, ...],
    persona: str,
    lang: str,
    notes: list[str],
    limit: int | None,
    endpoint: Endpoint,
    *,
    tight: bool = False,
) -> Messages:
    """The prompt in at most `limit` tokens, the reply's own left free; as short as can be where that does not do.

    tight: the last prompt was too long for the server, so the estimate was too low.
    """
    from prompts.model import messages

    own = counter(endpoint.model)

    def built(kept: list[str], speech: int | None) -> Messages:
        parts = messages(view, ask, offers, persona, lang, kept, speech_limit=speech)
        return [{"role": part.role, "content": part.content} for part in parts]

    asked = built(notes, None)
    size = own.count(asked)
    room = (limit or round(ASSUMED * size)) - min(endpoint.max_tokens, (limit or size) // 4)
    if tight:
        room = min(room, round(ASSUMED * size))
    kept = list(notes)
    while size > room and kept:
        kept = kept[len(kept) // 2 + 1 :]
        asked = built(kept, None)
        size = own.count(asked)
    for speech in STEPS[1:]:
        if size <= room:
            break
        asked = built(kept, speech)
        size = own.count(asked)
    return asked
