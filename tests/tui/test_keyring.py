"""The model's key in the system's keyring: with keyring's own backends, and one in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as Fail
from keyring.backends.null import Keyring as Null

from cli.config import load
from cli.house import CommandHouse, keep_in_ring, ring_key
from tui.house import Connection

KEY = "sk-secret-of-mine"


class InMemory(KeyringBackend):
    """A keyring that lasts as long as the test."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library has no types
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


@pytest.fixture(autouse=True)
def ring() -> Iterator[InMemory]:
    usual, made = keyring.get_keyring(), InMemory()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(usual)


def house(folder: Path) -> CommandHouse:
    env = {"TIANHEI_HOME": str(folder), "TIANHEI_CONFIG": str(folder / "config.toml")}
    return CommandHouse(load({"lang": "en", "home": folder}, env), env)


def test_a_key_is_kept_there_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANHEI_CONFIG", str(tmp_path / "config.toml"))
    first = house(tmp_path)
    first.keep(Connection("some-model", ""), KEY, "en")
    assert first.connection.key == "keyring"
    again = house(tmp_path)
    assert (again.connection.key, again.settings.key) == ("keyring", KEY)
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(KEY.encode() in data for data in files)
    assert KEY not in repr(again.settings)


@pytest.mark.parametrize("backend", [Null, Fail])
def test_a_keyring_that_keeps_nothing_has_not_kept_it(backend: type[KeyringBackend]) -> None:
    keyring.set_keyring(backend())
    assert not keep_in_ring(KEY)
    assert ring_key() is None
