"""What the judge's own screen adds: lines to be read aloud or told quietly, in the table's language; the default."""

from __future__ import annotations

from dataclasses import replace

from engine.asks import Ask
from engine.bits import EVERYONE
from engine.events import Event
from engine.game import Game
from players.judge import rule
from prompts.narrate import overheard
from prompts.texts import TextError
from tui.lines import JUDGE, Labels, Line, line_of
from tui.strings import Strings


def judge_lines(event: Event, game: Game, labels: Labels, strings: Strings, told: str | None = None) -> list[Line]:
    """The lines of an event before the judge: what is public is read aloud, the rest names whom to tell it.

    labels: of the table's language. strings: of the screen's. told: the words of a model that narrates.
    """
    to = next((to for one, to in zip(reversed(game.events), reversed(game.audiences), strict=True) if one is event), 1)
    public = to == EVERYONE
    try:
        aside = None if public else overheard(event, to, labels.words.lang)
    except TextError:
        aside = None
    made = line_of(event, not public, labels, strings, told if public else aside)
    return [replace(line, head=strings("line.aloud")) if line.kind == JUDGE else line for line in made]


def default_of(ask: Ask, labels: Labels, strings: Strings) -> str:
    """What the automatic judge would answer."""
    said = labels.words.option(ask, rule(ask).answer) if ask.form != "seats" else ""
    return strings(
        "hint.default", answer=said or labels.words.answer(ask.kind, rule(ask).answer) or strings("ask.pass")
    )
