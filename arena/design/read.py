"""Games on disk, annotated: a campaign's folder, a folder of records, or a record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.annotate.game import Meta, annotate
from arena.annotate.tables import Tables
from arena.design.config import Config
from arena.design.run import CONFIG, GAMES, PLAN, Campaign
from arena.design.schedule import Planned
from judge.record import Record, RecordError, read_record


def read_games(path: Path, canary: str = "") -> Iterator[tuple[Record, Tables]]:
    """The games at a place, in a fixed order. Raises RecordError where there is none, or one cannot be read."""
    if (path / PLAN).is_file():
        yield from _campaign(path, canary)
        return
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise RecordError(f"{path}: there is no game record here")
    for file in files:
        record = read_record(file)
        yield record, annotate(record, Meta(game_id=file.stem, canary=canary))


def _campaign(folder: Path, canary: str) -> Iterator[tuple[Record, Tables]]:
    kept = folder / CONFIG
    if kept.is_file():
        campaign = Campaign(Config.model_validate_json(kept.read_bytes()), folder)
        for game, record in campaign.records():
            yield record, annotate(record, campaign.meta(game, record, canary))
        return
    for line in (folder / PLAN).read_bytes().splitlines():
        planned = msgspec.json.decode(line, type=Planned)
        file = folder / GAMES / f"{planned.game_id}.jsonl"
        if file.is_file():
            record = read_record(file)
            yield record, annotate(record, Meta(planned.game_id, planned.schedule, planned.seated, canary))


def config_of(folder: Path) -> Config | None:
    """The configuration that a campaign's folder keeps, None of another folder."""
    kept = folder / CONFIG
    return Config.model_validate_json(kept.read_bytes()) if kept.is_file() else None
