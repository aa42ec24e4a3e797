"""The form of every kind of question there is, found in random games of all rules, events, houses and variants."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from engine.asks import Ask, seat_ask
from engine.game import Game
from engine.setup import deal
from engine.views import View
from prompts.texts import catalogue
from tests.engine.tables import random_setup, step
from tui.catalogue import CatalogueWords
from tui.lines import Labels
from tui.strings import Strings
from tui.widgets.askform import AskForm
from tui.widgets.picker import Picker

GAMES = 400
WIDTH = 80
HAN = re.compile(r"[一-鿿]")
LATIN = re.compile(r"[A-Za-z]{3,}")
KEYS = {"Enter", "Esc", "Tab", "Ctrl"}
RARE = (
    Ask(0, "judge.girl-noticed", "flag"),
    seat_ask(3, "widow-knife.bite", 0b1110110, can_pass=True),
    seat_ask(3, "witch.dusk-poison", 0b1110110, can_pass=True),
)
"""What the random games do not come to."""


@cache
def found() -> dict[tuple[str, str, str], tuple[Ask, View]]:
    """One question of each kind, form and occasion, with the view of its seat when it was asked."""
    asks: dict[tuple[str, str, str], tuple[Ask, View]] = {}
    for seed in range(GAMES):
        game, rng = Game(random_setup(seed)), Random(seed)
        while game.asks:
            for ask in (*game.asks, *game.reactions):
                key = (ask.kind, ask.form, ask.about)
                if key not in asks:
                    fresh = Game.replay(game.setup, game.decisions)  # a view that does not grow any more
                    asks[key] = ask, fresh.view(ask.seat)
            step(game, rng)
    view = Game(deal("homebrew", 9, seed=1)).view(3)
    return asks | {(ask.kind, ask.form, ask.about): (ask, view) for ask in RARE}


def test_every_kind_is_found() -> None:
    kinds = {kind for kind, *_ in found()}
    titled = {key[5:].removesuffix(".title") for key in catalogue("en") if re.fullmatch(r"asks\..*\.title", key)}
    assert kinds == titled, "a kind without words, or words for a kind that is never asked"


class Forms(App[None]):
    """The action panel of a table of 80 columns, with one form after another."""

    CSS_PATH = "../../tui/screens/table.tcss"

    def compose(self) -> ComposeResult:
        yield VerticalScroll(id="action")


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_every_form_is_legible(lang: str) -> None:
    words, say = CatalogueWords(lang), Strings(lang)
    app = Forms()
    async with app.run_test(size=(WIDTH, 24)) as pilot:
        panel = app.query_one("#action")
        for ask, view in found().values():
            form = AskForm(ask, view, Labels(words, {}), say)
            await panel.mount(form)
            await pilot.pause()
            told = read(form)
            title, about = words.ask_title(ask, view), words.ask_hint(ask.kind)
            assert title, ask.kind
            assert about, f"{ask.kind}: nothing says what an answer does"
            assert title in told[0], ask.kind
            assert about in told[0], ask.kind
            assert told[-1].strip(), f"{ask.kind}: no word on the keys"
            check_language(ask, lang, told)
            check_room(ask, form)
            await form.remove()


def read(form: AskForm) -> list[str]:
    """What stands in a form: the question with its explanation, the labels of the answers, the word on the keys."""
    title, *_, hint = form.query(Static).results(Static)
    labels = [item.words for picker in form.query(Picker) for item in picker.items]
    lines = [line.placeholder for line in form.query(Input) if line.id == "talk"]
    return [str(title.content), *labels, *lines, str(hint.content)]


def check_language(ask: Ask, lang: str, told: list[str]) -> None:
    for words in told:
        assert words.strip(), ask.kind
        assert not re.search(r"[{}]|\b[a-z]+\.[a-z-]+\b", words), f"{ask.kind}: {words} is a key, not words"
        if lang == "en":
            assert not HAN.search(words), f"{ask.kind}: {words}"
        else:
            assert not set(LATIN.findall(words)) - KEYS, f"{ask.kind}: {words}"
            assert HAN.search(words), f"{ask.kind}: {words}"


def check_room(ask: Ask, form: AskForm) -> None:
    """Everything can be read: no row is wider than the screen, and no label is cut off."""
    for picker in form.query(Picker):
        assert picker.region.right <= WIDTH, ask.kind
        assert picker.item_cells() <= picker.content_size.width, f"{ask.kind}: an answer is wider than the screen"
        rows = picker.render().plain.split("\n")
        assert all(cell_len(row) <= picker.content_size.width for row in rows), ask.kind
        assert picker.size.height >= len(rows), ask.kind
        assert len(rows) <= 7, f"{ask.kind}: {len(rows)} rows leave no room for the transcript"  # with 18 seats
    for part in form.query(Static):
        assert part.region.right <= WIDTH, ask.kind
        assert part.size.height <= 3, f"{ask.kind}: too long"
