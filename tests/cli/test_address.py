"""A friend can type the address that the host is shown, and a mistake in it is told in one line."""

import errno
import socket

import pytest

from cli import address
from cli.address import cannot_listen, invited, reached
from cli.errors import USAGE
from cli.words import Lang, use
from tests.support.command import Tianhei


@pytest.mark.parametrize(
    ("everywhere", "own", "shown"), [("0.0.0.0", "192.0.2.7", "192.0.2.7"), ("::", "fd00::7", "[fd00::7]")]
)
def test_a_table_open_to_all_shows_this_machine_s_address(
    monkeypatch: pytest.MonkeyPatch, everywhere: str, own: str, shown: str
) -> None:
    monkeypatch.setattr(address, "own_address", {everywhere: own}.__getitem__)
    assert invited(everywhere) == shown


@pytest.mark.parametrize(("lang", "words"), [("en", "THIS-MACHINE'S-ADDRESS"), ("zh", "本机地址")])
def test_a_machine_without_a_network_says_what_to_replace(
    monkeypatch: pytest.MonkeyPatch, lang: Lang, words: str
) -> None:
    def no_way_out(*_: object) -> None:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket, "socket", no_way_out)
    use(lang)
    assert invited("0.0.0.0") == words
    use("en")


def test_other_addresses_stay_and_ipv6_is_bracketed() -> None:
    assert (invited("127.0.0.1"), invited("::1"), invited("table.example")) == ("127.0.0.1", "[::1]", "table.example")
    assert (reached("0.0.0.0"), reached("::"), reached("::1")) == ("127.0.0.1", "[::1]", "[::1]")


@pytest.mark.parametrize(
    ("error", "option"),
    [
        (OSError(errno.EADDRINUSE, "a long sentence"), "--port"),
        (OSError(errno.EADDRNOTAVAIL, "a long sentence"), "--address"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "--address"),
    ],
)
def test_who_cannot_listen_is_told_what_to_change(error: OSError, option: str) -> None:
    said = str(cannot_listen("203.0.113.9", 8765, error))
    assert said.endswith(option)
    assert "a long sentence" not in said


@pytest.mark.parametrize(("lang", "option"), [("en", "another --address"), ("zh", "请换一个 --address")])
def test_host_at_a_foreign_address(tianhei: Tianhei, lang: str, option: str) -> None:
    ran = tianhei("host", "--address", "203.0.113.9", "--port", "0", "--lang", lang)
    assert ran.code == USAGE
    assert ran.err.count("\n") == 1
    assert option in ran.err


def test_a_near_option_is_named_in_one_chinese_sentence(tianhei: Tianhei) -> None:
    err = tianhei("bench", "--modle", "x", "--lang", "zh").err
    assert "--model" in err
    assert "？。" not in err
