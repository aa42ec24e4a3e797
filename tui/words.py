"""The words of the game as the app asks for them; prompts/ holds the words themselves."""

from __future__ import annotations

from typing import Protocol

from engine.asks import Answer, Ask
from engine.events import Event
from engine.views import View


class Words(Protocol):
    """One language's words of the game. Everything returned is one plain line, except the rules."""

    lang: str

    def narrate(self, event: Event) -> str | None:
        """What the judge says about an event, None if nothing."""
        ...

    def ask_title(self, ask: Ask, view: View) -> str:
        """The question put to a seat."""
        ...

    def ask_hint(self, kind: str) -> str:
        """What an answer does; may be empty."""
        ...

    def ask_name(self, kind: str) -> str:
        """A short name of a kind of ask."""
        ...

    def option(self, ask: Ask, option: Answer) -> str:
        """A legal answer in words."""
        ...

    def seat(self, seat: int) -> str:
        """A seat's name by its number."""
        ...

    def role(self, role: str) -> str:
        """A card's name."""
        ...

    def camp(self, camp: str) -> str:
        """A camp's name."""
        ...

    def result(self, result: str) -> str:
        """What a check shows."""
        ...

    def cause(self, cause: str) -> str:
        """Why somebody is out."""
        ...

    def answer(self, kind: str, answer: Answer) -> str:
        """An answer that was given to this kind of ask."""
        ...

    def rules(self, view: View, own: bool) -> str:
        """The rules of this table, as several lines. own: begin with the card of the view's seat."""
        ...
