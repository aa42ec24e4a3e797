"""Seat 0, the judge, where no model sits in it: the rulebook's own default for every question of discretion."""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.views import View
from players.base import Reply


def rule(ask: Ask) -> Reply:
    """The default ruling: nothing unusual happened."""
    if ask.kind == "judge.apply-variant":
        return Reply(True)
    if ask.form == "flag" and ask.allows(False):
        return Reply(False)
    return Reply(ask.quiet())


class AutoJudge:
    """Rules by default: a cupid did not slip, nobody is punished."""

    kind = "builtin"
    spec = "builtin"
    name = "judge"

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask."""
        return rule(ask)

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        """The same without an event loop."""
        return rule(ask)

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """The judge takes no reaction of its own."""
        return None
