"""A table with remote seats: lines for those who are invited, a Table behind them, and news for every line."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec

from engine.asks import Answer, Ask
from engine.setup import Setup
from judge.course import Wanted
from judge.lines import Result, asked_of
from judge.store import Store, StoreError
from judge.table import Pace, PlayersFactory, Table
from net.door import Door
from players.base import Player, Reply
from players.factory import seat_seed
from players.remote.line import Line
from players.remote.player import Absent, RemotePlayer


class Manners(msgspec.Struct, frozen=True):
    """seconds: time for one answer, None for no limit. grace: seconds a dropped line may take to come back.
    absent: what happens in a seat whose owner is away (players.remote.player)."""

    seconds: float | None = 120.0
    grace: float = 30.0
    absent: Absent = "builtin"


class RemoteTable:
    """One game behind a door. `tokens` holds the invitation of every remote seat."""

    def __init__(self, door: Door, seats: Iterable[int], manners: Manners | None = None) -> None:
        """seats: those that are played from afar. Call it in a running event loop."""
        self.door, self.manners = door, manners or Manners()
        self.lines = {seat: Line(seat) for seat in sorted(seats)}
        self.tokens = {seat: door.invite(line) for seat, line in self.lines.items()}
        self.table: Table | None = None
        for line in self.lines.values():
            line.on_react = self._react

    def players(self, setup: Setup, others: Mapping[int, Player]) -> dict[int, Player]:
        """All players of the table: remote ones at the lines, `others` elsewhere."""
        from players.builtin import BuiltinPlayer

        made = dict(others)
        for seat, line in self.lines.items():
            substitute = BuiltinPlayer(seat_seed(setup, seat))
            now = self.manners
            made[seat] = RemotePlayer(line, substitute, seconds=now.seconds, grace=now.grace, absent=now.absent)
        return made

    def deal(
        self,
        setup: Setup,
        others: Mapping[int, Player],
        store: Store,
        *,
        pace: Pace | None = None,
        name: str | None = None,
    ) -> Table:
        """Begin the game. Raises SetupError, StoreError."""
        self.table = Table.new(
            setup, self.players(setup, others), store, on_update=self.update, pace=pace, game_id=name
        )  # fmt: skip
        return self.table

    def resume(self, store: Store, name: str, make: PlayersFactory, *, pace: Pace | None = None) -> Table:
        """Go on with a game that was stopped, with new codes for its friends; what they have seen they are sent again.

        make: the other seats' players from their specs. Raises StoreError, RecordError.
        """

        def players(setup: Setup, specs: dict[int, str]) -> dict[int, Player]:
            return self.players(setup, make(setup, {s: spec for s, spec in specs.items() if s not in self.lines}))

        self.table = Table.resume(store, name, players, on_update=self.update, pace=pace)
        return self.table

    async def play(self) -> Result | None:
        """Play to the end, tell everybody, and close the lines."""
        assert self.table is not None, "deal first"
        try:
            await self.table.run()
            self.update()
        finally:
            await self.close("over" if self.table.over else "stopped")
        return self.table.result

    async def close(self, why: str = "stopped") -> None:
        """Let go of the game and end the lines, each after what it is still due."""
        for line in self.lines.values():
            line.shut(why)
        if self.table is not None:
            await self.table.close()

    def forget(self) -> None:
        """Nobody is let in to these lines any more."""
        for line in self.lines.values():
            self.door.revoke(line)

    async def drained(self, seconds: float = 5.0) -> None:
        """Wait until everybody who is connected has been sent the end, for so long at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                for line in self.lines.values():
                    while line.present:
                        line.moved.clear()
                        await line.moved.wait()

    def update(self) -> None:
        """Every line is shown what its own seat has been shown, and what that seat may do."""
        table = self.table
        if table is None:
            return
        for seat, line in self.lines.items():
            line.show(table.view(seat))
            line.offer(() if table.over else table.course.offers(seat))

    def _react(self, seat: int, offer: Ask, answer: Answer) -> None:
        """Take a reaction at once: those who are asked now are asked again if their question still stands."""
        table = self.table
        if table is None or table.over or offer not in table.course.offers(seat):
            return
        reply = Reply(answer)
        with suppress(StoreError):  # the journal only helps a table that is killed this moment
            table.store.keep_reply(table.game_id, table.course.n, asked_of(offer, reply))
        table.course.wanted.append(Wanted(offer, reply))
        for line in self.lines.values():
            line.withdraw()
