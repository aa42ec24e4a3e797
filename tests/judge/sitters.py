"""Players for the table's tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from engine.asks import Answer, Ask
from engine.game import Game
from engine.roles.werewolf import Exploded
from engine.setup import Setup, deal
from engine.views import View
from players.base import Call, Claim, Player, Reply

Table9 = dict[int, Player]


def nine(seed: int = 1) -> Setup:
    """The tournament board with nine seats."""
    return deal("tournament", 9, seed=seed)


class Legal:
    """Random legal answers that depend on the seed, the seat and the view alone; reacts now and then."""

    def __init__(self, seed: int = 0, kind: str = "random", reacts: float = 0.0) -> None:
        self.seed, self.kind, self.name, self.spec, self.reacts = seed, kind, "legal", "random", reacts

    def rng(self, view: View, what: str) -> Random:
        return Random(f"{self.seed}:{view.seat}:{len(view.events)}:{what}")

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        rng = self.rng(view, ask.kind)
        if ask.form == "text" and rng.random() < 0.5:
            return Reply(
                f"我是{ask.seat}号，过。",
                reasoning="想一想\n再说",
                beliefs=dict.fromkeys(view.alive, 1 / 3),
                claims=(Claim("claim-role", ask.seat, value="seer"),),
            )
        return Reply(ask.random(rng))

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        return self.decide(view, ask, offers)

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        took = self.rng(view, "react").random() < self.reacts
        return (offers[0].kind, True) if took else None


class Strange(Legal):
    """Every reply goes wrong in the way that `how` says."""

    def __init__(self, how: Callable[[Ask], object]) -> None:
        super().__init__(kind="model")
        self.how = how

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        return self.how(ask)  # type: ignore[return-value]  # what is no Reply at all is tried as well


class Never(Legal):
    """Never replies in time."""

    def __init__(self) -> None:
        super().__init__(kind="model")

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError


class Paid(Legal):
    """A legal seat whose replies count as model calls; `called` hears of each."""

    def __init__(self, seed: int, called: Callable[[Ask], None] | None = None) -> None:
        super().__init__(seed, kind="model")
        self.called = called

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        if self.called is not None:
            self.called(ask)
        reply = self.decide(view, ask, offers)
        return Reply(reply.answer, reasoning=reply.reasoning, calls=(Call("m", "hash", "text", 10, 5),))


def seats(setup: Setup, make: Callable[[int], Player]) -> Table9:
    """A player for every seat."""
    return {seat: make(seat) for seat in range(1, setup.size + 1)}


def exploded(game: Game) -> list[int]:
    """The seats that exploded."""
    return [event.seats[0] for event in game.events if isinstance(event, Exploded)]
