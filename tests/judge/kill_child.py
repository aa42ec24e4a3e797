"""Plays one game whose process is killed at every given point and started again; run as a script by test_kill.py.

Arguments: a folder, and points such as `asked:3` (the third call of that process begins), `kept:2` (the second reply
has just been journalled), `decided:4` (the fourth decision has just been stored), `deciding:1` (is about to be),
`checkpoint:5`, `time:0.1` (seconds). Each point is one process, forked here so that libraries load once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiosqlite  # noqa: F401
import langgraph.errors
import langgraph.graph  # noqa: F401
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from engine.asks import Ask
from engine.setup import Setup
from judge.direct import play_direct
from judge.lines import Asked, DecisionLine, Line
from judge.store import Store
from judge.table import Table
from players.base import Player
from tests.judge.sitters import Legal, Paid, nine

HUMAN = 9
KINDS = {1: "random"}
"""Seat 1 costs nothing and is not journalled; seat 9 is a person; the others are paid for."""


class Trap:
    """Kills this very process when a point has been reached for the given time."""

    def __init__(self, point: str, log: Path) -> None:
        self.name, _, count = point.partition(":")
        self.left = float(count or 0)
        self._log = os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def note(self, *words: object) -> None:
        os.write(self._log, (" ".join(map(str, words)) + "\n").encode())

    def at(self, name: str) -> None:
        if name == self.name:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)


class TrappedStore(Store):
    """A store that notes what it keeps."""

    trap: Trap

    def keep_reply(self, game: str, n: int, asked: Asked) -> None:
        super().keep_reply(game, n, asked)
        self.trap.note("kept", n, asked.ask.seat)
        self.trap.at("kept")

    def append(self, game: str, lines: Sequence[Line]) -> None:
        decides = any(isinstance(line, DecisionLine) for line in lines)
        if decides:
            self.trap.at("deciding")
        super().append(game, lines)
        if decides:
            self.trap.at("decided")


async def play(folder: Path, trap: Trap, game_id: str = "game") -> None:
    """Begin the game or go on with it, until it is over."""
    store = TrappedStore(folder)
    store.trap = trap
    tables: list[Table] = []

    def called(ask: Ask) -> None:
        trap.note("asked", tables[0].course.n, ask.seat)
        trap.at("asked")

    def players(setup: Setup, specs: dict[int, str]) -> dict[int, Player]:
        made: dict[int, Player] = {seat: Paid(5, called) for seat in range(2, setup.size)}
        return {1: Legal(5, reacts=0.03), **made}

    if store.games():
        table = Table.resume(store, game_id, lambda setup, specs: {**players(setup, specs), HUMAN: Legal()})
    else:
        setup = nine(11)
        table = Table.new(setup, players(setup, {}), store, human_seats={HUMAN}, game_id=game_id)
    tables.append(table)
    person = Legal(5)
    while asks := await table.run():
        for ask in asks:
            table.submit(ask.seat, person.decide(table.game.view(ask.seat), ask, ()).answer)
    await table.close()
    trap.note("over")


def trapped_saver(trap: Trap) -> None:
    aput = AsyncSqliteSaver.aput

    async def trapped(self: AsyncSqliteSaver, *args: Any) -> Any:
        done = await aput(self, *args)
        trap.at("checkpoint")
        return done

    AsyncSqliteSaver.aput = trapped  # type: ignore[assignment,method-assign]  # put in the method's place


def main(folder: Path, points: Sequence[str]) -> int:
    """Play through all the points, then to the end. Returns how many processes were killed."""
    killed = 0
    play_direct(nine(), {seat: Legal() for seat in range(1, 10)})  # loads the roles
    for point in [*points, ""]:
        pid = os.fork()
        if not pid:
            trap = Trap(point, folder / "log")
            trapped_saver(trap)
            asyncio.run(play(folder, trap))
            os._exit(0)
        if point.startswith("time:"):
            time.sleep(float(point.partition(":")[2]))
            os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        if os.WIFSIGNALED(status):
            killed += 1
        elif os.WEXITSTATUS(status):
            raise SystemExit(1)
    return killed


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), sys.argv[2:]))
