"""The words of the game out of prompts/."""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.events import Event
from engine.views import View
from prompts import narrate, texts, words

NO_HINT = ""


class CatalogueWords:
    """tui.words.Words over the message catalogues of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def narrate(self, event: Event) -> str | None:
        """What the judge says; a kind that has no line yet is not spoken of, the game goes on."""
        try:
            return narrate.narrate(event, self.lang)
        except texts.TextError:
            return None

    def ask_title(self, ask: Ask, view: View) -> str:
        """The question put to a seat."""
        try:
            return words.ask_title(ask, view, self.lang)
        except texts.TextError:
            return words.ask_name(ask.kind, self.lang)

    def ask_hint(self, kind: str) -> str:
        """What an answer does."""
        try:
            return words.ask_hint(kind, self.lang)
        except texts.TextError:
            return NO_HINT

    def ask_name(self, kind: str) -> str:
        """A kind of ask."""
        return words.ask_name(kind, self.lang)

    def option(self, ask: Ask, option: Answer) -> str:
        """A legal answer."""
        return words.option_words(ask, option, self.lang)

    def answer(self, kind: str, answer: Answer) -> str:
        """An answer that was given."""
        return words.answer_by_kind(kind, answer, self.lang)

    def seat(self, seat: int) -> str:
        """A seat by its number."""
        return words.seat_word(seat, self.lang)

    def role(self, role: str) -> str:
        """A card."""
        return words.role_word(role, self.lang)

    def camp(self, camp: str) -> str:
        """A camp."""
        return words.camp_word(camp, self.lang)

    def result(self, result: str) -> str:
        """What a check shows."""
        return words.result_word(result, self.lang)

    def cause(self, cause: str) -> str:
        """Why somebody is out."""
        return words.cause_word(cause, self.lang) if cause else ""

    def rules(self, view: View, own: bool) -> str:
        """The rules of this table, the own card's first."""
        from prompts.rulebook import explain

        card = explain(view.ruleset, self.lang, view.role, view.options) + "\n\n" if own and view.role else ""
        return card + explain(view.ruleset, self.lang, None, view.options)
