"""What reaches a seat, in order (events and asks), and where two games that differ only in hidden things part for it.

Non-interference over any table: every answer is a function of what the answering seat has met so far, and the games
compared differ only in hidden things: who holds which card, what is left over, the order of the event cards, the seed
of the draws, or one answer. Then a seat's stream must part by an event: if the next ask, its mask or the reactions
offered were not the same while everything before was, the asking would tell what no event has told. Whether a question
that everybody hears (a guest named by the magistrate, a hunter who shoots in the night) is put at all may differ: the
question is the news, and it is public.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from zlib import crc32

import msgspec

from engine.asks import Ask
from engine.bits import EVERYONE
from engine.events import Event, Intent, Phase, Step
from engine.game import Game
from engine.rules.ruleset import SetupError
from engine.setup import Setup

MOST_DECISIONS = 400


class Asked(msgspec.Struct, frozen=True):
    """A seat is asked, with the reactions it is offered at that moment."""

    ask: Ask
    offers: tuple[Ask, ...]


DEMANDED = frozenset({"double-agent.name", "werewolf.fascinate"})
"""Asks whose mask the rulebook itself makes of hidden things: the first dead names one who is no wolf seat, the pack
nobody who is hypnotised already (a guard or the elder's life may have kept one from it)."""

Met = Event | Asked | Ask
"""What reaches a seat. An ask by itself is a reaction taken."""


class Streams:
    """One game played by seats that decide by their own streams alone.

    twist: (decision, seat): at this decision this seat (0: the judge) draws anew.
    """

    def __init__(self, setup: Setup, salt: int, twist: tuple[int, int] = (-1, -1)) -> None:
        self.game, self.salt, self.twist = Game(setup), salt, twist
        self.met: list[list[Met]] = [[] for _ in range(setup.size + 1)]
        self.hashes = [0] * (setup.size + 1)
        self.counts: dict[tuple[int, str], int] = {}
        self._read = self._judged = 0

    def play(self, most: int = MOST_DECISIONS) -> Streams:
        """At most so many decisions."""
        for _ in range(most):
            self.read()
            if not self.game.asks:
                break
            self.decide()
        self.read()
        return self

    def read(self) -> None:
        """Hand out what happened since the last decision."""
        game = self.game
        for at in range(self._read, len(game.events)):
            event, to = game.events[at], game.audiences[at]
            for seat in range(1, game.setup.size + 1):
                if to == -1 or to >> seat & 1:
                    self.meet(seat, event)
        self._read = len(game.events)

    def meet(self, seat: int, item: Met) -> None:
        """One thing reaches a seat."""
        self.met[seat].append(item)
        self.hashes[seat] = crc32(repr(item).encode(), self.hashes[seat])

    def decide(self) -> None:
        """A reaction that some seat wants to take, else the answers to all that is asked."""
        game, offers = self.game, self.game.reactions
        for offer in offers:
            if offer.seat and self.rng(offer.seat, offer.kind).random() < 0.03:
                answer: object = "well, well" if offer.form == "text" else offer.random(self.rng(offer.seat, "answer"))
                if offer.allows(answer):
                    self.meet(offer.seat, offer)
                    game.react(offer.seat, offer.kind, answer)
                    return
        answers: dict[int, object] = {}
        for ask in game.asks:
            if ask.seat:
                self.meet(ask.seat, Asked(ask, tuple(offer for offer in offers if offer.seat == ask.seat)))
            answers[ask.seat] = self.answer(ask)
        game.answer(answers)

    def answer(self, ask: Ask) -> object:
        """What a seat answers; text now and then says something."""
        if not ask.seat:
            self._judged += 1
            return ask.random(Random(f"{self.salt}:{self._judged}:{self.twisted(0)}"))
        rng = self.rng(ask.seat, ask.kind, ask.seen != EVERYONE)
        if ask.form == "text" and rng.random() < 0.1:
            to = rng.choice(ask.targets) if ask.targets else None
            return {"text": "something", "question-to": to} if to else "something"
        return ask.random(rng)

    def rng(self, seat: int, what: str, hidden: bool = False) -> Random:
        """The seat's own chance at this point of its stream.

        Where the salt is even, what is answered in the dark hangs on no more than how far the stream has come, so that
        an exchange of cards often changes nothing in public and the games run on side by side.
        """
        who = f"{seat}:{self.hashes[seat]}"
        if not self.salt % 2:
            count = self.counts[seat, what] = self.counts.get((seat, what), 0) + 1
            who = f"{count}" if hidden else f"{seat}:{count}"
        return Random(f"{self.salt}:{who}:{what}:{self.twisted(seat)}")

    def twisted(self, seat: int) -> bool:
        """Whether the seat draws anew now."""
        return self.twist == (len(self.game.decisions), seat)


def hidden_variants(setup: Setup, count: int) -> Iterator[Setup]:
    """Tables that look the same before the deal: cards of seats exchanged, what is left over and chance too."""
    rng = Random(f"variants:{setup.seed}")
    for at in range(count):
        cards = [*setup.seats, *setup.extra]
        second = list(setup.second_cards)
        for _ in range(rng.randint(1, 2)):
            a, b = rng.sample(range(len(cards)), 2)
            cards[a], cards[b] = cards[b], cards[a]
            if second and rng.random() < 0.5:
                a, b = rng.sample(range(len(second)), 2)
                second[a], second[b] = second[b], second[a]
        later = list(setup.new_moon[1:])
        if at % 2:
            rng.shuffle(later)
        varied = msgspec.structs.replace(
            setup,
            seats=tuple(cards[: setup.size]),
            extra=tuple(cards[setup.size :]),
            second_cards=tuple(second),
            new_moon=(*setup.new_moon[:1], *later),
            seed=setup.seed + (at % 4 == 3),
        )
        try:
            Game(varied)
        except SetupError:  # a card that may not be left over
            continue
        yield varied


def parting(one: list[Met], other: list[Met]) -> tuple[Met, Met] | None:
    """The first two things that differ, None where one stream begins the other."""
    return next(((a, b) for a, b in zip(one, other, strict=False) if a != b), None)


def leaks(setup: Setup, salt: int, variants: int = 4) -> Iterator[tuple[int, Met, Met, Streams, Streams]]:
    """Where a seat is asked another thing, or not asked, although no event has told it why."""
    played = [Streams(setup, salt).play()]
    played += [Streams(varied, salt).play() for varied in hidden_variants(setup, variants // 2)]
    rng, length = Random(f"twists:{setup.seed}"), len(played[0].game.decisions)
    for _ in range(variants // 2):
        twist = rng.randrange(length), rng.randint(0, setup.size)
        played.append(Streams(setup, salt, twist).play())
    for at, one in enumerate(played):
        for other in played[at + 1 :]:
            for seat in range(1, setup.size + 1):
                parted = parting(one.met[seat], other.met[seat])
                if parted is not None and tells(*parted) and not (robbed(one, seat) or robbed(other, seat)):
                    yield seat, *parted, one, other


def tells(one: Met, other: Met) -> bool:
    """Whether streams that part so tell the seat what no event has told it."""
    if is_news(one) or is_news(other):
        return False
    asked = [item.ask for item in (one, other) if isinstance(item, Asked)]
    if len(asked) == 2 and asked[0].kind == asked[1].kind:
        freed = asked[0].kind == "day.speak" and not all(ask.seats for ask in asked)
        return asked[0].kind not in DEMANDED and not freed  # freed: when the piper is out, all the charmed speak again
    if not any(ask.seen == EVERYONE for ask in asked):
        return not (isinstance(one, Event) and isinstance(other, Event))
    return False


def is_news(item: Met) -> bool:
    """Whether it is an event that says more than that the game has come to its next step."""
    return isinstance(item, Event) and not isinstance(item, Phase | Step)


def robbed(played: Streams, seat: int) -> bool:
    """Whether a thief holds the seat's card and it learns that only in the morning, as the Harvest has it."""
    return any(isinstance(e, Intent) and e.ask == "thief.swap-seat" and e.answer == seat for e in played.game.events)
