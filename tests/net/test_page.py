"""The page with which friends join from a browser: what is served, and whole games in a real one."""

from __future__ import annotations

import asyncio
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from aiohttp import ClientSession

from engine.setup import deal
from engine.text import TEXT_LIMIT
from net.page import FILES, headers
from net.table import RemoteTable
from players.remote.wire import Asked
from tests.net.browser import CHROMIUM, Page, chromium
from tests.net.clients import Bot, canary, opened
from tests.net.test_table import knows_only_its_view

WEB = files("net") / "web"
WORDS = json.loads((WEB / "words.json").read_text(encoding="utf-8"))
MARKUP = "<img src=x onerror=document.title='taken'><b>CANARY</b>"
ENDS = ("refused", "elsewhere", "flood", "stopped", "over")
BROWSER = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here")


async def test_the_door_serves_the_page_and_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,)) as (url, remote), ClientSession() as http:
        page = url.replace("ws://", "http://")
        for path, (_, kind) in FILES.items():
            async with http.get(page + path) as answer:
                assert (answer.status, answer.content_type) == (200, kind)
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert not answer.cookies
                assert remote.tokens[2] not in await answer.text()
        for wrong in ("/page.py", "/../door.py", "/%2e%2e/door.py", "/web/", "/table/x"):
            async with http.get(page + wrong) as answer:
                assert answer.status == 404
        async with http.post(page + "/", data=b"x") as answer:
            assert answer.status == 405


@pytest.mark.parametrize("host", ["x; script-src *", "x y", "", "a\nb", "a,b"])
def test_a_strange_host_gets_nothing_into_the_policy(host: str) -> None:
    assert "ws://" not in headers(host)["Content-Security-Policy"]
    assert "ws://[::1]:1 " in headers("[::1]:1")["Content-Security-Policy"]


def test_every_word_is_there_in_both_languages_and_used() -> None:
    script, page = ((WEB / name).read_text(encoding="utf-8") for name in ("page.js", "page.html"))
    assert WORDS["zh"].keys() == WORDS["en"].keys()
    for word in WORDS["en"]:
        assert f'"{word}"' in script + page or word in ENDS
        assert re.findall(r"\{\w+\}", WORDS["zh"][word]) == re.findall(r"\{\w+\}", WORDS["en"][word])
    assert set(re.findall(r'say\("([\w-]+)"', script)) | set(re.findall(r'data-word="([\w-]+)"', page)) <= set(
        WORDS["en"]
    )


def test_the_page_sets_text_only_and_knows_the_limit() -> None:
    script, page = ((WEB / name).read_text(encoding="utf-8") for name in ("page.js", "page.html"))
    for way in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "http:", 'setTimeout("'):
        assert way not in script.replace('=== "https:"', "")
    assert f'maxlength="{TEXT_LIMIT}"' in page
    assert "//" not in page.replace("<!", ""), "nothing from elsewhere"
    assert 'name="' not in page.replace('<meta name="', ""), "without the script the form would put the code in a query"


class Marking(Bot):
    """Says markup."""

    async def on_frame(self, frame: object) -> None:
        if isinstance(frame, Asked) and frame.ask.form == "text":
            await self.client.answer(frame.id, MARKUP)
        else:
            await super().on_frame(frame)  # type: ignore[arg-type]


async def _over(page: Page, lang: str) -> None:
    over = json.dumps(WORDS[lang]["over"])
    await page.until(f"document.getElementById('state').textContent === {over}")


@BROWSER
@pytest.mark.parametrize("lang", ["zh", "en"])
async def test_a_whole_game_in_a_browser_with_a_reload_and_a_dropped_line(tmp_path: Path, lang: str) -> None:
    async with opened(tmp_path / "table", (2, 3)) as (url, remote), chromium(tmp_path / "browser") as page:
        code, home = remote.tokens[2], url.replace("ws://", "http://") + "/"
        await page.open(home, seed=7, says=f"{canary(2)} day.speak")
        await page.enter(code, lang)
        await remote.lines[2].claimed.wait()
        playing = asyncio.ensure_future(remote.play())
        other = asyncio.ensure_future(Marking(url, remote.tokens[3], 3).play())
        await page.until("document.querySelectorAll('#log li').length > 5")
        await page.call("Page.reload")
        await page.ready()
        await page.until("document.querySelectorAll('#log li').length > 10")
        await page.value("seat.socket.close()")
        await _over(page, lang)
        result = await playing
        assert result is not None
        assert result.status == "finished"
        assert await other == "over"
        _learned(remote, page, await page.value("document.body.innerText"))
        assert await page.value("location.href") == home
        assert await page.value("document.title") == "天黑 Tianhei"
        assert await page.value("document.querySelectorAll('#log b, img').length") == 0
        assert await page.value("[document.cookie, sessionStorage.getItem('tianhei.code')]") == ["", None]
        assert code not in " ".join(page.requested)
        assert {re.match(r"(\w+://[\w.:]+)/", address)[1] for address in page.requested} == {home[:-1], url}  # type: ignore[index]
        assert page.complaints == []


def _learned(remote: RemoteTable, page: Page, shown: str) -> None:
    """Each message to the page is its seat's view; the page shows one line for every event that has words."""
    assert remote.table is not None
    knows_only_its_view(remote.table.game, 2, page.received)
    said = {frame["text"] for frame in map(json.loads, page.received) if frame["t"] == "event" and frame["text"]}
    flat = re.sub(r"\s+", "", shown)
    assert {text for text in said if re.sub(r"\s+", "", text) not in flat} == set()


@BROWSER
async def test_a_wrong_code_and_a_stopped_table_are_told(tmp_path: Path) -> None:
    async with opened(tmp_path / "table", (2,)) as (url, remote), chromium(tmp_path / "browser") as page:
        await page.open(url.replace("ws://", "http://") + "/")
        await page.enter("x" * 24, "en")
        refused = json.dumps(WORDS["en"]["refused"])
        await page.until(f"document.getElementById('state').textContent === {refused}")
        assert await page.value("document.getElementById('enter').hidden") is False
        await page.enter(remote.tokens[2], "zh")
        await remote.lines[2].claimed.wait()
        await remote.close()
        stopped = json.dumps(WORDS["zh"]["stopped"])
        await page.until(f"document.getElementById('state').textContent === {stopped}")


@BROWSER
async def test_a_list_is_picked_and_confirmed(tmp_path: Path) -> None:
    deck = {"werewolf": 2, "cupid": 1, "seer": 1, "villager": 4}
    setup = deal("millers-hollow", 8, deck=deck, seed=1, lang="en", wish=(2, "cupid"))
    async with opened(tmp_path / "table", (2,), setup=setup) as (url, remote), chromium(tmp_path / "browser") as page:
        await page.open(url.replace("ws://", "http://") + "/")
        await page.enter(remote.tokens[2], "en")
        await remote.lines[2].claimed.wait()
        playing = asyncio.ensure_future(remote.play())
        await page.until("document.querySelectorAll('#choices button').length > 8")
        assert await page.value("document.querySelectorAll('#choices button')[8].disabled")
        for seat in (3, 5, 5, 7):  # 5 is taken back
            await page.value(f"document.querySelectorAll('#choices button')[{seat - 1}].click()")
        assert await page.value("document.querySelectorAll('#choices button:disabled').length") == 6
        question = remote.lines[2].question
        assert question is not None
        await page.value("document.querySelectorAll('#choices button')[8].click()")
        assert await question.future == (3, 7)
        await remote.close()
        await playing
