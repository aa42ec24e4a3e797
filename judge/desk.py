"""The rules desk: questions about the rules in force, answered with the passage that the answer relies on.

It reads the rules alone and never the game, so it can give nothing away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from engine.rules.ruleset import frozen, load_ruleset, roles
from engine.text import clean
from judge.asking import Asker, ask_for, number_in
from players.base import Call
from prompts.judge import desk_prompt, number_schema
from prompts.rulebook import explain, roster
from prompts.texts import raw, text

SHOWN = 6  # passages that a model is shown
LEAST = 0.12  # share of the question's terms that the best passage must hold
QUESTION_LIMIT = 400  # characters
ANSWER_LIMIT = 600  # characters
_WORD = re.compile(r"[a-z][a-z'-]+|[一-鿿ぁ-んァ-ヶ]+|\d+")
_COMMON = frozenset({
    "the", "a", "an", "is", "are", "be", "can", "may", "do", "does", "what", "who", "when", "how", "if", "in", "of",
    "to", "and", "or", "it", "at", "on", "for", "with", "by", "i", "he", "she", "they", "his", "her", "there",
    "happens",
})  # fmt: skip


class Passage(msgspec.Struct, frozen=True):
    """A sentence or two of the rules in force, under its heading."""

    heading: str
    text: str


class Advice(msgspec.Struct, frozen=True):
    """An answer. passage: what it relies on, None where the rules say nothing. by: rules or model. calls: its cost."""

    answer: str
    passage: Passage | None
    by: str = "rules"
    calls: tuple[Call, ...] = ()


@lru_cache(maxsize=32)
def _passages(ruleset: str, options: tuple[tuple[str, Any], ...], lang: str) -> tuple[Passage, ...]:
    rules = load_ruleset(ruleset)
    pages = [explain(ruleset, lang, None, dict(options))]
    pages += [explain(ruleset, lang, role, dict(options)) for role in roster(rules) if role in roles()]
    found: dict[Passage, None] = {}
    for page in pages:
        heading = ""
        for line in page.splitlines():
            if line.startswith("# "):
                heading = line[2:]
            elif line.strip():
                found[Passage(heading, line.strip())] = None
    return tuple(found)


def passages(ruleset: str, options: Mapping[str, Any], lang: str) -> tuple[Passage, ...]:
    """All passages of the rules in force. Raises SetupError, TextError."""
    return _passages(ruleset, frozen(options), lang)


def ranked(question: str, among: tuple[Passage, ...]) -> list[Passage]:
    """The passages that have to do with the question, best first; none if nothing fits."""
    terms = _terms(question)
    if not terms:
        return []
    weight = {term: 1 / (1 + sum(term in _terms(p.heading + " " + p.text) for p in among)) for term in terms}
    total = sum(weight.values())
    scored = []
    for at, passage in enumerate(among):
        held, heading = _terms(passage.text) & terms, _terms(passage.heading) & terms
        score = sum(weight[term] for term in held) + 1.5 * sum(weight[term] for term in heading)
        if (held or heading) and score / total >= LEAST:
            scored.append((-score, at, passage))
    return [passage for *_, passage in sorted(scored, key=lambda one: one[:2])]


async def consult(
    question: str, ruleset: str, options: Mapping[str, Any], lang: str, client: Asker | None = None
) -> Advice:
    """The answer to a question about the rules: the best passage, or a model's words from one that it names."""
    asked = clean(question[:QUESTION_LIMIT])
    best = ranked(asked, passages(ruleset, options, lang))
    if not best:
        return Advice(raw(lang, "judge.desk.nothing"), None)
    plain = Advice(text(lang, "judge.desk.source", heading=best[0].heading, text=best[0].text), best[0])
    if client is None:
        return plain
    shown = best[:SHOWN]
    prompt = desk_prompt([f"{one.heading}: {one.text}" for one in shown], asked, lang)
    heard = await ask_for(client, prompt, number_schema("passage", len(shown), "answer"))
    at, said = number_in(heard.fields, "passage", len(shown)), heard.fields.get("answer")
    if not at or not isinstance(said, str) or not clean(said):
        return msgspec.structs.replace(plain, calls=heard.calls)
    return Advice(clean(said[:ANSWER_LIMIT]), shown[at - 1], "model", heard.calls)


@lru_cache(maxsize=4096)
def _terms(words: str) -> frozenset[str]:
    """Words of an alphabet without their endings, and pairs of characters of other scripts."""
    found: set[str] = set()
    for word in _WORD.findall(words.lower()):
        if word[0].isascii():
            found.add(word.removesuffix("s")[:7]) if word not in _COMMON else None
        else:
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
    return frozenset(found)
