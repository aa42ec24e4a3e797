"""Games with the real client of the AIWolf NLP protocol, `aiwolf-nlp-common`: every packet goes through its parser."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from judge.record import read_record, verify
from net.aiwolf import PATH
from players.aiwolf.packets import ROLES
from tests.cli.conftest import home, tianhei  # noqa: F401 - fixtures
from tests.net.test_command import _command
from tests.support.command import Tianhei

pytest.importorskip("aiwolf_nlp_common")

from aiwolf_nlp_common.client import Client
from aiwolf_nlp_common.packet import Request, Status

GAMES = 5
TARGETED = (Request.VOTE, Request.DIVINE, Request.GUARD, Request.ATTACK)


class Sample:
    """A sample agent, blocking as those are. heard: the requests and talks it was sent."""

    def __init__(self, url: str, number: int) -> None:
        self.client, self.number, self.rng = Client(url, "shown"), number, Random(number)
        self.requests: list[str] = []
        self.talks: list[str] = []
        self.whispers: list[str] = []
        self.me, self.role, self.day, self.roles = "", "", 0, 0

    def run(self) -> Sample:
        """One game, to its FINISH."""
        self.client.connect()
        self.client.socket.settimeout(120)  # a lost packet must fail, not hang
        while not self.requests or self.requests[-1] != "FINISH":
            packet = self.client.receive()
            self.requests.append(packet.request.name)
            self.talks += [talk.text for talk in packet.talk_history or ()]
            self.whispers += [talk.text for talk in packet.whisper_history or ()]
            living = []
            if packet.info is not None:
                self.me, self.day, self.roles = packet.info.agent, packet.info.day, len(packet.info.role_map)
                self.role = packet.info.role_map[self.me].name
                living = [name for name, status in packet.info.status_map.items() if status is Status.ALIVE]
            if packet.request is Request.NAME:
                self.client.send(f"sample{self.number}")
            elif packet.request in (Request.TALK, Request.WHISPER):
                self.client.send(f"CANARY-{packet.request.name}-{self.me}")
            elif packet.request in TARGETED:
                self.client.send(self.rng.choice([name for name in living if name != self.me]))
        self.client.close()
        return self


@pytest.mark.parametrize(("size", "agents"), [(5, 5), (5, 2), (13, 13), (13, 6)], ids=str)
async def test_five_games(tmp_path: Path, size: int, agents: int) -> None:
    server = await _command(
        tmp_path, "aiwolf", "--port", "0", "-n", str(GAMES), "--seats", str(size), "--agents", str(agents), "--lang",
        "en", "--out", str(tmp_path / "records"), TIANHEI_AIWOLF_TOKEN="shown",
    )  # fmt: skip
    assert server.stdout is not None
    found = re.search(rf"ws://\S+{PATH}", (await server.stdout.readline()).decode())
    assert found
    for game in range(GAMES):
        samples = [Sample(found[0], 100 * game + n) for n in range(agents)]
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(agents) as pool:  # each blocks a thread of its own
            await asyncio.gather(*(loop.run_in_executor(pool, sample.run) for sample in samples))
        _learned(samples, size)
    output = (await server.communicate())[0].decode()
    assert server.returncode == 0
    assert len(re.findall(r" days$", output, re.MULTILINE)) == GAMES
    for path in (tmp_path / "records").iterdir():
        record = read_record(path)
        seats = Counter(sitter.spec for sitter in record.header.players if sitter.seat)
        assert seats == Counter({"aiwolf": agents, "builtin": size - agents}) - Counter()
        assert verify(record).outcome is not None


def _learned(samples: list[Sample], size: int) -> None:
    """Each was told its part and no more: whispers go to wolves, and all cards are shown at the end alone."""
    for sample in samples:
        assert sample.requests[:2] == ["NAME", "INITIALIZE"]
        assert sample.requests[-1] == "FINISH"
        assert sample.requests.count("DAILY_INITIALIZE") >= 2
        assert sample.roles == size
        assert sample.role in ROLES.values()
        assert not any("WHISPER" in text for text in sample.talks)
        assert sample.role == "WEREWOLF" or not sample.whispers


def test_mistakes_are_told(tianhei: Tianhei) -> None:  # noqa: F811
    for argv, word in (
        (["aiwolf", "--seats", "5", "--agents", "6"], "1 to 5"),
        (["aiwolf", "--ruleset", "tournament", "--seats", "9"], "AIWolf agents cannot play"),
    ):
        ran = tianhei(*argv, "--lang", "en")
        assert ran.code == 2
        assert word in ran.err
