"""Prompts within a model's context: private notes go first, older speeches are then shortened. What the judge said
never goes (deaths, ballots, results), nor a sentence that claims a card, a result or a wolf."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.asks import Ask
from engine.views import View
from players.model.tokens import counter

if TYPE_CHECKING:
    from players.model.client import Messages
    from players.model.endpoint import Endpoint

STEPS = (None, 200, 100, 50, 20)
"""Characters that are kept of the speeches before today's, one try after another."""
CLAIMED = frozenset({"claim-role", "claim-result", "accuse"})
CLAIM_LIMIT = 100  # characters that are kept of one claiming sentence
CLAIMS = 3  # claiming sentences of a speech
_SENTENCE = re.compile(r"(?<=[。！？!?;；])|(?<=[.]) ")
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
    schema: bool = False,
    tight: bool = False,
) -> Messages:
    """The prompt in at most `limit` tokens, the reply's own left free; as short as can be where that does not do.

    schema: as in prompts.model.messages. tight: the last prompt was too long for the server, so the estimate was too
    low.
    """
    from prompts.model import messages

    own = counter(endpoint.model)

    def built(kept: list[str], limit: int | None) -> Messages:
        shorten = None if limit is None else lambda said, day: gist(said.text, said.seat, view.size, day, limit)
        parts = messages(view, ask, offers, persona, lang, kept, shorten=shorten, schema=schema)
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


@lru_cache(maxsize=4096)
def gist(said: str, seat: int, size: int, day: int, limit: int) -> str:
    """The speech in about `limit` characters: the first sentences that claim a card, a result or a wolf, in the
    speaker's words, at any limit; then its beginning."""
    from players.builtin.listen import listen

    if len(said) <= limit:
        return said
    sentences = [one.strip() for one in _SENTENCE.split(said) if one.strip()]
    telling = [one for one in sentences if any(c.act in CLAIMED for c in listen(one, seat, size, day))]
    kept = " ".join(one[:CLAIM_LIMIT] for one in telling[:CLAIMS])
    before = said[: said.index(telling[0])] if telling else said
    start = before[: max(0, limit - len(kept))].strip()
    return f"{start}… {kept}" if start and kept else f"{start or kept}…"
