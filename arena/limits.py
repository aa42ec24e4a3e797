"""The least that a game needs from a model: a counting model to set beside what was measured.

It goes through a game that was played and lays out, for each question that its rules need, the shortest sensible
prompt: rules of a fixed length, the public log that all seats share, what the seat alone was told, a line of question.
Calls that need nothing of one another (wolves and seer of a night, the ballots of a vote) are one step of the chain.
"""

from __future__ import annotations

import bisect
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence

import msgspec

from engine.events import Ballots, Dawn, Eliminated, Event, Said, Shot
from engine.game import Answered, Decision, Game
from engine.setup import Setup

RULES = 600  # tokens of the rules in the limit's prompts
NIGHT_TOGETHER = frozenset({"werewolf.bite", "werewolf.talk", "seer.check"})
"""Asks of a night that need nothing of one another; each seat needs one call for all of its own."""
Tokenize = Callable[[str], Sequence[int]]


class Load(msgspec.Struct):
    """What questions take: calls, the chain of calls that wait for one another, public speeches, prompt tokens, and of
    those the ones that a perfect prefix cache does not serve (first: where the provider puts the schema first)."""

    calls: int = 0
    chain: int = 0
    speeches: int = 0
    prompt: int = 0
    uncached: int = 0
    uncached_first: int = 0


class PrefixIndex:
    """The longest common prefix with any earlier sequence; only the neighbours in order can hold it."""

    def __init__(self) -> None:
        self._keys: list[bytes] = []

    def add(self, tokens: Iterable[int]) -> int:
        """How many tokens at the beginning were seen before."""
        packed = array("I", tokens)
        if sys.byteorder == "little":
            packed.byteswap()
        key = packed.tobytes()
        at = bisect.bisect_left(self._keys, key)
        best = max((_common(key, self._keys[near]) for near in (at - 1, at) if 0 <= near < len(self._keys)), default=0)
        if not (at < len(self._keys) and self._keys[at] == key):
            self._keys.insert(at, key)
        return best // 4


def _common(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle)
    return low


def limit(setup: Setup, decisions: Iterable[Decision], tokenize: Tokenize) -> Load:
    """The least load of a game with these decisions."""
    counting = _Counting(setup, tokenize)
    for decision in decisions:
        counting.take(decision)
    counting.end_step()
    return counting.load


class _Counting:
    """Replays a game and lays out the limit's prompts."""

    def __init__(self, setup: Setup, tokenize: Tokenize) -> None:
        self.game, self.load = Game(setup), Load()
        self._tokenize, self._index = tokenize, PrefixIndex()
        self._prefix: list[int] = [*range(RULES)]
        self._own: dict[int, list[int]] = {seat: [] for seat in range(1, setup.size + 1)}
        self._read = 0
        self._step: dict[int, str] = {}
        for seat, role in enumerate(setup.seats, 1):
            self._note(seat, f"You are Player{seat}, your role is {role}.")
        self._listen()

    def take(self, decision: Decision) -> None:
        """Ask what this decision needs, and hear what came of it."""
        asks = self.game.asks
        if isinstance(decision, Answered):
            kinds = {ask.kind for ask in asks}
            night = self.game.public.phase == "night"
            step = "together" if kinds <= NIGHT_TOGETHER and night else f"{sorted(kinds)[0].partition('.')[0]}"
            if not (night and self._step and set(self._step.values()) == {step}):
                self.end_step()
            for ask in asks:
                if ask.seat and ask.seat not in self._step:
                    self._ask(ask.seat, ask.kind, ask.targets)
                    self._step[ask.seat] = step
                    self.load.speeches += ask.kind == "day.speak"
            if not night:
                self.end_step()
            for ask in asks:
                if ask.seat and ask.form != "text":
                    self._note(ask.seat, f"You chose Player{decision.answers.get(ask.seat)} ({ask.kind})")
        self.game.apply(decision)
        self._listen()

    def end_step(self) -> None:
        """The step's calls are done; the next ones wait for them."""
        self.load.chain += bool(self._step)
        self._step = {}

    def _ask(self, seat: int, kind: str, targets: Sequence[int]) -> None:
        options = ", ".join(f"Player{target}" for target in targets)
        question = f"Player{seat}: {kind}. Options: {options}. Reply as JSON with reason and target.\n"
        tokens = [*self._prefix, *self._own[seat], *self._tokenize(question)]
        self.load.calls += 1
        self.load.prompt += len(tokens)
        self.load.uncached += len(tokens) - self._index.add(tokens)

    def _note(self, seat: int, words: str) -> None:
        self._own[seat] += self._tokenize(words + "\n")

    def _listen(self) -> None:
        for event in self.game.public.events[self._read :]:
            if line := _line(event):
                self._prefix += self._tokenize(line + "\n")
        self._read = len(self.game.public.events)


def _line(event: Event) -> str:
    match event:
        case Said(seat, text):
            return f"Player{seat}: {text}"
        case Dawn(seats):
            return "Died last night: " + (", ".join(f"Player{seat}" for seat in seats) or "nobody")
        case Ballots(ballots):
            return "Votes: " + ", ".join(f"Player{one}->Player{other}" for one, other in ballots.items()) + "."
        case Eliminated(seat):
            return f"Player{seat} is exiled."
        case Shot(seats):
            return " shoots ".join(f"Player{seat}" for seat in seats)
        case _:
            return ""
