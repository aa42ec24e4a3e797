"""A wrong key and a dead endpoint are told before anything is dealt; the key is never shown."""

import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cli.errors import MODEL
from tests.support.command import Tianhei

KEY = "sk-quite-secret"
REPLIES: dict[str, tuple[int, bytes]] = {
    "key": (401, json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()),
    "model": (404, b'{"error": {"message": "The model does not exist"}}'),
    "page": (200, b"<html>hello</html>"),
}


class Server(BaseHTTPRequestHandler):
    """Answers every question with the reply that its address names."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        status, body = REPLIES[self.path.split("/")[1]]
        self.send_response(status)
        self.send_header("content-type", "text/html" if body.startswith(b"<") else "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server on this machine."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as http:
        thread = Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


@pytest.fixture
def dead() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("reply", "cure"), [("key", "OPENAI_API_KEY"), ("model", "--model"), ("page", "--base-url"), ("", "--base-url")]
)
def test_a_server_that_cannot_be_used(
    tianhei: Tianhei,
    home: Path,
    server: str,
    dead: str,
    monkeypatch: pytest.MonkeyPatch,
    reply: str,
    cure: str,
    lang: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    address = f"{server}/{reply}/v1" if reply else f"{dead}/v1"
    for command in (["simulate", "-n", "1"], ["play", "--me", "none"]):
        ran = tianhei(*command, "--model", "m", "--base-url", address, "--lang", lang)
        assert ran.code == MODEL
        assert ran.out == ""
        assert ran.err.count("\n") == 1
        assert cure in ran.err
        assert KEY not in ran.err
    assert list(home.iterdir()) == []
