"""`tianhei play --judge`: who may be the judge, and what a person is told who cannot be."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from judge.store import Store
from tests.cli.test_commands import child
from tests.support.command import Tianhei
from tests.support.stub_openai import Stub, running


@pytest.mark.parametrize(("lang", "why"), [("en", "sees every card"), ("zh", "看得到所有身份牌")])
def test_who_judges_plays_no_seat(tianhei: Tianhei, lang: str, why: str) -> None:
    ran = tianhei("play", "--judge", "human", "--me", "3", "--lang", lang)
    assert ran.code == 2
    assert why in ran.err
    assert "Traceback" not in ran.err


def test_a_model_that_judges_must_be_named(tianhei: Tianhei) -> None:
    ran = tianhei("play", "--judge", "model", "--me", "none")
    assert ran.code != 0
    assert "--model" in ran.err


async def test_a_watched_game_is_judged_by_a_model(tmp_path: Path) -> None:
    async with running(Stub()) as stub:
        ran = await asyncio.to_thread(
            child, "play", "--me", "none", "--judge", "model", "--players", "builtin", "--model", "stub",
            "--base-url", stub.url, "--home", str(tmp_path), "--new-moon", "--seed", "4", "--lang", "en",
            OPENAI_API_KEY="k",
        )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    store = Store(tmp_path)
    (game,) = store.games()
    assert [(sitter.kind, sitter.name) for sitter in game.header.players if sitter.seat == 0] == [("model", "stub")]
    assert {sitter.kind for sitter in game.header.players if sitter.seat} == {"builtin"}
    store.close()
    assert len(stub.requests) > 1, "it was asked for words"
