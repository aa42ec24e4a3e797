"""The bar counts on a terminal and is silent elsewhere."""

import io
import sys

import pytest

from cli.progress import Progress


class Terminal(io.StringIO):
    """Text that takes itself for a screen."""

    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(2) as progress:
        progress.step("one")
        progress.step("two")
    return stream.getvalue()


def test_a_terminal_shows_the_count_and_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(Terminal(), monkeypatch)
    assert "1/2 one" in text
    assert "2/2 two" in text
    assert text.endswith("\r\x1b[2K")
    assert "\n" not in text


def test_elsewhere_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch) == ""
