"""One game of a campaign, from its lease to its record."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.campaign.journal import Bench, Bill, Keeper, seat_models
from arena.campaign.ledger import Answered, Ended, Lease
from arena.campaign.limits import GameCaps, Halt
from arena.campaign.plan import CampaignError, Plan, Planned, place, record_path
from engine.game import Game
from engine.setup import Setup
from judge.budget import Budget
from judge.course import Course
from judge.direct import header_of, seated
from judge.lines import Result
from judge.record import MemorySink, Record, RecordError, read_record
from players.base import Player, Reply, SeatDown
from players.factory import make_players, seat_seed

Benches = Mapping[str, Bench]
"""What models need, by the entrant's id; under the empty name, where the plan compares nobody."""
NOBODY: Benches = {}
NO_CAPS = GameCaps()


def seats_of(plan: Plan, game: Planned, setup: Setup) -> dict[int, Player]:
    """The players of a table but for its models. Raises SpecError."""
    # A replicate differs in its players' own draws alone: the deal and the judge's draws stay as they are.
    own = msgspec.structs.replace(setup, seed=setup.seed ^ game.replicate << 40)
    return make_players(own, {seat: s for seat, s in plan.specs(game).items() if s.partition(":")[0] != "model"})


async def play(
    plan: Plan, lease: Lease, folder: Path, benches: Benches, keep: Keeper, caps: GameCaps = NO_CAPS
) -> Ended:
    """As `play_to`; the record is put in place."""
    end, data = await play_to(plan, lease, benches, keep, caps)
    store(folder, lease.game.id, data)
    return end


async def play_to(
    plan: Plan, lease: Lease, benches: Benches, keep: Keeper, caps: GameCaps = NO_CAPS
) -> tuple[Ended, bytes]:
    """Play a game to its end; returns that and its record.

    Raises SeatDown (an outage, Halt, Diverged): then the game is not over, and what was answered is kept. An error in
    the rules ends the game as failed.
    """
    game, bill = lease.game, Bill()
    setup = plan.setup(game)
    players, specs = seats_of(plan, game, setup), plan.specs(game)
    if benches:
        seeds = {seat: seat_seed(setup, seat) ^ game.replicate for seat in specs}
        names = dict(enumerate(game.seated, 1))
        by_seat = {seat: benches[names.get(seat, "")] for seat, s in specs.items() if s.partition(":")[0] == "model"}
        seat_models(players, specs, seeds, by_seat, game.id, lease.answers, keep, bill)
    if plan.trial is not None and not plan.trial.talk:
        from arena.campaign.mute import Mute

        players = {seat: Mute(player) for seat, player in players.items()}
    budget = Budget(caps.tokens, caps.cost, lambda *_: bill.cost)  # each model has its own prices; the bill knows them
    sink = MemorySink()
    course = Course(
        Game(setup), seated(players, setup.size), sink, max_days=plan.table.max_days, patience=None, budget=budget
    )
    sink.write([header_of(setup, course.players, game.id, plan.table.max_days)])
    try:
        await _run(course)
    except SeatDown:
        raise
    except Exception as error:  # a fault in the rules ends one game, not the campaign
        course.finish(f"{type(error).__name__} in the rules")
    course.finish()
    data = sink.data()
    return ended(Record(lease.game.id, tuple(sink.lines), ()), data), data


async def _run(course: Course) -> None:
    course.begin()
    at_once = all(hasattr(player, "decide") for player in course.players.values())
    while not course.over:
        course.volunteers()
        if not course.reacting:
            asks = course.missing()
            if at_once:
                heard: list[Reply | BaseException] = [course.hear_now(ask) for ask in asks]
            else:
                heard = await asyncio.gather(*map(course.hear, asks), return_exceptions=True)
            for ask, reply in zip(asks, heard, strict=True):
                if isinstance(reply, BaseException):
                    raise reply
                course.replies[ask.seat] = reply
        course.step()
        if at_once:
            await asyncio.sleep(0)


def store(folder: Path, game: str, data: bytes) -> None:
    """Put a record in place. Raises Halt where the disk does not take it."""
    path = record_path(folder, game)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        place(path, data)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        raise Halt(f"{path}: {'the disk is full' if full else error.strerror or error}") from error


def ended(record: Record, data: bytes) -> Ended:
    """How a recorded game ended. Raises CampaignError if it has not."""
    result = record.result
    if not isinstance(result, Result):
        raise CampaignError(f"{record.name}: the record has no result")
    asked = [
        one
        for line in record.decisions
        for one in (*line.asked, *line.aside, *((line.reaction,) if line.reaction is not None else ()))
    ]
    return Ended(
        record.header.game,
        result.status,
        result.winners,
        result.days,
        sum(len(one.calls) for one in asked),
        sum(1 for one in asked if one.fallback),
        sha256(data).hexdigest(),
        result.reason,
    )


def found(plan: Plan, game: Planned, folder: Path) -> Ended | None:
    """The end of a game whose record is there and is this game's. Raises CampaignError if it is another's."""
    path = record_path(folder, game.id)
    if not path.is_file():
        return None
    try:
        record = read_record(path)
    except RecordError as error:
        raise CampaignError(str(error)) from None
    sat = {sitter.seat: sitter.spec for sitter in record.header.players if sitter.seat}
    if record.header.game != game.id or record.header.setup != plan.setup(game) or sat != plan.specs(game):
        raise CampaignError(f"{path}: this is the record of another game")
    return ended(record, path.read_bytes())


async def keep_nothing(row: Answered) -> None:
    """For tables without models."""
