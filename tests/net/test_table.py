"""Whole games over real sockets on the loopback."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from engine.game import Game
from net.client import Client, JoinError
from net.table import Manners, RemoteTable
from players.builtin import BuiltinPlayer
from players.remote.wire import Asked, Outgoing, Told
from tests.net.clients import Bot, canary, hello, opened, raw, until_bye

SEATS = (1, 2, 3, 4)


def knows_only_its_view(game: Game, seat: int, messages: list[str]) -> None:
    """What a client was sent is its own view, in order, and nothing that only others know."""
    told = [json.loads(message) for message in messages]
    events = [frame["event"] for frame in told if frame["t"] == "event"]
    view = game.view(seat)
    own = [json.loads(json.dumps(event.fields())) for event in view.events]
    assert {frame["n"]: frame["event"] for frame in told if frame["t"] == "event"} == dict(enumerate(own))
    assert len(events) >= len(own)
    everything, known = "\n".join(messages), json.dumps(own, ensure_ascii=False)
    for other in range(1, game.setup.size + 1):
        for kind in ("werewolf.talk", "day.speak"):
            word = f"{canary(other)} {kind}"
            assert (word in everything) == (word in known)


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_game_with_four_clients_ends_and_each_knows_its_own_view(tmp_path: Path, seed: int) -> None:
    async with opened(tmp_path, SEATS) as (url, remote):
        bots = {seat: Bot(url, remote.tokens[seat], seed * 10 + seat) for seat in SEATS}
        result, byes = await asyncio.gather(remote.play(), asyncio.gather(*(bot.play() for bot in bots.values())))
        assert result is not None
        assert result.status == "finished"
        assert byes == ["over"] * 4
        game = remote.table.game  # type: ignore[union-attr]
        for seat, bot in bots.items():
            knows_only_its_view(game, seat, bot.raw)
        assert remote.table.course.fallbacks == 0  # type: ignore[union-attr]


async def test_dropped_lines_are_taken_up_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.client.FIRST_WAIT", 0.0)
    async with opened(tmp_path, SEATS) as (url, remote):
        bots = {seat: Bot(url, remote.tokens[seat], seat, drops=0.3, reacts=0.2) for seat in SEATS}
        result, byes = await asyncio.gather(remote.play(), asyncio.gather(*(bot.play() for bot in bots.values())))
        assert result is not None
        assert result.status == "finished"
        assert byes == ["over"] * 4
        assert sum(bot.dropped for bot in bots.values()) > 0
        for seat, bot in bots.items():
            knows_only_its_view(remote.table.game, seat, bot.raw)  # type: ignore[union-attr]
            numbers = [frame.n for frame in bot.frames if isinstance(frame, Told)]
            assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("absent", ["builtin", "default"])
async def test_seats_of_people_who_never_come_are_filled(tmp_path: Path, absent: str) -> None:
    manners = Manners(seconds=60.0, grace=0.0, absent=absent)  # type: ignore[arg-type]
    async with opened(tmp_path, SEATS, manners=manners) as (_, remote):
        result = await remote.play()
        assert result is not None
        assert result.status == "finished"
        assert remote.table.course.fallbacks > 0  # type: ignore[union-attr]


async def test_a_seat_that_is_waited_for_comes(tmp_path: Path) -> None:
    manners = Manners(seconds=0.05, grace=0.0, absent="wait")
    async with opened(tmp_path, (2,), manners=manners) as (url, remote):
        posed, pose = asyncio.Event(), remote.lines[2].pose
        remote.lines[2].pose = lambda *given: (posed.set(), pose(*given))[1]  # type: ignore[method-assign,func-returns-value]
        playing = asyncio.ensure_future(remote.play())
        await posed.wait()
        bot = Bot(url, remote.tokens[2])
        result, bye = await asyncio.gather(playing, bot.play())
        assert (result and result.status, bye) == ("finished", "over")


async def test_a_silent_client_has_its_default(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,), manners=Manners(seconds=0.01)) as (url, remote):
        async with raw(url, hello(remote.tokens[2])) as ws:
            result, frames = await asyncio.gather(remote.play(), until_bye(ws))
        assert result is not None
        assert result.status == "finished"
        assert {frame["why"] for frame in frames if frame["t"] == "closed"} == {"late"}
        assert frames[-1] == {"t": "bye", "why": "over"}


async def test_who_comes_after_the_end_is_told_it(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,), manners=Manners(grace=0.0)) as (url, remote):
        await remote.play()
        bot = Bot(url, remote.tokens[2])
        assert await bot.play() == "over"
        knows_only_its_view(remote.table.game, 2, bot.raw)  # type: ignore[union-attr]
        remote.forget()
        assert not remote.door._invited
        with pytest.raises(JoinError):
            await Bot(url, remote.tokens[2]).play()


async def test_the_door_shuts_on_a_stopped_table(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,)) as (url, remote):
        playing = asyncio.ensure_future(remote.play())
        frames = Client(url, remote.tokens[2]).frames()
        await anext(frames)
        await remote.close()
        rest = [frame async for frame in frames]
        assert getattr(rest[-1], "why", "") == "stopped"
        assert await playing is None


class Stopping(Bot):
    """Leaves its third question open and says so."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self.asked, self.stopped = 0, asyncio.Event()

    async def on_frame(self, frame: Outgoing) -> None:
        self.asked += isinstance(frame, Asked)
        if self.asked < 3:
            await super().on_frame(frame)
        else:
            self.stopped.set()


