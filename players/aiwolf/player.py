"""The player of an AIWolf agent: requests out, bare text back, with the protocol's days kept in step with the view."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Protocol

import msgspec

from engine.asks import Answer, Ask
from engine.events import Phase
from engine.text import TEXT_LIMIT, clean
from engine.views import View
from players.aiwolf.packets import REQUESTS, day_of, info, seat_named, setting, talks
from players.base import Player, Reply

FRAME_LIMIT = 16_384  # bytes of one message of an agent


class Channel(Protocol):
    """One agent's connection. name: what it answered to NAME."""

    name: str

    def send(self, text: str) -> None:
        """Send a packet, after those before it. Never blocks and never raises."""
        ...

    async def receive(self) -> str:
        """The agent's next message. Raises ConnectionError once it is gone."""
        ...

    def close(self) -> None:
        """Let go of the agent, after the packets that wait."""
        ...


class AiwolfPlayer:
    """One seat. Call `tell` whenever its view has grown, also when the seat is out: days begin and end for it too.

    action: seconds for an answer. response: seconds for the probe after a late one, until which all is drained.
    """

    kind = "remote"
    patience: float | None = None

    def __init__(
        self, channel: Channel, substitute: Player, game: str, *, action: float = 60.0, response: float = 120.0
    ) -> None:
        self.channel, self.substitute, self.game = channel, substitute, game
        self.action, self.response = action, response
        self.name, self.spec = "aiwolf", "aiwolf"
        self.gone = False
        self._read = self._talked = self._whispered = 0
        self._day = -1
        self._finished = False

    def tell(self, view: View) -> None:
        """Send the packets that the new events of this view call for."""
        fresh, at = view.events[self._read :], view.at[self._read :]
        if fresh and self._read == 0:
            self._send(view, "INITIALIZE", 0, full=True, profile=True)
        self._read = len(view.events)
        for event, (phase, number) in zip(fresh, at, strict=True):
            if isinstance(event, Phase):
                self._phase(view, phase, number)
        if view.over is not None and not self._finished:
            self._finished = True
            self._send(view, "FINISH", max(self._day, 0))

    def _phase(self, view: View, phase: str, number: int) -> None:
        day = day_of(phase, number)
        if phase == "night" and number > 1 and self._day == day:
            self._send(view, "DAILY_FINISH", day, talk=True, whisper=True)
        elif day > self._day and phase in ("night", "day"):
            self._day = day
            self._send(view, "DAILY_INITIALIZE", day, full=True)
            self._talked = self._whispered = len(view.events)

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """The agent's answer; illegal or late ones are left to the table, which draws and marks them."""
        self.tell(view)
        request = REQUESTS.get(ask.kind)
        if request is None or self.gone:
            reply = await self.substitute.reply(view, ask, offers)
            return msgspec.structs.replace(reply, fallback="late" if self.gone else "error")
        whisper = request in ("WHISPER", "ATTACK")
        self._send(view, request, day_of(view.phase, view.day), talk=request == "TALK", whisper=whisper)
        try:
            async with asyncio.timeout(self.action):
                said = await self.channel.receive()
        except TimeoutError:
            await self._drain()
            return Reply("" if ask.form != "text" else None, fallback="late")
        except ConnectionError:
            self.gone = True
            return await self.reply(view, ask, offers)
        return _read(ask, said)

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        """The protocol knows no reactions."""
        return None

    async def _drain(self) -> None:
        """Ask for the name, and throw away what comes before it: a late answer must not answer the next request."""
        self.channel.send(json.dumps({"request": "NAME"}))
        try:
            async with asyncio.timeout(self.response):
                while clean((await self.channel.receive())[:FRAME_LIMIT]) != self.channel.name:
                    pass
        except (TimeoutError, ConnectionError):
            self.gone = True

    def _send(
        self, view: View, request: str, day: int, *, full: bool = False, profile: bool = False,
        talk: bool = False, whisper: bool = False,
    ) -> None:  # fmt: skip
        packet: dict[str, Any] = {"request": request}
        if request not in ("DAILY_FINISH",):
            packet["info"] = info(view, self.game, day, profile=profile)
        if request in ("TALK", "WHISPER"):
            packet["info"] |= {"remain_count": 1, "remain_length": TEXT_LIMIT, "remain_skip": 1}
        if full:
            packet["setting"] = setting(view, self.action, self.response)
        if talk:
            packet["talk_history"] = talks(view, self._talked, whisper=False)
            self._talked = len(view.events)
        if whisper and view.role == "werewolf":
            packet["whisper_history"] = talks(view, self._whispered, whisper=True)
            self._whispered = len(view.events)
        self.channel.send(json.dumps(packet, ensure_ascii=False))


def _read(ask: Ask, said: str) -> Reply:
    """The answer in an agent's message: trimmed, then exactly a seat's name; or speech."""
    said = clean(said[:FRAME_LIMIT])
    if ask.form == "text":
        return Reply(None if said in ("", "Over", "Skip") else said[:TEXT_LIMIT])
    seat = seat_named(said)
    return Reply(seat) if seat is not None and ask.allows(seat) else Reply("", fallback="illegal")
