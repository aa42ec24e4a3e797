"""What the home screen needs of the world outside: saved games, tables to sit at, settings. The command line fills it.

The app itself opens no folder, reads no environment and makes no player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from tui.session import TableFactory

if TYPE_CHECKING:
    from judge.record import Record

DEFAULT_OTHERS = "builtin:normal"


class HouseError(Exception):
    """Something that the person can put right, told in the language spoken."""


class Plan(msgspec.Struct, frozen=True):
    """A new game as somebody wants it.

    deck: a deck of the ruleset, None its first. options: overrides by id. seed: None for any. me: a seat, `random` or
    `none` (watch only). role: the card wished for, empty for any. friends: further seats at this terminal. others: who
    takes the rest. sitters: who takes single seats, as players.factory spells it. coach: tips for a first game.
    judge: who takes seat 0: builtin, human (the person here, who then plays no seat) or model.
    """

    ruleset: str = "tournament"
    seats: int = 9
    deck: str | None = None
    options: dict[str, str] = {}
    lang: str = "en"
    seed: int | None = None
    me: str = "random"
    role: str = ""
    friends: tuple[int, ...] = ()
    others: str = DEFAULT_OTHERS
    sitters: dict[int, str] = {}
    coach: bool = False
    judge: str = "builtin"


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that is ready to be sat at. people: the seats at this terminal (0: its judge), none to watch only. share:
    where what is saved for others goes."""

    factory: TableFactory
    people: tuple[int, ...]
    game: str = ""
    lang: str = "en"
    share: Path | None = None
    notes: Path | None = None
    coach: bool = False
    names: Mapping[int, str] = field(default_factory=dict)


class Saved(msgspec.Struct, frozen=True):
    """A game on the shelf. state: running (may go on), finished, failed, unfinished or broken. created: UTC."""

    name: str
    state: str
    ruleset: str = ""
    seats: int = 0
    days: int = 0
    winners: tuple[str, ...] = ()
    created: str = ""


class Connection(msgspec.Struct, frozen=True):
    """The model's server as set. key: where its key comes from (environment, file, keyring, session), empty: none."""

    model: str = ""
    base_url: str = ""
    key: str = ""


class House(Protocol):
    """What the command line does for the home screen. Whatever may go wrong is a HouseError."""

    @property
    def lang(self) -> str: ...

    @property
    def connection(self) -> Connection: ...

    @property
    def plan(self) -> Plan:
        """The game that the settings describe."""
        ...

    def games(self) -> list[Saved]:
        """Everything on the shelf, the newest first."""
        ...

    def begin(self, plan: Plan) -> Opened:
        """Deal a new game."""
        ...

    def resume(self, name: str) -> Opened:
        """Go on with a stopped game."""
        ...

    def record(self, name: str) -> Record:
        """A game's record as far as it goes."""
        ...

    def rename(self, name: str, to: str) -> None:
        """Give a game of the shelf another name."""
        ...

    def delete(self, name: str) -> None:
        """Take a game off the shelf, for good."""
        ...

    def branch(self, record: Record, after: int, seat: int) -> Opened:
        """A new game that shares a record's first `after` decisions and goes on with a person in this seat."""
        ...

    @property
    def share(self) -> Path:
        """The folder for what is saved for others."""
        ...

    async def check(self, connection: Connection, key: str) -> None:
        """Ask the model's server whether it would serve these."""
        ...

    def keep(self, connection: Connection, key: str, lang: str) -> None:
        """Keep these settings; a key goes into the keyring, or lasts as long as this process."""
        ...
