"""A model in seat 0: it rules where the rules leave a question to the judge's taste, and nowhere else.

It is sent the public record alone, so that no secret can leak into a ruling; it answers under the ask's mask. A
question of chance or of fact it is not asked: the rulebook's default stands. Where it gives no usable answer that
default stands as well, marked as a fallback in the record.
"""

from __future__ import annotations

from engine.asks import Answer, Ask
from engine.events import Event
from engine.views import View
from judge.asking import Asker, ask_for, number_in
from players.base import Reply
from players.judge import rule
from prompts.judge import number_schema, ruling_prompt
from prompts.words import option_words

OF_TASTE = frozenset({"judge.manners", "judge.apply-variant", "judge.red-card"})
"""Questions of taste. All other questions to the judge are of chance or of fact, and no model answers those."""


class ModelJudge:
    """Rules by a model, else by default."""

    kind = "model"
    spec = "model"
    patience = None  # the client keeps its own deadline

    def __init__(self, client: Asker, lang: str = "", name: str = "judge") -> None:
        """name: what a record calls it, the model's name."""
        self.client, self.lang, self.name = client, lang, name

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
        heard = await ask_for(self.client, prompt, number_schema("answer", len(options)))
        picked = number_in(heard.fields, "answer", len(options))
        if picked:
            return Reply(ask.check(options[picked - 1]), calls=heard.calls)
        return Reply(default.answer, fallback=heard.fault or "illegal", calls=heard.calls)

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
