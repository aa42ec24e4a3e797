"""What the built-in reasoner makes of a seat's view, for who wants a hint."""

from __future__ import annotations

from engine.asks import Ask
from engine.views import View
from tui.lines import Labels
from tui.strings import Strings

SUSPECTS = 3


class Reasoner:
    """Thinks from one view alone, as a built-in player in that seat would."""

    def __init__(self) -> None:
        from players.builtin import BuiltinPlayer

        self._player = BuiltinPlayer(0, "hard", "plain")

    def hint(self, view: View, ask: Ask, labels: Labels, strings: Strings) -> str:
        """What it would answer, and whom it suspects most."""
        reply = self._player.decide(view, ask)
        alive = [seat for seat in reply.beliefs if seat in view.alive]
        most = sorted(alive, key=lambda seat: -reply.beliefs[seat])[:SUSPECTS]
        suspects = " · ".join(f"{labels.words.seat(seat)} {round(reply.beliefs[seat] * 100)}%" for seat in most)
        if ask.form == "text":
            return strings("hint.suspects", suspects=suspects)
        answer = reply.answer
        said = labels.words.answer(ask.kind, answer) or strings("ask.pass")
        return strings("hint.would", answer=said, suspects=suspects)
