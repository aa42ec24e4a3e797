"""What a built-in player does: one small function per kind of ask, by theme; a plain aim where that is enough.

`choose` answers any ask that is not talk, within its mask. An ask that nobody planned for is passed if that is legal,
and else answered with as little harm as can be.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.asks import Answer, Ask
from players.builtin.mind import Mind
from players.builtin.policies import bonds, day, houses, moon, office, pack, potions, watch
from players.builtin.policies.aims import AIMS, follow, harmless

Choice = Callable[[Mind, Ask], Answer]

HANDLERS: dict[str, Choice] = {
    **watch.HANDLERS,
    **potions.HANDLERS,
    **pack.HANDLERS,
    **bonds.HANDLERS,
    **office.HANDLERS,
    **day.HANDLERS,
    **moon.HANDLERS,
    **houses.HANDLERS,
}


def choose(mind: Mind, ask: Ask) -> Answer:
    """A legal answer to any ask that is not talk."""
    handler = HANDLERS.get(ask.kind)
    if handler is not None:
        answer = handler(mind, ask)
    elif ask.kind in AIMS:
        answer = follow(mind, ask, AIMS[ask.kind])
    else:
        answer = harmless(mind, ask)
    return answer if ask.allows(answer) else harmless(mind, ask)


__all__ = ["HANDLERS", "choose"]