async def test_a_stopped_table_is_opened_again_with_new_codes(tmp_path: Path) -> None:
    async with opened(tmp_path, (2,)) as (url, remote):
        bot = Stopping(url, remote.tokens[2])
        playing = asyncio.gather(remote.play(), bot.play())
        await bot.stopped.wait()
        await remote.close()
        assert list(await playing) == [None, "stopped"]
        table = remote.table
        assert table is not None
        again = RemoteTable(remote.door, (2,))
        again.resume(table.store, table.game_id, lambda setup, specs: {s: BuiltinPlayer(s) for s in specs})
        late = Bot(url, again.tokens[2], 9)
        result, bye = await asyncio.gather(again.play(), late.play())
        assert (result and result.status, bye) == ("finished", "over")
        knows_only_its_view(again.table.game, 2, late.raw)  # type: ignore[union-attr]


def test_lines_need_a_loop() -> None:
    with pytest.raises(RuntimeError):
        RemoteTable(None, (1,))  # type: ignore[arg-type]


async def test_four_processes_play_a_game_under_attack(tmp_path: Path) -> None:
    """Honest clients that drop lines, in processes of their own, beside forgers and floods."""
    async with opened(tmp_path, SEATS) as (url, remote):
        children = [await _child(url, remote.tokens[seat], seat, tmp_path) for seat in SEATS]
        await asyncio.gather(*(line.claimed.wait() for line in remote.lines.values()))
        playing = asyncio.ensure_future(remote.play())
        rounds = 0
        while not playing.done() and rounds < 20:
            rounds += 1
            async with raw(url, hello(remote.tokens[1], "f" * 40), *["x" * 999] * 50) as ws:
                assert {frame["t"] for frame in await until_bye(ws)} == {"bye"}
        result = await playing
        assert await asyncio.gather(*(child.wait() for child in children)) == [0] * 4
        assert result is not None
        assert result.status == "finished"
        for seat in SEATS:
            sent = (tmp_path / f"{seat}.txt").read_text(encoding="utf-8").split("\n")
            knows_only_its_view(remote.table.game, seat, sent)  # type: ignore[union-attr]


async def _child(url: str, token: str, seat: int, folder: Path) -> asyncio.subprocess.Process:
    root = Path(__file__).parents[2]
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.net.child", url, str(seat), str(folder / f"{seat}.txt"), "0.1",
        cwd=root, stdin=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(f"{token}\n".encode())
    await child.stdin.drain()
    return child
