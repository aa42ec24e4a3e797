"""Exports that need a package of an extra: Parquet (`data`: pyarrow) and Inspect logs (`inspect`: inspect_ai)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from arena.annotate.tables import NINE, Row, Tables
from arena.export.base import Export, card, need, rows_of, split_of

JSON_FIELDS = frozenset({"payload", "params", "seeds", "parsed", "p_role"})
"""Fields without a fixed shape: kept as JSON text."""


def parquet(export: Export, folder: Path) -> Sequence[Path]:
    """data/<split>/<table>.parquet, zstd; and the data card with a config for each table. Raises ExportError."""
    try:
        pyarrow = import_module("pyarrow")
        files = import_module("pyarrow.parquet")
    except ImportError:
        raise need("pyarrow", "data") from None
    made = []
    splits: dict[str, list[Tables]] = {}
    for game in export.tables:
        splits.setdefault(split_of(game.game.block_id), []).append(game)
    schemas = {name: _schema(rows, pyarrow) for name, rows in rows_of(export.tables).items()}
    for split, games in sorted(splits.items()):
        for name, rows in rows_of(games).items():
            path = folder / "data" / split / f"{name}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            table = pyarrow.Table.from_pylist([_plain(row) for row in rows], schema=schemas[name])
            table = table.replace_schema_metadata({"canary": export.canary, "table": name})
            files.write_table(table, path, compression="zstd")
            made.append(path)
    readme = folder / "README.md"
    readme.write_text(card(export, "parquet"), encoding="utf-8")
    return [*made, readme]


def _plain(row: Row) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(row)
    for name in JSON_FIELDS & plain.keys():
        plain[name] = msgspec.json.encode(plain[name]).decode()
    if "span" in plain:
        plain["span"] = list(plain["span"]) if plain["span"] else None
    return plain


def _schema(rows: Sequence[Row], pyarrow: Any) -> Any:
    """The columns' types: as they are in all splits together, so that every file of a table has one schema."""
    if not rows:
        return pyarrow.schema([])
    found = pyarrow.Table.from_pylist([_plain(row) for row in rows]).schema
    fields = [field.with_type(pyarrow.string()) if pyarrow.types.is_null(field.type) else field for field in found]
    return pyarrow.schema(fields)


def inspect(export: Export, folder: Path) -> Sequence[Path]:
    """games.eval, a log that `inspect view` opens: a deal is a sample, its games are the epochs. Raises ExportError."""
    try:
        logs, models = import_module("inspect_ai.log"), import_module("inspect_ai.model")
        scorer = import_module("inspect_ai.scorer")
    except ImportError:
        raise need("inspect_ai", "inspect") from None
    epochs: dict[str, int] = {}
    samples = []
    for game in export.tables:
        epochs[game.game.block_id] = epochs.get(game.game.block_id, 0) + 1
        samples.append(
            logs.EvalSample(
                id=game.game.block_id,
                epoch=epochs[game.game.block_id],
                input=f"{game.game.ruleset}, {game.game.seats}, {game.game.lang}",
                target=game.game.winner,
                messages=[_message(row, models) for row in game.utterances if row.text and row.channel == "public"],
                output=models.ModelOutput.from_content("tianhei", game.game.winner),
                scores={"village": scorer.Score(value=int("village" in game.game.winner))},
                metadata={
                    "game_id": game.game.game_id,
                    "seats": {str(row.seat): f"{row.role} {row.agent_id}" for row in game.seats},
                    "claims": [f"{row.speaker} {row.act} {row.target or ''} {row.label}" for row in game.claims],
                },
            )
        )
    created = "2000-01-01T00:00:00+00:00"
    log = logs.EvalLog(
        status="success",
        eval=logs.EvalSpec(
            created=created,
            task=export.name,
            dataset=logs.EvalDataset(name=export.name, samples=len(epochs)),
            model="tianhei/table",
            config=logs.EvalConfig(epochs=max(epochs.values(), default=1)),
            metadata={"canary": export.canary},
        ),
        samples=samples,
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "games.eval"
    logs.write_eval_log(log, str(path))
    return [path]


def _message(row: Any, models: Any) -> Any:
    return models.ChatMessageUser(content=f"[{row.seat}] {row.text}")


__all__ = ["NINE", "inspect", "parquet"]
