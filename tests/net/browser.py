"""A real headless Chromium, driven over its own debugging protocol; and a script that plays the page by a seed."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
PLAYER = """
(() => {
  let seed = %d;
  const draw = (n) => (seed = (seed * 48271) %% 2147483647) %% n;
  setInterval(() => {
    const ask = document.getElementById("ask");
    if (!ask || ask.hidden) return;
    document.getElementById("text").value = %s;
    const open = [...document.querySelectorAll("#choices button:enabled")];
    const first = document.getElementById("speech").hidden ? draw(open.length) : 0;
    if (open.length) open[first].click();
  }, 5);
})();
"""


class Page:
    """One tab. received: every WebSocket message that came to it. requested: every address it asked for. refused: of
    these, those which the page's own policy kept from being asked."""

    def __init__(self, socket: Any, session: str) -> None:
        self._socket, self._session = socket, session
        self._last, self._waiting = 0, dict[int, asyncio.Future[dict[str, Any]]]()
        self.received: list[str] = []
        self.requested: list[str] = []
        self.refused: list[str] = []
        self.complaints: list[str] = []
        self._urls: dict[str, str] = {}
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            if told.get("id") in self._waiting:
                self._waiting.pop(told["id"]).set_result(told)
            params = told.get("params", {})
            match told.get("method"):
                case "Network.webSocketFrameReceived":
                    self.received.append(params["response"]["payloadData"])
                case "Network.requestWillBeSent":
                    self.requested.append(params["request"]["url"])
                    self._urls[params["requestId"]] = params["request"]["url"]
                case "Network.loadingFailed" if params.get("blockedReason") == "csp":
                    self.refused.append(self._urls[params["requestId"]])
                case "Network.webSocketCreated":
                    self.requested.append(params["url"])
                case "Log.entryAdded":
                    self.complaints.append(params["entry"]["text"])
                case "Runtime.exceptionThrown":
                    self.complaints.append(params["exceptionDetails"]["text"])

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command. Raises RuntimeError for what the browser refuses."""
        self._last += 1
        self._waiting[self._last] = asyncio.get_running_loop().create_future()
        frame = {"id": self._last, "method": method, "params": params, "sessionId": self._session}
        done = self._waiting[self._last]
        await self._socket.send_json(frame)
        told = await done
        if "error" in told:
            raise RuntimeError(f"{method}: {told['error']}")
        result: dict[str, Any] = told["result"]
        return result

    async def value(self, expression: str) -> Any:
        """What this JavaScript gives, awaited."""
        told = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in told:
            raise RuntimeError(str(told["exceptionDetails"]))
        return told["result"].get("value")

    async def until(self, expression: str) -> None:
        """Until this is so in the page; it is looked at whenever the page changes."""
        await self.value(
            "new Promise((done) => {"
            f"const look = () => {{ if ({expression}) done(true); }};"
            "new MutationObserver(look).observe(document, "
            "{subtree: true, childList: true, attributes: true, characterData: true}); look(); })"
        )

    async def open(self, url: str, *, seed: int = 0, says: str = "") -> None:
        """Go there. seed: plays by it from now on, also after a reload."""
        for domain in ("Page", "Network", "Log", "Runtime"):
            await self.call(f"{domain}.enable")
        if seed:
            script = PLAYER % (seed, json.dumps(says))
            await self.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        await self.call("Page.navigate", url=url)
        await self.ready()

    async def ready(self) -> None:
        """Until the page has its words."""
        await self.until("document.querySelector('#enter button[data-word]')?.textContent")

    async def enter(self, code: str, lang: str) -> None:
        """Choose a language, type the code and sit down."""
        await self.value(f"document.querySelector('[data-lang={lang}]').click()")
        await self.value(f"document.getElementById('code').value = {json.dumps(code)}")
        await self.value("document.getElementById('enter').requestSubmit()")

    async def stop(self) -> None:
        """Stop listening."""
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading


@asynccontextmanager
async def chromium(folder: Path) -> AsyncIterator[Page]:
    """One tab of a browser of its own, with a new profile in this folder."""
    from aiohttp import ClientSession

    process = await asyncio.create_subprocess_exec(
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
        f"--user-data-dir={folder}", "about:blank",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        url = ""
        async with asyncio.timeout(60):
            while not url:
                line = (await process.stderr.readline()).decode(errors="replace")
                assert line, "the browser did not start"
                url = line.partition("listening on ")[2].strip()
        async with ClientSession() as http, http.ws_connect(url, max_msg_size=0) as socket:
            session = await _attached(socket)
            page = Page(socket, session)
            yield page
            await page.stop()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def _attached(socket: Any) -> str:
    """A new tab's session."""
    await socket.send_json({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}})
    target = await _result(socket, 1)
    params = {"targetId": target["targetId"], "flatten": True}
    await socket.send_json({"id": 2, "method": "Target.attachToTarget", "params": params})
    session: str = (await _result(socket, 2))["sessionId"]
    return session


async def _result(socket: Any, id: int) -> dict[str, Any]:
    while (told := await socket.receive_json()).get("id") != id:
        pass
    result: dict[str, Any] = told["result"]
    return result
