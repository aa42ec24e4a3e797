"""The page with which friends join from a browser: a few files of our own, under a policy that lets in nothing else.

The page asks for the code and sends it in the first frame, so no address holds it. A page of another site could open
the door's WebSocket too, but there is no cookie that would let it in: it would need the code.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import web

FILES = {
    "/": ("page.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
    "/words.json": ("words.json", "application/json"),
}
"""What is served, by path: the file in net/web and its type."""
HOST = re.compile(r"[\w.\-]+(:\d+)?|\[[0-9a-f:.]+\](:\d+)?", re.IGNORECASE)


def headers(host: str) -> dict[str, str]:
    """The headers of every file. host: as the browser names us; some browsers' 'self' does not take in WebSockets."""
    sockets = f" ws://{host} wss://{host}" if HOST.fullmatch(host) else ""
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
            f"connect-src 'self'{sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            "require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-cache",
    }


def add_to(app: web.Application) -> None:
    """Put the page's files into the door's application."""
    for path, (name, kind) in FILES.items():
        app.router.add_get(path, _served((files("net") / "web" / name).read_bytes(), kind))


def _served(body: bytes, kind: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    from aiohttp import web

    async def serve(request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, content_type=kind, charset="utf-8", headers=headers(request.host))

    return serve
