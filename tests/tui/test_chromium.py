"""`tianhei serve` in a real headless Chromium: a whole game by keys."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cli.serve import served
from tests.net.browser import CHROMIUM, Page, chromium

pytest.importorskip("textual_serve")
ESCAPE = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]")
ROOT = str(Path(__file__).resolve().parents[2])
CODES = {"Enter": (13, "\r"), "ArrowDown": (40, ""), "Tab": (9, "")}
SHIFT, CONTROL = 8, 2


async def press(page: Page, *keys: str, modifiers: int = 0) -> None:
    for key in keys:
        code, text = CODES.get(key, (ord(key.upper()[0]), "" if modifiers else key))
        more = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        await page.call("Input.dispatchKeyEvent", type="keyDown", **more, **({"text": text} if text else {}))
        await page.call("Input.dispatchKeyEvent", type="keyUp", **more)


def drawn(page: Page, begin: int = 0) -> str:
    """What the app has written since so many messages."""
    frames = [frame for frame in page.received[begin:] if not frame.startswith("[")]  # the others are text
    data = b"".join(map(base64.b64decode, frames))
    return ESCAPE.sub(b"", data).decode("utf-8", "replace")


async def until(page: Page, words: str, *keys: str, begin: int = 0) -> None:
    """Press these keys, over and over, until the app writes the words."""
    async with asyncio.timeout(150):
        while words not in drawn(page, begin):
            await press(page, *keys)
            await asyncio.sleep(0.1)  # the app answers in its own time; the bound above is what can fail


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")
async def test_a_whole_game_in_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANHEI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TIANHEI_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("PYTHONPATH", ROOT)
    told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(served(["--lang", "zh"], 0, "right-token", told.set_result))
    try:
        address = await told
        async with chromium(tmp_path / "profile") as page:
            for domain in ("Page", "Network", "Log", "Runtime"):
                await page.call(f"{domain}.enable")
            await page.call(
                "Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False
            )
            await page.call("Page.navigate", url=address)
            await page.until("document.querySelector('.xterm-helper-textarea')")
            await until(page, "新开一局")
            await page.value("document.querySelector('.xterm-helper-textarea').focus()")
            await until(page, "Ctrl+S 发牌", "1")
            await press(page, "Tab", "Tab", modifiers=SHIFT)
            await press(page, "7")
            await press(page, "s", modifiers=CONTROL)
            await until(page, "视角")
            await press(page, "+", "+", "+")
            await until(page, "s 保存", "ArrowDown", "Enter")
            picture = base64.b64decode((await page.call("Page.captureScreenshot", format="png"))["data"])
            (Path(os.environ.get("TIANHEI_PICTURES") or tmp_path) / "browser.png").write_bytes(picture)
            assert not [told for told in page.complaints if "Uncaught" in told], page.complaints
            own = urlsplit(address).netloc
            foreign = {url for url in page.requested if urlsplit(url).netloc not in ("", own)}
            assert foreign == set(page.refused), "the library's page names a font elsewhere, which our policy keeps out"
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
