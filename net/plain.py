"""A seat at a network table as plain text: the judge's lines come as they happen, a typed line answers.

`/` lists what may be done beside the questions, `/1` does the first of these.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from engine.asks import Answer, Ask
from engine.text import clean
from judge.clerk import AskBack, by_rules
from judge.lines import plain
from net.client import Client
from players.remote.wire import Asked, Bad, Bye, Closed, Offered, Offers, Outgoing, Told, Waiting, Welcome
from prompts.words import seat_word

Show = Callable[[str], None]
NextLine = Callable[[], Awaitable[str | None]]
"""The next line that the person types; None when there are no more."""

WORDS: dict[str, tuple[str, str]] = {
    "welcome": ("You are {s}, of {n}. Type an answer when asked; / lists what else you may do.",
                "你是{s}，共 {n} 人。被问到时直接输入回答；输入 / 查看还能做什么。"),
    "waiting": ("You have {s}. The game begins when everybody is here.", "你的座位是{s}。人齐后开局。"),
    "seconds": ("  ({n} s)", "  （{n} 秒）"),
    "late": ("Time is up; your seat did the least it could.", "时间到，你的座位按默认处理。"),
    "gone": ("The question is withdrawn.", "这个问题已撤回。"),
    "bad": ("That did nothing: {why}", "无效：{why}"),
    "idle": ("You are not asked now.", "现在没有问你。"),
    "none": ("There is nothing else you may do now.", "现在没有别的可做。"),
    "offer": ("  /{n} {title}", "  /{n} {title}"),
    "offers": ("You may also (type /1 …):", "你还可以（输入 /1 等）："),
    "over": ("The game is over.", "对局结束。"),
    "stopped": ("The host has stopped the table.", "主持人停止了牌局。"),
    "elsewhere": ("Your seat is now played from another window.", "你的座位已在另一处登录。"),
    "flood": ("The table closed the line: too much was sent.", "发送过多，连接已被关闭。"),
    "left": ("You left; your seat goes on without you.", "你已离开；座位将由他人代打或等待。"),
}  # fmt: skip


def said(word: str, lang: str, **values: object) -> str:
    """One of our own lines."""
    return WORDS[word][lang == "zh"].format(**values)


class PlainSeat:
    """One person at a terminal."""

    def __init__(self, client: Client, lang: str, show: Show, next_line: NextLine) -> None:
        self.client, self.lang, self.show, self.next_line = client, lang, show, next_line
        self.question: Asked | None = None
        self.offers: tuple[Offered, ...] = ()
        self._greeted = asyncio.Event()

    async def play(self) -> str:
        """Until the table says goodbye or the person stops typing. Returns why. Raises JoinError."""
        typing = asyncio.ensure_future(self._type())
        reading = asyncio.ensure_future(self._read())
        try:
            await asyncio.wait([typing, reading], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done() and typing.exception() is None:
                self.show(said("left", self.lang))
                return "left"
            typing.cancel()
            await reading
            return self.client.bye
        finally:
            for task in (typing, reading):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    async def _read(self) -> None:
        async for frame in self.client.frames():
            self._greeted.set()
            self.hear(frame)

    async def _type(self) -> None:
        await self._greeted.wait()  # nobody leaves before the seat is theirs
        while (line := await self.next_line()) is not None:
            await self.typed(line)

    def hear(self, frame: Outgoing) -> None:
        """Show a frame. All words in it are shown as one clean line each."""
        match frame:
            case Welcome(seat=seat, size=size):
                self.question, self.offers = None, ()  # on a new line, what is still open comes again
                self.show(said("welcome", self.lang, s=seat_word(seat, self.lang), n=size))
            case Waiting(seat=seat):
                self.show(said("waiting", self.lang, s=seat_word(seat, self.lang)))
            case Told(text=text, private=private) if text:
                self.show(("* " if private else "") + clean(text))
            case Asked():
                self.question = frame
                self._pose(frame)
            case Offers(offers=offers):
                self.offers = offers
            case Closed(id=id, why=why):
                if self.question is not None and self.question.id == id:
                    self.question = None
                if why != "answered":
                    self.show(said("gone" if why == "gone" else "late", self.lang))
            case Bad(why=why):
                self.show(said("bad", self.lang, why=clean(why)))
            case Bye(why=why):
                self.show(said(why, self.lang) if why in WORDS else clean(why))
            case _:
                pass

    def _pose(self, asked: Asked) -> None:
        limit = said("seconds", self.lang, n=round(asked.seconds)) if asked.seconds is not None else ""
        self.show(f"? {clean(asked.title)} {clean(asked.hint)}{limit}")
        words = [clean(words) for _, words in asked.options]
        if words:
            self.show("  " + " / ".join(words))

    async def typed(self, line: str) -> None:
        """What the person typed: a reaction after `/`, else the answer to the open question."""
        if line.startswith("/"):
            await self._react(line[1:].strip())
            return
        if self.question is None:
            self.show(said("idle", self.lang))
            return
        read = self._meant(line, self.question.ask)
        if isinstance(read, AskBack):
            self.show(read.question)
            return
        await self.client.answer(self.question.id, plain(read))

    def _meant(self, line: str, ask: Ask) -> Answer | AskBack:
        if ask.form == "text" and not clean(line):
            return None
        read = by_rules(line, ask, self.lang)
        return read if isinstance(read, AskBack) else read.answer

    async def _react(self, rest: str) -> None:
        number, _, words = rest.partition(" ")
        at = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 3 else -1
        if not 0 <= at < len(self.offers):
            self.show(said("offers" if self.offers else "none", self.lang))
            for n, offer in enumerate(self.offers, 1):
                self.show(said("offer", self.lang, n=n, title=clean(offer.title)))
            return
        ask = self.offers[at].ask
        read = True if ask.form == "flag" else self._meant(words, ask)
        if isinstance(read, AskBack):
            self.show(read.question)
            return
        await self.client.react(ask.kind, plain(read))
