"""How strong the built-in players are: win rates by ruleset and level, with 95 % intervals.

Every game is a deal of its own seed, and both sides of a comparison play the same deals. The bench alone looks at the
deal: a seat's level is chosen by the camp it was dealt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from time import process_time
from typing import Any, Literal

import msgspec

from engine.events import Ballots
from engine.game import Game
from engine.setup import Setup, deal
from players.builtin import BuiltinPlayer
from players.builtin.persona import PERSONAS
from players.factory import seat_seed
from players.judge import AutoJudge
from players.random import RandomPlayer

Strength = Literal["random", "easy", "normal", "hard"]
MAX_DAYS = 40
FRESH = 1_000_000  # first seed: the players were tuned on lower ones
Z = 1.959964
TABLES: tuple[tuple[str, int], ...] = (
    ("tournament", 9),
    ("tournament", 10),
    ("tournament", 12),
    ("classic", 12),
    ("extended", 12),
    ("homebrew", 12),
    ("millers-hollow", 12),
    ("japanese", 12),
)
"""Rulesets and seats of the table that is printed."""
LADDER: tuple[tuple[Strength, Strength], ...] = (("hard", "normal"), ("hard", "easy"), ("normal", "easy"))
DECKS = {"classic": "full", "homebrew": "full", "millers-hollow": "full"}


class Sides(msgspec.Struct, frozen=True):
    """Who plays the village and who the wolves (and all others)."""

    village: Strength = "hard"
    wolves: Strength = "hard"


class Score(msgspec.Struct, frozen=True):
    """What a series of games came to.

    village, wolves: games in which that camp won. unfinished: games stopped after MAX_DAYS. lift: how much more often
    than chance a village ballot of day 1 fell on a wolf seat, with half the width of its 95 % interval. ms: CPU
    milliseconds a game.
    """

    ruleset: str
    seats: int
    sides: Sides
    games: int
    village: int
    wolves: int
    unfinished: int
    days: float
    lift: float
    lift_within: float
    ms: float
    won: tuple[bool, ...] = ()

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the village's share of wins."""
        return wilson(self.village, self.games)


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a share; (0, 1) of nothing."""
    if not total:
        return 0.0, 1.0
    share, square = hits / total, Z * Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z * sqrt(share * (1 - share) / total + square / (4 * total * total)) / (1 + square / total)
    return middle - half, middle + half


def paired(better: Sequence[bool], worse: Sequence[bool]) -> tuple[float, float, float]:
    """How much more often `better` won the same deals: the mean difference and its 95 % interval."""
    each = [int(one) - int(other) for one, other in zip(better, worse, strict=True)]
    mean = sum(each) / len(each)
    spread = sqrt(sum((x - mean) ** 2 for x in each) / max(1, len(each) - 1) / len(each))
    return mean, mean - Z * spread, mean + Z * spread


def play(setup: Setup, players: Mapping[int, Any], max_days: int = MAX_DAYS) -> Game:
    """One game of players that answer at once."""
    game = Game(setup)
    while game.asks and game.public.day <= max_days:
        taken = next(
            (
                (offer.seat, *wanted)
                for offer in game.reactions
                if (wanted := players[offer.seat].react(game.view(offer.seat), (offer,)))
            ),
            None,
        )
        if taken:
            game.react(*taken)
        else:
            game.answer({ask.seat: players[ask.seat].decide(game.view(ask.seat), ask, ()).answer for ask in game.asks})
    return game


def seated(setup: Setup, sides: Sides) -> dict[int, Any]:
    """The players of a deal: the village's level for cards of its camp, the other for all others."""
    from engine.rules.ruleset import roles

    cards, names = roles(), list(PERSONAS)
    made: dict[int, Any] = {0: AutoJudge()}
    for seat, card in enumerate(setup.seats, 1):
        level = sides.village if cards[card].camp == "village" else sides.wolves
        seed = seat_seed(setup, seat)
        if level == "random":
            made[seat] = RandomPlayer(seed)
        else:
            made[seat] = BuiltinPlayer(seed, level, names[seed % len(names)])
    return made


def series(ruleset: str, seats: int, games: int, sides: Sides = Sides(), first: int = FRESH) -> Score:  # noqa: B008
    """Play deals `first`, `first` + 1, …; the sides' strengths are as given."""
    village = wolves = unfinished = days = 0
    gains: list[float] = []
    won: list[bool] = []
    began = process_time()
    for seed in range(first, first + games):
        setup = deal(ruleset, seats, deck=DECKS.get(ruleset), seed=seed, lang="zh" if seed % 2 else "en")
        game = play(setup, seated(setup, sides))
        winners = game.outcome.winners if game.outcome else ()
        won.append("village" in winners)
        village += "village" in winners
        wolves += "wolves" in winners
        unfinished += game.outcome is None
        days += game.public.day
        gains += first_day_gains(game)
    mean = sum(gains) / len(gains) if gains else 0.0
    spread = sqrt(sum((x - mean) ** 2 for x in gains)) / max(1, len(gains))
    spent = 1000 * (process_time() - began) / games
    return Score(
        ruleset, seats, sides, games, village, wolves, unfinished, days / games, mean, Z * spread, spent, tuple(won)
    )


def first_day_gains(game: Game) -> list[float]:
    """For each ballot of a villager in the first vote of day 1: 1 on a wolf seat, else 0, less what chance gives."""
    from engine.rules.ruleset import roles

    wolf = {seat for seat, card in enumerate(game.setup.seats, 1) if roles()[card].wolf_card}
    first = next((event for day, event in game.public.ballots if day == 1), None)
    if not isinstance(first, Ballots):
        return []
    there = set(first.ballots)
    share = len(wolf & there) / max(1, len(there) - 1)
    return [
        (target in wolf) - share for voter, target in first.ballots.items() if target is not None and voter not in wolf
    ]


def table(games: int, first: int = FRESH) -> Iterator[Score]:
    """The printed table's rows, one series at a time: every ruleset with all seats at the top level."""
    for ruleset, seats in TABLES:
        yield series(ruleset, seats, games, Sides(), first)


class Margin(msgspec.Struct, frozen=True):
    """How much more often a side won at the higher level than at the lower, on the same deals."""

    side: str
    higher: Strength
    lower: Strength
    seats: int
    gain: float
    low: float
    high: float


def margins(games: int, seats: int = 9, first: int = FRESH) -> Iterator[Margin]:
    """Each level against the next lower ones and random players, from either side, at a tournament table: the other
    side is always at the top level."""
    levels: tuple[Strength, ...] = ("random", "easy", "normal", "hard")
    for side in ("village", "wolves"):
        played = {}
        for level in levels:
            sides = Sides(level, "hard") if side == "village" else Sides("hard", level)
            played[level] = series("tournament", seats, games, sides, first).won
        for at, lower in enumerate(levels):
            for higher in levels[at + 1 :]:
                pair = (played[higher], played[lower]) if side == "village" else (played[lower], played[higher])
                gain, low, high = paired(*pair)
                yield Margin(side, higher, lower, seats, gain, low, high)
