"""Games with AIWolf agents over real sockets. The client here reads packets as strictly as `aiwolf-nlp-common` does:
unknown roles, statuses and requests raise, and every key it needs must be there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.rules.ruleset import SetupError
from engine.setup import Setup, deal
from judge.store import Store
from net.aiwolf import PATH, AiwolfDoor, play, players_for
from players.aiwolf.packets import DECKS, ROLES, check_board
from players.base import Player
from players.builtin import BuiltinPlayer

REQUESTS = {"INITIALIZE", "DAILY_INITIALIZE", "TALK", "WHISPER", "VOTE", "DIVINE", "GUARD", "ATTACK", "DAILY_FINISH",
            "FINISH", "NAME"}  # fmt: skip
TARGETED = {"VOTE", "DIVINE", "GUARD", "ATTACK"}


def board(size: int, seed: int) -> Setup:
    return deal("japanese", size, deck=DECKS[size], seed=seed)


class Agent:
    """A sample agent: random names, talk with a canary, everything it was sent kept."""

    def __init__(self, url: str, n: int, *, token: str = "", mute: str = "") -> None:
        self.url, self.n, self.token, self.mute = url, n, token, mute
        self.rng, self.packets, self.me = Random(n), list[dict[str, Any]](), ""

    async def run(self) -> None:
        from aiohttp import ClientSession, WSMsgType

        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        async with ClientSession() as http, http.ws_connect(self.url + PATH, headers=headers) as ws:
            async for message in ws:
                if message.type is not WSMsgType.TEXT:
                    break
                packet = json.loads(message.data)
                answer = self.answer(packet)
                self.packets.append(packet)
                if answer is not None:
                    await ws.send_str(answer + "\n")
                if packet["request"] == "FINISH":
                    return

    def answer(self, packet: dict[str, Any]) -> str | None:
        assert packet["request"] in REQUESTS
        assert None not in packet.values()
        request = packet["request"]
        info: dict[str, Any] = packet.get("info", {})
        if request == "NAME":
            return f"team{self.n}"
        if info:
            self.check(info)
            self.me = info["agent"]
        if request.endswith("INITIALIZE"):
            assert set(packet["setting"]["role_num_map"]) <= set(ROLES.values())
            assert sum(packet["setting"]["role_num_map"].values()) == packet["setting"]["agent_count"]
        if request == self.mute or request not in TARGETED | {"TALK", "WHISPER"}:
            return None
        if request in ("TALK", "WHISPER"):
            return f"CANARY-{request}-{self.me}"
        living = [name for name, status in info["status_map"].items() if status == "ALIVE" and name != self.me]
        chosen: str = self.rng.choice(living)
        return chosen

    def check(self, info: dict[str, Any]) -> None:
        assert set(info["status_map"].values()) <= {"ALIVE", "DEAD"}
        assert set(info["role_map"].values()) <= set(ROLES.values())
        for judged in ("divine_result", "medium_result"):
            if judged in info:
                assert info[judged]["result"] in ("HUMAN", "WEREWOLF")

    def of(self, request: str) -> list[dict[str, Any]]:
        return [packet for packet in self.packets if packet["request"] == request]


async def game(folder: Path, setup: Setup, seats: tuple[int, ...], **agent: str) -> tuple[str, dict[int, Agent]]:
    door, store = AiwolfDoor(), Store(folder)
    port = await door.start("127.0.0.1", 0)
    agents: dict[int, Agent] = {}
    running: list[asyncio.Task[None]] = []
    channels = {}
    for seat in seats:  # one after another, so that the test knows who sits where
        agents[seat] = Agent(f"ws://127.0.0.1:{port}", seat, **agent)
        running.append(asyncio.ensure_future(agents[seat].run()))
        channels[seat] = (await door.agents(1))[0]
    players = players_for(setup, channels, "game", action=0.05 if agent else 30.0, response=30.0)
    others: dict[int, Player] = {s: BuiltinPlayer(s) for s in range(1, setup.size + 1) if s not in seats}
    result = await play(setup, players, others, store)
    await asyncio.gather(*running)
    await door.stop()
    store.close()
    assert result is not None
    return result.status, agents


@pytest.mark.parametrize(("size", "mixed"), [(5, False), (5, True), (13, False), (13, True)])
@pytest.mark.parametrize("seed", [1, 2])
async def test_agents_play_whole_games(tmp_path: Path, size: int, mixed: bool, seed: int) -> None:
    setup = board(size, seed)
    status, agents = await game(tmp_path, setup, tuple(range(1, size + 1, 2 if mixed else 1)))
    assert status == "finished"
    for seat, agent in agents.items():
        assert [packet["request"] for packet in agent.packets[:2]] == ["NAME", "INITIALIZE"]
        assert agent.packets[-1]["request"] == "FINISH"
        assert len(agent.packets[-1]["info"]["role_map"]) == size
        before = json.dumps([packet for packet in agent.packets if packet["request"] != "FINISH"])
        wolf = setup.seats[seat - 1] == "werewolf"
        assert ("CANARY-WHISPER" in before) <= wolf
        for packet in agent.packets[1:-1]:
            if "info" in packet:
                known = packet["info"]["role_map"]
                assert known[agent.me] == ROLES[setup.seats[seat - 1]]
                assert len(known) == (setup.seats.count("werewolf") if wolf and packet["info"]["day"] else len(known))
                assert wolf or len(known) == 1
        days = [packet["info"]["day"] for packet in agent.of("DAILY_INITIALIZE")]
        assert days == list(range(len(days)))


async def test_a_late_answer_is_drained_and_the_seat_goes_on(tmp_path: Path) -> None:
    status, agents = await game(tmp_path, board(5, 1), (1, 2), mute="VOTE")
    assert status == "finished"
    assert all(len(agent.of("NAME")) > 1 for agent in agents.values() if agent.of("VOTE"))


def test_a_board_with_other_cards_is_refused() -> None:
    setup = deal("tournament", 9, seed=1)
    witch = setup.seats.index("witch") + 1
    with pytest.raises(SetupError):
        check_board(setup, [witch])
    check_board(setup, [setup.seats.index("seer") + 1])


async def test_the_wrong_token_stays_outside() -> None:
    from aiohttp import WSServerHandshakeError

    door = AiwolfDoor("right")
    port = await door.start("127.0.0.1", 0)
    with pytest.raises(WSServerHandshakeError):
        await Agent(f"ws://127.0.0.1:{port}", 1, token="wrong").run()
    await door.stop()
