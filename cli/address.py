"""The address of a table, as friends type it."""

from __future__ import annotations

import errno
import os
import socket

from cli.errors import Problem
from cli.words import say

_EVERYWHERE = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
"""An address that listens on all, and one of nobody (RFC 5737, RFC 3849) beyond this machine."""


def invited(address: str) -> str:
    """What friends put after ws://: a listening address, or this machine's own if it listens on all. Where that
    cannot be told, words to be replaced."""
    if address in _EVERYWHERE:
        address = own_address(address)
    return _bracketed(address) if address else say("THIS-MACHINE'S-ADDRESS", "本机地址")


def reached(address: str) -> str:
    """What this machine itself puts after ws://."""
    return _bracketed({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address))


def own_address(everywhere: str) -> str:
    """This machine's address on its network, empty if it has none. Nothing is sent: connecting a datagram socket
    only asks the system for the way out."""
    family, nobody = _EVERYWHERE[everywhere]
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way_out:
            way_out.connect((nobody, 9))
            return str(way_out.getsockname()[0])
    except OSError:
        return ""


def cannot_listen(address: str, port: int, error: OSError) -> Problem:
    """Why nothing can listen there, and what to change."""
    elsewhere = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    option = "--address" if elsewhere else "--port"
    # asyncio puts its own sentence into strerror; the system's is shorter. gaierror has numbers of its own.
    why = str(error.strerror) if isinstance(error, socket.gaierror) else os.strerror(error.errno or errno.EIO)
    return Problem(
        f"cannot listen on {address} port {port} ({why}); choose another {option}",
        f"无法监听 {address} 的端口 {port}（{why}）；请换一个 {option}",
    )


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
