"""Replay and afterwards, over a recorded game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.setup import deal
from judge.direct import play_direct
from judge.record import MemorySink, parse_record
from players.factory import make_players
from tests.tui.houses import MemoryHouse
from tests.tui.tables import until
from tui import after
from tui.catalogue import CatalogueWords
from tui.home import HomeApp
from tui.lines import Labels
from tui.screens.dialogs import ChoiceScreen, ConfirmScreen
from tui.screens.replay import ReplayScreen
from tui.screens.reveal import AfterScreen
from tui.screens.table import TableScreen
from tui.strings import Strings
from tui.tape import Tape

SIZES = [(80, 24), (120, 40)]


@cache
def played(lang: str) -> bytes:
    setup = deal("tournament", 9, seed=5, lang=lang)
    sink = MemorySink()
    play_direct(setup, make_players(setup, dict.fromkeys(range(1, 10), "builtin")), sink, game_id="game-9-5")
    return sink.data()


def running(lang: str = "zh") -> bytes:
    """The same game cut off, with a person at seat 3."""
    lines = played(lang).splitlines(keepends=True)[:-1]
    head = lines[0].replace(b'{"seat":3,"kind":"builtin"', b'{"seat":3,"kind":"human"')
    return b"".join([head, *lines[1 : len(lines) // 2]])


def tape_of(data: bytes) -> Tape:
    return Tape(parse_record(data, "record"))


def app_with(data: bytes, lang: str = "zh", share: Path = Path("shared")) -> HomeApp:
    return HomeApp(MemoryHouse(lang, data, share), speed="instant")


async def opened(app: HomeApp, pilot: Pilot[int], *keys: str) -> None:
    await pilot.press("4", "down", *keys)
    await until(pilot, lambda: isinstance(app.screen, ReplayScreen | AfterScreen))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("key", ["enter", "a"])
def test_pictures(snap_compare: Callable[..., bool], key: str, lang: str, size: tuple[int, int]) -> None:
    app = app_with(played(lang), lang)

    async def before(pilot: Pilot[int]) -> None:
        await opened(app, pilot, key)
        await pilot.press("pagedown", "pagedown", "pagedown")
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_a_tape_is_the_game_at_every_event() -> None:
    tape = tape_of(played("zh"))
    game = tape.game.branch(10)
    upto = tape.counts[10]
    assert tape.decisions(upto) == 10
    assert tape.decisions(upto - 1) == 9
    for seat in tape.places():
        assert tape.view(seat, upto).events == game.view(seat).events
    assert tape.view(None, tape.size).events == tape.game.public.events


def test_who_still_plays_sees_only_his_own() -> None:
    tape = tape_of(running())
    assert tape.secret
    assert tape.places() == (None, 3)
    with pytest.raises(ValueError, match="closed"):
        after.sections(tape, 3, Labels(CatalogueWords("zh"), {}), Strings("zh"))


async def test_scrubbing() -> None:
    app = app_with(played("zh"))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "enter")
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("end")
        await until(pilot, lambda: screen.upto == screen.tape.size)
        rows = "\n".join(row.plain for row in screen.query_one("#log").rows)  # type: ignore[attr-defined]  # the transcript, by its id
        await pilot.press("home")
        await pilot.press(*["right"] * len(screen.tape.stops(None)))
        await until(pilot, lambda: screen.upto == screen.tape.size)
        assert "\n".join(row.plain for row in screen.query_one("#log").rows) == rows  # type: ignore[attr-defined]  # the transcript, by its id
        await pilot.press("left")
        assert screen.upto < screen.tape.size
        await pilot.click("#scrubber", offset=(40, 0))
        assert abs(screen.upto - screen.tape.size / 2) < screen.tape.size / 20


async def test_cards_are_hidden_until_asked_for() -> None:
    app = app_with(played("zh"))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "enter")
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("pagedown", "pagedown")

        def roster() -> str:
            return str(screen.query_one("#roster-rows", Static).visual)

        assert "狼人" not in roster()
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("j", "enter")
        await until(pilot, lambda: screen.seat == 0 and "狼人" in roster())
        await pilot.press("f7")
        await until(pilot, lambda: "werewolf" in roster().casefold())


async def test_playing_on() -> None:
    app = app_with(played("zh"))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "enter")
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("pagedown", "pagedown", "b")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("5", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        house = app.house
        assert isinstance(house, MemoryHouse)
        assert house.branched == [(screen.tape.decisions(screen.upto), 5)]


async def test_nothing_to_play_on_from_the_end_or_for_who_still_plays() -> None:
    app = app_with(running())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "enter")
        await pilot.press("b")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)


@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_the_afterwards_are_saved(lang: str, tmp_path: Path) -> None:
    app = app_with(played(lang), lang, tmp_path / "shared")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "a")
        for key in ("1", "2", "3"):
            await pilot.press("s")
            await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
            await pilot.press(key, "enter")
            await until(pilot, lambda: isinstance(app.screen, AfterScreen))
        await pilot.press("f7")
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
    files = {path.suffix: path.read_text("utf-8") for path in (tmp_path / "shared").iterdir()}
    assert files.keys() == {".txt", ".html", ".jsonl"}
    assert files[".jsonl"].encode() == played(lang)
    assert CatalogueWords(lang).role("seer") in files[".txt"]


def test_a_page_runs_nothing_that_was_said() -> None:
    data = played("en").replace(b'"text":"', b'"text":"<script>x</script>', 1)
    tape = tape_of(played("en"))
    labels, say = Labels(CatalogueWords("en"), {2: "<b>&"}), Strings("en")
    page = after.as_html(after.sections(tape, 2, labels, say), tape, labels, say)
    assert data
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_claims_are_marked_by_what_was_true() -> None:
    tape = tape_of(played("zh"))
    made = after.claims(tape)
    assert made
    for one in made:
        if one.claim.act == "claim-role" and one.claim.subject == one.seat and not one.claim.negated:
            assert one.true is (one.cards[one.seat] == one.claim.value)
    assert any(one.true is False for one in made), "somebody lies in every game"


def test_beliefs_are_the_villages() -> None:
    tape = tape_of(played("zh"))
    days = after.beliefs(tape)
    assert days
    assert all(0 <= chance <= 1 for seats in days.values() for chance in seats.values())
    assert after.own_votes(tape, 3, Labels(CatalogueWords("zh"), {}), Strings("zh"))
