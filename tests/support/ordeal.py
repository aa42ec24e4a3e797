"""A campaign against a faulty server, killed again and again: what is shown in the end is shown by the server's count.

Used by the tests on a small scale and by benchmarks/campaign_kills.py on the full one.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from arena.campaign.ledger import Ledger
from arena.campaign.plan import LEDGER, Plan, Table, code_hash, write_plan
from arena.campaign.verify import verify
from tests.support.stub_openai import Stub, running

ROOT = Path(__file__).parents[2]


class CountingStub(Stub):
    """Counts by question (Idempotency-Key), and fails a share of the requests in five ways."""

    def __init__(self, seed: int, faults: float) -> None:
        super().__init__()
        self._rng, self.share, self.kinds = Random(seed), faults, "ABCDE"
        self.log: list[tuple[str, bool]] = []
        self.goal, self.reached = 0, asyncio.Event()

    def aim(self, more: int) -> None:
        """Set `reached` after so many more requests."""
        self.goal, self.reached = len(self.log) + more, asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")).strip():
                fields = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:] if ": " in line)
                fields = {name.lower(): value for name, value in fields.items()}
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                status, payload, useful = self._reply(json.loads(body))
                self.log.append((fields.get("idempotency-key", ""), useful))
                if len(self.log) >= self.goal:
                    self.reached.set()
                writer.write(
                    f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nretry-after: 0\r\n"
                    f"content-length: {len(payload)}\r\n\r\n".encode()
                    + payload
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _reply(self, request: dict[str, Any]) -> tuple[int, bytes, bool]:
        """Status, payload, and whether the answer can be used."""
        fault = self._rng.choice(self.kinds) if self._rng.random() < self.share else ""
        if fault in ("A", "B"):
            return (429 if fault == "A" else 500), b'{"error": {"message": "busy"}}', False
        status, body = super().answer(request)
        self.requests.clear()  # thousands of prompts are not needed
        if fault == "C":
            return 200, b'{"choices": [{"mess', False
        if fault:
            body["choices"][0]["message"]["content"] = "" if fault == "D" else "I would rather not say."
        return status, json.dumps(body).encode(), True  # a useless answer is an answer: it is paid for, and is kept


async def ordeal(
    folder: Path, *, games: int, kills: int, full: int, seed: int, parallel: int, faults: float = 0.05, per_run: int
) -> dict[str, int]:
    """Run, kill and run again until the campaign is done; then assert what must hold. Returns what was counted.

    kills: SIGKILLs, each after 1 to 2 * per_run requests. full: runs on a full disk among them. seed: of the moments.
    """
    deck = {"werewolf": 2, "seer": 1, "villager": 3}  # short games
    table = Table(deck=deck, seats=6, players=("model",), lang="en", model="stub", max_days=4)
    write_plan(folder, Plan(table, first=1, seeds=games, code=code_hash()))
    stub, rng, lost, killed, filled = CountingStub(seed, faults), Random(seed), 0, 0, 0
    begun: list[int] = []
    async with running(stub):
        while True:
            start, before = len(stub.log), _answered(folder)
            begun.append(start)
            kill, limit = killed < kills, 0
            if filled < full and killed >= (filled + 1) * kills // (full + 1):
                kill, limit, filled = False, _room(folder), filled + 1
            stub.aim(rng.randint(1, 2 * per_run))
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.support.campaign_child", str(folder), stub.url, str(parallel),
                str(rng.randint(1, 999)), str(limit), cwd=ROOT, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            ended = asyncio.create_task(child.communicate())
            if kill:
                reached = asyncio.create_task(stub.reached.wait())
                await asyncio.wait([reached, ended], return_when=asyncio.FIRST_COMPLETED)
                if child.returncode is None:
                    os.kill(child.pid, signal.SIGKILL)
                    killed += 1
                reached.cancel()
            said = (await ended)[1].decode()
            again = Counter(key for key, _ in stub.log[start:])
            assert not before & again.keys(), "a question was asked again after its answer had been kept"
            useful = Counter(key for key, good in stub.log[start:] if good)
            assert max(useful.values(), default=0) <= 1, "one run asked a question again after its answer"
            assert child.returncode in (0, 3, -signal.SIGKILL), said
            if limit:
                assert child.returncode == 3, f"the disk was full, and the run said: {said}"
            lost += len(useful.keys() - _answered(folder))
            if child.returncode == 0:
                break
    return _checked(folder, stub, games) | {"kills": killed, "full": filled, "lost in flight": lost, "runs": len(begun)}


def _checked(folder: Path, stub: CountingStub, games: int) -> dict[str, int]:
    ledger = Ledger(folder)
    try:
        findings = list(verify(ledger))
        assert not findings, findings[:3]
        totals = ledger.totals()
    finally:
        ledger.close()
    assert (totals.done, totals.games) == (games, games)
    records = list((folder / "games").glob("??/*"))
    assert len(records) == games
    kept, asked = _answered(folder), {key for key, good in stub.log if good}
    assert kept <= asked, "an answer was kept that nobody gave"
    twice = sum(count - 1 for count in Counter(key for key, good in stub.log if good).values())
    return {"games": games, "answers": totals.answers, "requests": len(stub.log), "asked twice": twice}


def _answered(folder: Path) -> set[str]:
    """The questions whose answers are in the ledger."""
    if not (folder / LEDGER).exists():
        return set()
    db = sqlite3.connect(folder / LEDGER)
    try:
        return {f"{game}-{seat}-{n}" for game, seat, n in db.execute("SELECT game, seat, n FROM answer")}
    except sqlite3.OperationalError:  # killed before it had tables
        return set()
    finally:
        db.close()


def _room(folder: Path) -> int:
    """A limit that the ledger will meet soon."""
    return max(200_000, *(path.stat().st_size for path in folder.glob(LEDGER + "*"))) + 30_000
