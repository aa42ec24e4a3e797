"""Games made by hand: players who say and believe what a test tells them."""

from __future__ import annotations

from collections.abc import Mapping

from arena.annotate import Meta, Tables, annotate
from engine.asks import Answer, Ask
from engine.setup import Setup
from engine.views import View
from judge.direct import play_direct
from judge.record import MemorySink, Record, parse_record
from players.base import Claim, Player, Reply

CARDS = ("werewolf", "seer", "witch", "villager", "villager", "villager", "werewolf")
"""Two wolves (1 and 7), a seer (2), a witch (3), villagers."""
QUIET = {"sheriff": False, "wolves.talk-rounds": 0, "wolves.bite": "non-wolf", "win.wolves": "parity"}

Plan = Mapping[tuple[str, int], Answer]
Talk = Mapping[int, tuple[Claim, ...]]


class Hand:
    """answers: by kind and day; quiet elsewhere. talk: claims of its first speech on a day. beliefs: always these."""

    kind, name, spec = "scripted", "hand", "hand"

    def __init__(self, answers: Plan, talk: Talk, beliefs: Mapping[int, float]) -> None:
        self.answers, self.talk, self.beliefs = answers, talk, dict(beliefs)

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        return self.decide(view, ask, offers)

    def decide(self, view: View, ask: Ask, offers: tuple[Ask, ...] = ()) -> Reply:
        if ask.form == "text":
            claims = self.talk.get(view.day, ()) if ask.kind == "day.speak" else ()
            return Reply("I have spoken." if claims else ask.quiet(), claims=claims, beliefs=self.beliefs)
        key = ask.kind, view.day
        fits = key in self.answers and ask.allows(self.answers[key])
        return Reply(self.answers[key] if fits else ask.quiet(), beliefs=self.beliefs)

    def react(self, view: View, offers: tuple[Ask, ...]) -> tuple[str, Answer] | None:
        return None


def record_of(
    answers: Mapping[int, Plan],
    talk: Mapping[int, Talk],
    beliefs: Mapping[int, Mapping[int, float]] | None = None,
    cards: tuple[str, ...] = CARDS,
) -> Record:
    """A game in which the first wolf bites as told, and nobody votes or speaks unless told so."""
    setup = Setup("tournament", cards, 1, "en", QUIET)
    players: dict[int, Player] = {
        seat: Hand(answers.get(seat, {}), talk.get(seat, {}), (beliefs or {}).get(seat, {}))
        for seat in range(1, len(cards) + 1)
    }
    sink = MemorySink()
    play_direct(setup, players, sink, max_days=3, game_id="hand")
    return parse_record(sink.data(), "hand")


def tables_of(
    answers: Mapping[int, Plan],
    talk: Mapping[int, Talk],
    beliefs: Mapping[int, Mapping[int, float]] | None = None,
    cards: tuple[str, ...] = CARDS,
    agents: Mapping[int, str] | None = None,
) -> Tables:
    """The same, annotated."""
    return annotate(record_of(answers, talk, beliefs, cards), Meta(agents=dict(agents or {})))
