"""BuiltinPlayer: plays every card without any model, from its view alone."""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply
from players.builtin.memory import Memory
from players.builtin.mind import Mind
from players.builtin.persona import Level, persona
from players.builtin.policies import choose
from players.builtin.policies.reactions import react
from players.builtin.speech import speak
from players.judge import rule


class BuiltinPlayer:
    """Deterministic: the same seed, seat and view give the same reply.

    One player may sit in several seats; what it knows of each is kept apart. Nothing is kept that the view does not
    hold, so a player made anew in the middle of a game goes on as the old one would have.
    """

    kind = "builtin"
    spec = "builtin"

    def __init__(self, seed: int = 0, level: Level = "normal", persona: str = "plain", name: str = "") -> None:
        """Raises ValueError for an unknown level or persona."""
        self.seed, self.level = seed, level
        self.persona = _persona(persona, level)
        self.name = name or f"builtin:{persona}"
        self._minds: dict[int, tuple[View, Memory, Mind]] = {}

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask."""
        return self.decide(view, ask, offers)

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        """The same without an event loop."""
        if ask.seat == 0:
            return rule(ask)
        mind = self._mind(view)
        if offers and (reaction := react(mind, offers)):
            return Reply(ask.quiet(), reaction)
        if ask.form == "text":
            text, claims = speak(mind, ask.kind)
            return Reply(ask.check(text) if text else ask.quiet(), claims=claims, beliefs=_told(mind))
        return Reply(choose(mind, ask), beliefs=_told(mind))

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """A reaction that serves its plan: a self-explosion now and then, a house's power on a good target."""
        return react(self._mind(view), offers) if offers and view.seat else None

    def memory_of(self, seat: int) -> Memory:
        """What it remembers in a seat that it has played. Raises KeyError."""
        return self._minds[seat][1]

    def _mind(self, view: View) -> Mind:
        assert view.seat is not None
        known = self._minds.get(view.seat)
        if known is None or known[0] is not view:
            known = None
        memory = known[1] if known else Memory(view.seat, view.size)
        if memory.learn(view) or known is None:
            mind = Mind(view, memory, self.seed, self.persona)
            self._minds[view.seat] = (view, memory, mind)
            return mind
        return known[2]


def _told(mind: Mind) -> dict[int, float]:
    """Its true beliefs about the other seats, for the record."""
    return {seat: round(p, 4) for seat, p in mind.beliefs.wolf.items() if seat != mind.me}


_persona = persona
