"""A seat whose answers are written down beforehand, for tests and rule cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply

Script = Sequence[Answer] | Mapping[str, Answer | list[Answer]]


class ScriptedPlayer:
    """Answers from a list, in the order of the asks, or by the kind of ask; quiet where nothing (legal) is written.

    In a mapping a list holds the answers to that kind in order, and any other value answers it every time.
    """

    kind = "scripted"
    spec = "scripted"

    def __init__(
        self, script: Script = (), reactions: Mapping[str, Answer] | None = None, name: str = "script"
    ) -> None:
        """reactions: by kind, taken once each as soon as they are offered."""
        self.name = name
        self._line = list(script) if not isinstance(script, Mapping) else []
        self._by_kind = {
            kind: list(said) if isinstance(said, list) else said
            for kind, said in (script.items() if isinstance(script, Mapping) else ())
        }
        self._reactions = dict(reactions or {})

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask."""
        return self.decide(view, ask, offers)

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        """The same without an event loop."""
        if reaction := self.react(view, offers):
            return Reply(ask.quiet(), reaction)
        written = self._next(ask.kind)
        if written is ...:
            return Reply(ask.quiet())
        return Reply(written) if ask.allows(written) else Reply(ask.quiet(), fallback="illegal")  # type: ignore[arg-type]  # `...` is gone

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """The first offered reaction that is written down."""
        for offer in offers:
            if offer.kind in self._reactions and offer.allows(self._reactions[offer.kind]):
                return offer.kind, self._reactions.pop(offer.kind)
        return None

    def _next(self, kind: str) -> object:
        """The next written answer, or ... where there is none."""
        if self._line:
            return self._line.pop(0)
        said = self._by_kind.get(kind, ...)
        if isinstance(said, list):
            return said.pop(0) if said else ...
        return said
