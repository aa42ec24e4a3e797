"""The person in seat 0: what is read aloud, what is answered, and who may not sit beside."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select, Static

from cli.config import load
from cli.errors import Problem
from cli.play import new_game
from engine.asks import Ask
from engine.bits import EVERYONE
from engine.new_moon.card import EventCard, cards
from engine.setup import Setup, deal
from judge.store import Store
from judge.table import Table
from players.factory import make_players
from prompts.narrate import narrate
from prompts.texts import raw
from tests.tui.houses import MemoryHouse
from tests.tui.tables import MemoryTable, seeded, table_of, texts, to_ask, until
from tui.app import PlayApp
from tui.catalogue import CatalogueWords
from tui.home import HomeApp
from tui.lines import Entry, Labels, line_of
from tui.pace import Pace
from tui.screens.dialogs import ConfirmScreen, ReactScreen
from tui.screens.newgame import NewGameScreen
from tui.screens.reveal import AfterScreen, RevealScreen
from tui.session import PaceHook, PlayTable, Session, TableFactory, Update
from tui.strings import Strings
from tui.widgets.askform import AskForm

SIZES = [(80, 24), (120, 40)]
CARDS = ("event.good-manners", "event.black-monday")
DECK = {"werewolf": 3, "little-girl": 1, "prejudiced": 1, "actor": 1, "witch": 1, "villager": 3}


def moonlit(lang: str, seed: int = 3) -> Setup:
    """A table with much for the judge to rule on: three roles, and the first two event cards."""
    setup = deal(
        "extended", 10, deck=DECK, seed=seed, lang=lang, options={"new-moon": True, "little-girl.model": "judge"}
    )
    return msgspec.structs.replace(setup, new_moon=(*CARDS, *(card for card in setup.new_moon if card not in CARDS)))


def in_memory(setup: Setup) -> TableFactory:
    return lambda update, pace: MemoryTable(setup, 0, seeded(3, "en" if setup.lang == "en" else "zh"), update, pace)


def judge_app(factory: TableFactory, lang: str) -> PlayApp:
    return PlayApp(factory, seat=0, lang=lang, words=CatalogueWords, speed="instant", people=(0,))


def keys_of(ask: Ask) -> list[str]:
    """The keys of a legal answer: yes, nobody, or the first there are."""
    if ask.form == "flag":
        return ["1", "enter"]
    if ask.can_pass:
        return ["0", "enter"]
    return [*"".join(map(str, ask.targets[: ask.least])), "enter"]


async def judged(app: PlayApp, pilot: Pilot[int]) -> list[str]:
    """The kinds of question that were answered, by keys, until the game was over."""
    session, kinds = app.table.session, list[str]()

    def at_hand() -> bool:
        return isinstance(app.screen, RevealScreen | AfterScreen) or bool(
            app.table.ready and session.posed is not None and app.table.query(AskForm)
        )

    while True:
        await until(pilot, at_hand)
        if isinstance(app.screen, RevealScreen | AfterScreen):
            return kinds
        ask = session.posed
        assert ask is not None
        assert ask.seat == 0
        kinds.append(ask.kind)
        await pilot.press(*keys_of(ask))
        await until(pilot, lambda: session.posed is not ask)  # noqa: B023 (awaited at once)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_a_whole_game_is_judged_by_keys(lang: str) -> None:
    app = judge_app(in_memory(moonlit(lang)), lang)
    async with app.run_test(size=(80, 24)) as pilot:
        kinds = await judged(app, pilot)
    assert {"judge.clans", "judge.actor-cards", "judge.girl-noticed", "judge.manners", "judge.apply-variant"} <= {
        *kinds
    }
    assert table_of(app).answers, "they went to the table"


async def test_a_kept_game_is_judged_by_keys(tmp_path: Path) -> None:
    setup = moonlit("en")
    store = Store(tmp_path)

    def make(update: Update, pace: PaceHook) -> PlayTable:
        players = make_players(setup, {**dict.fromkeys(range(1, 11), "builtin"), 0: "human"})
        return Table.new(setup, players, store, game_id="g", on_update=update, pace=pace)

    app = judge_app(make, "en")
    async with app.run_test(size=(80, 24)) as pilot:
        kinds = await judged(app, pilot)
        assert isinstance(app.screen, AfterScreen)
    store.close()
    record = Store(tmp_path).record("g")
    assert record.header.players[0].kind == "human"
    asked = [one.ask.kind for line in record.decisions for one in line.asked if one.ask.seat == 0]
    assert asked == kinds


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
async def test_lines_are_in_the_language_of_the_table(lang: str) -> None:
    app = judge_app(in_memory(moonlit(lang)), "en")
    async with app.run_test(size=(120, 60)) as pilot:
        await to_ask(app, pilot, "judge.manners")
        told = "".join(row.removeprefix("▪ ").strip() for row in texts(app)).replace(" ", "")
        game = table_of(app).game
        for event, to in zip(game.events, game.audiences, strict=True):
            line = narrate(event, lang)
            if to == EVERYONE and line and event.kind in ("dawn", "event.card", "phase", "step"):
                assert ("Say:" + line).replace(" ", "") in told
        secret = [narrate(e, lang) for e, to in zip(game.events, game.audiences, strict=True) if to != EVERYONE]
        assert any(line and line.replace(" ", "") in told for line in secret), "the judge sees all"
        await pilot.press("f9")
        await pilot.pause()
        assert not [row for row in texts(app) if row.startswith("✱")]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_event_card_is_shown_and_explained_when_drawn(lang: str) -> None:
    labels, say = Labels(CatalogueWords(lang), {}), Strings(lang)
    for card in sorted(cards()):
        name, rules = (raw(lang, f"{card.replace('event.', 'events.')}.{part}") for part in ("name", "text"))
        (line,) = line_of(EventCard(card), False, labels, say)
        assert name in line.text
        assert rules in line.text
        assert bool(re.search(r"[一-鿿]", line.text)) is (lang == "zh")
        assert len(entry_rows := Entry(line, say).rows(51)) <= 6, f"{card}: {entry_rows}"


async def test_a_red_card_by_keys() -> None:
    app = judge_app(in_memory(moonlit("en")), "en")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "judge.manners")
        (offer,) = app.table.session.offers()
        assert offer.kind == "judge.red-card"
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, ReactScreen))
        await pilot.press(*str(offer.targets[0]), "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("right", "enter")
        await until(pilot, lambda: table_of(app).reactions)
        assert table_of(app).reactions == [("judge.red-card", offer.targets[0])]


async def test_a_paused_table_goes_on_by_steps() -> None:
    app = judge_app(in_memory(moonlit("en")), "en")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "judge.manners")
        shown = len(app.table.session.shown.events)
        await pilot.press("space", "0", "enter")
        await until(pilot, lambda: table_of(app).answers[-1][0] == "judge.manners")
        assert app.pace.paused
        for more in (1, 2, 3):
            await pilot.press("full_stop")
            await until(pilot, lambda: len(app.table.session.shown.events) == shown + more)  # noqa: B023
        assert app.pace.paused


async def test_the_hint_is_the_default_of_the_rulebook() -> None:
    app = judge_app(in_memory(moonlit("en")), "en")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot, "judge.manners")
        await pilot.press("f6")
        await until(pilot, lambda: "nobody" in str(app.table.query_one("#tip", Static).content))


def test_nobody_plays_at_the_terminal_of_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="every card"):
        Session(0, Pace(), lambda *_: None, lambda: None, lambda _: None, people=(0, 3))
    settings = load({"lang": "en", "home": tmp_path})
    with pytest.raises(Problem, match="every card"):
        new_game(settings, me="3", role=None, seed=1, overrides=(), judge="human")
    with pytest.raises(Problem, match="terminal"):
        new_game(settings, me=None, role=None, seed=1, overrides=(), judge="human")


async def test_the_judge_is_chosen_in_the_form() -> None:
    house = MemoryHouse("en")
    app = HomeApp(house, speed="instant")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, NewGameScreen))
        form = app.screen
        form.query_one("#new-me", Select).value = "judge"
        form.query_one("#who-2", Select).value = "human"
        await pilot.pause()
        await pilot.press("ctrl+s")
        assert app.screen is form, "a friend beside the judge is refused"
        assert "every card" in str(form.query_one("#new-wrong", Static).content)
        form.query_one("#who-2", Select).value = "same"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: house.begun)
    (plan,) = house.begun
    assert (plan.me, plan.judge, plan.friends) == ("none", "human", ())


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_judging(snap_compare: Callable[..., bool], lang: str, size: tuple[int, int]) -> None:
    app = judge_app(in_memory(moonlit(lang)), lang)

    async def before(pilot: Pilot[int]) -> None:
        await to_ask(app, pilot, "judge.manners")
        for line in app.screen.query(Input):
            line.cursor_blink = False
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)
