"""How the judge tells the New Moon's events that need more than a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.new_moon.attributes import Declared
from engine.new_moon.ballots import Coin, Hands
from engine.new_moon.bringers import VariantNow
from engine.new_moon.manners import Unseen
from engine.new_moon.spirits import SpiritAnswer
from prompts.texts import listed, raw, text
from prompts.words import seats_word

Quote = Callable[[str], str]


def _unseen(event: Unseen, lang: str, quote: Quote) -> str:
    if not event.text:
        return raw(lang, "lines.said.unseen.none")
    return text(lang, "lines.said.unseen", text=quote(event.text))


def _hands(event: Hands, lang: str, quote: Quote) -> str:
    rows = [text(lang, "lines.hands.row", s=seat, list=seats_word(two, lang)) for seat, two in event.hands.items()]
    counts = [text(lang, "lines.hands.count", s=seat, n=f"{got:g}") for seat, got in event.totals.items()]
    return text(lang, "lines.hands", rows=raw(lang, "names.clause").join(rows), counts=listed(lang, counts))


def _declared(event: Declared, lang: str, quote: Quote) -> str:
    """What a seat says of itself; a fact that it does not declare is not spoken of."""
    facts = [raw(lang, f"events.fact.gender.{event.gender}")] if event.gender else []
    worn = {"black-clothes": event.black_clothes, "glasses": event.glasses, "jewellery": event.jewellery}
    for name, so in worn.items():
        if so is not None:
            facts.append(raw(lang, f"events.fact.{name}.{'yes' if so else 'no'}"))
    if event.age is not None:
        facts.append(text(lang, "events.fact.age", n=event.age))
    return text(lang, "lines.attributes", s=event.seat, facts=listed(lang, facts))


def _coin(event: Coin, lang: str, quote: Quote) -> str:
    return text(lang, f"lines.coin.{event.side}", s=event.seat)


def _variant(event: VariantNow, lang: str, quote: Quote) -> str:
    line = "lines.event.variant.yes" if event.applied else "lines.event.variant.no"
    return text(lang, line, variant=raw(lang, f"events.variant.{event.variant}"))


def _spirit(event: SpiritAnswer, lang: str, quote: Quote) -> str:
    line = "lines.spiritualism.answer.yes" if event.answer else "lines.spiritualism.answer.no"
    return text(lang, line, question=raw(lang, f"asks.spiritualism.ask.{event.question}"))


MOON: dict[str, Callable[[Any, str, Quote], str | None]] = {
    Unseen.kind: _unseen,
    Hands.kind: _hands,
    Declared.kind: _declared,
    Coin.kind: _coin,
    VariantNow.kind: _variant,
    SpiritAnswer.kind: _spirit,
}
"""Event kind -> teller."""
