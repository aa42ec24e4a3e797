"""A house in memory: what the command line would do for the home screen."""

from __future__ import annotations

from pathlib import Path

import msgspec

from engine.setup import deal
from judge.record import Record, parse_record
from tests.tui.tables import MemoryTable, seeded
from tui.house import Connection, HouseError, Opened, Plan, Saved
from tui.session import PaceHook, Update

SHELF = [
    Saved("tournament-9-4-aaaaaa", "running", "tournament", 9, 2, (), "2026-01-02T10:00:00+00:00"),
    Saved("classic-12-7-bbbbbb", "finished", "classic", 12, 4, ("wolves",), "2026-01-01T10:00:00+00:00"),
]


class MemoryHouse:
    """Keeps what it was asked for."""

    def __init__(self, lang: str = "zh", data: bytes = b"", share: Path = Path("shared")) -> None:
        self.lang = lang
        self.connection = Connection()
        self.plan = Plan(lang=lang)
        self.share = share
        self.data = data
        self.shelf = list(SHELF)
        self.begun: list[Plan] = []
        self.branched: list[tuple[int, int]] = []
        self.kept: list[tuple[Connection, str, str]] = []
        self.checked: list[tuple[Connection, str]] = []

    def games(self) -> list[Saved]:
        return self.shelf

    def begin(self, plan: Plan) -> Opened:
        self.begun.append(plan)
        if plan.seed == 13:
            raise HouseError("this deck cannot be dealt [/b]")
        return self._table(plan, 4 if plan.seed is None else plan.seed)

    def _table(self, plan: Plan, seed: int) -> Opened:
        seat = 3 if plan.me == "random" else int(plan.me) if plan.me.isdigit() else None
        wish = (seat, plan.role or ("witch" if plan.ruleset == "tournament" else "seer")) if seat else None
        setup = deal(plan.ruleset, plan.seats, seed=seed, lang=plan.lang, wish=wish)
        people = tuple(sorted({*plan.friends, *([seat] if seat else [])}))

        def make(update: Update, pace: PaceHook) -> MemoryTable:
            return MemoryTable(setup, people, seeded(seed, plan.lang), update, pace)

        return Opened(make, people, "game", plan.lang, self.share, None, plan.coach)

    def resume(self, name: str) -> Opened:
        return self._table(Plan(lang=self.lang), 4)

    def record(self, name: str) -> Record:
        if not self.data:
            raise HouseError("there is no such game")
        return parse_record(self.data, name)

    def rename(self, name: str, to: str) -> None:
        if "/" in to:
            raise HouseError("that is no name [/b]")
        self.shelf = [msgspec.structs.replace(game, name=to) if game.name == name else game for game in self.shelf]

    def delete(self, name: str) -> None:
        self.shelf = [game for game in self.shelf if game.name != name]

    def branch(self, record: Record, after: int, seat: int) -> Opened:
        self.branched.append((after, seat))
        return self._table(Plan(lang=self.lang, me=str(seat)), 4)

    async def check(self, connection: Connection, key: str) -> None:
        self.checked.append((connection, key))
        if connection.model != "good":
            raise HouseError("there is no such model [/b]")

    def keep(self, connection: Connection, key: str, lang: str) -> None:
        self.kept.append((connection, key, lang))
