"""`annotate`: a record becomes Tables."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import msgspec

from arena.annotate.log import event_rows
from arena.annotate.tables import TABLES_VERSION, GameRow, SeatRow, Tables
from arena.annotate.walk import Walk
from engine.asks import IllegalAnswer
from engine.bits import seats_of
from engine.events import Eliminated, Over, Phase, Returned
from engine.game import Game
from engine.rules.ruleset import SetupError
from engine.setup import Setup
from judge.record import Record, RecordError


class Meta(msgspec.Struct, frozen=True):
    """What a campaign knows of a game beyond its record. agents: agent id by seat. cost: None without prices."""

    game_id: str = ""
    schedule: str = "single"
    agents: dict[int, str] = {}
    canary: str = ""
    cost: float | None = None
    prompt_hash: str = ""


def digest(*parts: object) -> str:
    """A short content hash."""
    return sha256(msgspec.json.encode([str(part) for part in parts], order="sorted")).hexdigest()[:16]


def deal_id(setup: Setup) -> str:
    """The same for the same cards, seats, rules, seed and language."""
    return sha256(msgspec.json.encode(setup, order="sorted")).hexdigest()[:16]


def block_id(setup: Setup) -> str:
    """The same for one deal in either language."""
    return deal_id(msgspec.structs.replace(setup, lang=""))


def annotate(record: Record, meta: Meta | None = None) -> Tables:
    """The tables of a game that has ended or not, by one replay. Raises RecordError."""
    meta = meta or Meta()
    raw_hash = sha256(b"".join(record.raw)).hexdigest()
    game_id = meta.game_id or record.header.game or raw_hash[:16]
    try:
        walk = Walk(record, game_id)
        walk.run()
    except (SetupError, IllegalAnswer) as error:
        raise RecordError(f"{record.name}: {error}") from None
    return Tables(
        game=_game_row(record, walk.game, meta, game_id, raw_hash),
        seats=_seat_rows(record, walk.game, meta, game_id, {row.seat: row.model_returned for row in walk.calls}),
        events=tuple(event_rows(record, game_id)),
        utterances=tuple(walk.utterances),
        claims=tuple(walk.claims),
        beliefs=tuple(walk.beliefs),
        ballots=tuple(walk.ballots),
        calls=tuple(walk.calls),
        annotations=tuple(walk.annotations),
        deeds=tuple(walk.deed_rows),
        decisions=tuple(walk.decisions),
    )


def _game_row(record: Record, game: Game, meta: Meta, game_id: str, raw_hash: str) -> GameRow:
    setup, result = record.header.setup, record.result
    return GameRow(
        game_id=game_id,
        schema_version=TABLES_VERSION,
        ruleset=setup.ruleset,
        seats=setup.size,
        ruleset_hash=digest(setup.ruleset, sorted(setup.options.items())),
        deal_id=deal_id(setup),
        block_id=block_id(setup),
        engine_version=record.header.engine,
        lang=setup.lang,
        schedule=meta.schedule,
        seeds={"deal": setup.seed},
        winner=",".join(game.outcome.winners) if game.outcome else "",
        end_reason=result.reason if result else "",
        status=result.status if result else "unfinished",
        days=result.days if result else game.public.day,
        cost=meta.cost,
        log_sha256=raw_hash,
        canary=meta.canary,
    )


def _seat_rows(record: Record, game: Game, meta: Meta, game_id: str, models: Mapping[int, str]) -> tuple[SeatRow, ...]:
    setup, over = record.header.setup, game.outcome
    sitters = {sitter.seat: sitter for sitter in record.header.players}
    wolves, deaths = set(seats_of(game.truth.wolf_seats)), _deaths(game)
    rows = []
    for seat, role in enumerate(setup.seats, 1):
        sitter = sitters.get(seat)
        spec = sitter.spec if sitter else ""
        day, cause = deaths.get(seat, (None, None))
        rows.append(
            SeatRow(
                game_id=game_id,
                seat=seat,
                role=role,
                team=_camp(over, game, seat),
                wolf=seat in wolves,
                agent_id=meta.agents.get(seat, spec),
                kind=sitter.kind if sitter else "",
                model_requested=sitter.name if sitter and sitter.kind == "model" else "",
                model_returned=models.get(seat, ""),
                prompt_hash=meta.prompt_hash,
                agent_hash=digest(spec),
                params={},
                death_day=day,
                death_cause=cause,
                won=over is not None and seat in over.seats,
            )
        )
    return tuple(rows)


def _camp(over: Over | None, game: Game, seat: int) -> str:
    return over.camps[seat - 1] if over is not None else game.truth.seats[seat].camp


def _deaths(game: Game) -> dict[int, tuple[int, str]]:
    """By seat the day and first cause of its last elimination."""
    day, found = 0, dict[int, tuple[int, str]]()
    for event in game.events:
        match event:
            case Phase(_, number):
                day = number or day
            case Eliminated(seat, cause):
                found.setdefault(seat, (day, cause))
            case Returned(seats):
                for seat in seats:
                    found.pop(seat, None)
            case _:
                pass
    return found
