"""Parts of one campaign, played in different places, made one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from arena.campaign.ledger import Ledger
from arena.campaign.plan import CampaignError, Plan, place, read_plan, record_path, write_plan


def merge(into: Path, parts: Sequence[Path]) -> int:
    """Bring the finished games of these campaigns, with what was paid for them, into one; returns how many came.

    The parts are shards of one plan, or have the same plan. `into` is made if it is not there; doing it again changes
    nothing. Games with two different records are an error: one of them was paid for twice. Raises CampaignError.
    """
    plans = [msgspec.structs.replace(read_plan(part), shard=(0, 1)) for part in parts]
    whole = plans[0]
    for part, plan in zip(parts, plans, strict=True):
        if plan != whole:
            raise CampaignError(f"{part}: this is no part of the same campaign as {parts[0]}")
    write_plan(into, whole)
    target = Ledger(into)
    try:
        return sum(_bring(target, part) for part in parts)
    finally:
        target.close()


def _bring(target: Ledger, part: Path) -> int:
    source, came = Ledger(part, write=False), 0
    try:
        there = {game.id: end for game, _, end in target.games("done")}
        for game, _, end in source.games("done"):
            if game.id in there:
                if there[game.id] != end:
                    raise CampaignError(f"{part}: game {game.id} has another record here")
                continue
            if end.sha256:
                path = record_path(target.folder, game.id)
                path.parent.mkdir(parents=True, exist_ok=True)
                place(path, record_path(part, game.id).read_bytes())
            target.bring(end, source.answers(game.id))
            came += 1
    except OSError as error:
        raise CampaignError(f"{part}: {error.strerror or error}") from error
    finally:
        source.close()
    return came


def shards(plan: Plan, number: int) -> list[Plan]:
    """The plan in so many parts."""
    return [msgspec.structs.replace(plan, shard=(part, number)) for part in range(number)]
