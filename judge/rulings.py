"""A model in seat 0: it rules where the rules leave a question to the judge's taste, and nowhere else.

It is sent the public record alone, so that no secret can leak into a ruling; it answers under the ask's mask; where it
gives no usable answer, or the question is one of chance or of fact, the rulebook's default stands.
"""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.events import Event
from engine.views import View
from judge.asking import Asker, number_in, reply_of
from players.base import Reply
from players.judge import rule
from prompts.judge import number_schema, ruling_prompt
from prompts.words import option_words

OF_TASTE = frozenset({"judge.manners", "judge.apply-variant", "judge.red-card"})
"""Questions of taste. All other questions to the judge are of chance or of fact, and no model answers those."""


class ModelJudge:
    """Rules by a model, else by default."""

    kind = "model"
    name = "judge"
    spec = "model"
    patience = None

    def __init__(self, client: Asker, lang: str = "") -> None:
        self.client, self.lang = client, lang

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. Never raises for what a model did."""
        default = rule(ask)
        if ask.kind not in OF_TASTE:
            return default
        options: list[Answer] = [*ask.options()] or [default.answer, *((seat,) for seat in ask.targets)]
        options = [option for option in options if ask.allows(option)]
        lang = self.lang or view.lang
        words = [option_words(ask, option, lang) for option in options]
        prompt = ruling_prompt(ask, _public(view), words, lang)
        picked = number_in(
            await reply_of(self.client, prompt, number_schema("answer", len(options))), "answer", len(options)
        )
        return Reply(ask.check(options[picked - 1])) if picked else default

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """The judge takes no reaction of its own accord."""
        return None


def _public(view: View) -> View:
    """The judge's view without what was told to some alone."""
    import copy

    secret = {id(event) for event in view.private}
    public: View = copy.copy(view)
    kept: list[tuple[Event, tuple[str, int]]] = [
        pair for pair in zip(view.events, view.at, strict=True) if id(pair[0]) not in secret
    ]
    public.events, public.at = [event for event, _ in kept], [at for _, at in kept]
    public.private, public.roles, public.seat = [], {}, None
    return public
