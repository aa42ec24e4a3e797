"""Everything that is sent to a model, word for word: a change of a prompt must be seen and meant.

    python -m tests.prompts.test_words

writes the expected files anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.asks import Answer, Ask
from engine.game import Game
from engine.setup import deal
from prompts.judge import clerk_prompt, desk_prompt, narrator_prompt, ruling_prompt
from prompts.model import messages
from prompts.probe import probe_messages

EXPECTED = Path(__file__).parent / "expected"
SPEECH = {"zh": "我是预言家，昨晚验了2号是狼人。", "en": "I am the seer; seat 2 is a wolf."}


def answered(ask: Ask, lang: str) -> Answer:
    """The first legal answer there is; every other seat speaks."""
    if ask.form == "text":
        return SPEECH[lang] if ask.seat % 2 else None
    return ask.options()[0] if ask.form in ("seat", "flag", "choice") else ask.quiet()


def first_asks(lang: str) -> Iterator[tuple[Game, Ask]]:
    """The first ask of each kind of a game of twelve."""
    game, seen = Game(deal("tournament", 12, seed=5, lang=lang)), set[str]()
    while game.asks and game.public.day < 3:
        for ask in game.asks:
            if ask.kind not in seen:
                seen.add(ask.kind)
                yield game, ask
        game.answer({ask.seat: answered(ask, lang) for ask in game.asks})


def told(lang: str) -> str:
    """All prompts."""
    parts: list[str] = []
    for game, ask in first_asks(lang):
        view, offers = game.view(ask.seat), [offer for offer in game.reactions if offer.seat == ask.seat]
        persona, notes = ("calm", ["3 is odd"]) if ask.kind == "day.vote" else ("", [])
        for schema in (False, True):
            sent = messages(view, ask, offers, persona, lang, notes, schema=schema)
            shared = [sent[0].content] * (not parts or (schema and len(parts) == 1)) + [sent[1].content] * (not schema)
            how = "schema" if schema else "listed"
            parts.append("\n".join((f"== {ask.kind}, {how}", *shared, sent[2].content)))
    for about in (None, 2):
        parts.append(f"== probe\n{probe_messages(view, about, '', lang)[2].content}")
    parts += [f"== {name}\n{prompt[-1]['content']}" for name, prompt in judged(game, lang)]
    return "\n".join(parts) + "\n"


def judged(game: Game, lang: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The prompts on the judge's behalf."""
    vote = next(ask for _, ask in first_asks(lang) if ask.kind == "day.vote")
    yield "clerk", clerk_prompt(vote, game.view(vote.seat), ["2", "3"], "vote for number two", lang)
    yield "desk", desk_prompt(["A tie is voted on again."], "What is a tie?", lang)
    yield "ruling", ruling_prompt(vote, game.public, ["yes", "no"], lang)
    yield "narrator", narrator_prompt(SPEECH[lang], lang)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_prompts_word_for_word(lang: str) -> None:
    assert told(lang) == (EXPECTED / f"prompts-{lang}.txt").read_text("utf-8")


if __name__ == "__main__":
    for language in ("zh", "en"):
        (EXPECTED / f"prompts-{language}.txt").write_text(told(language), "utf-8")
