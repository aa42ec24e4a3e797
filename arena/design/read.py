"""Games on disk, annotated: a campaign's folder, a folder of records, or a record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.annotate.game import Meta, annotate
from arena.annotate.tables import Tables
from arena.campaign.plan import PLAN, CampaignError
from arena.design.run import config_of, read_campaign
from judge.record import Record, RecordError, read_record

__all__ = ["config_of", "read_games"]


def read_games(path: Path, canary: str = "") -> Iterator[tuple[Record, Tables]]:
    """The games at a place, in a fixed order. Raises RecordError where there is none, or one cannot be read."""
    if (path / PLAN).is_file():
        try:
            yield from read_campaign(path, canary)
        except CampaignError as error:
            raise RecordError(str(error)) from None
        return
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise RecordError(f"{path}: there is no game record here")
    for file in files:
        record = read_record(file)
        yield record, annotate(record, Meta(game_id=file.stem, canary=canary))
