"""The ablation without talk: seats that play as they do, and whose public words nobody hears."""

from __future__ import annotations

import msgspec

from arena.annotate.walk import PUBLIC_TALK
from engine.asks import Answer, Ask
from engine.views import View
from judge.course import decider
from players.base import Player, Reply


class Mute:
    """A seat that says nothing in public. Its choices, its beliefs and its pack's talk stay its own."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.kind, self.name = player.kind, player.name
        self.spec = player.spec
        self.patience = getattr(player, "patience", None)
        if hasattr(player, "decide"):
            self.decide = self._decide

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """As the player, without a word. Raises what the player raises."""
        return _muted(ask, await self._player.reply(view, ask, offers))

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """As the player."""
        return self._player.react(view, offers)

    def _decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        return _muted(ask, decider(self._player).decide(view, ask, offers))


def _muted(ask: Ask, reply: Reply) -> Reply:
    if ask.kind not in PUBLIC_TALK or ask.form != "text":
        return reply
    return msgspec.structs.replace(reply, answer=ask.quiet(), claims=(), flags=())
