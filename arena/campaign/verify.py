"""Whether a campaign is what it says it is: plan, ledger, records and answers agree, game by game."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import msgspec

from arena.campaign.ledger import Ended, Ledger
from arena.campaign.plan import GAMES, CampaignError, Planned, record_path
from arena.campaign.play import ended
from judge.record import RecordError, parse_record
from judge.record import verify as verify_record


class Finding(msgspec.Struct, frozen=True):
    """One thing that is wrong. game: empty if it is about the campaign."""

    game: str
    what: str


def verify(ledger: Ledger, *, replay: bool = True) -> Iterator[Finding]:
    """All that is wrong with a campaign; nothing, if it is sound.

    replay: play every record through the engine again and compare it byte by byte. Games that are still to be played
    are no finding.
    """
    if words := ledger.sound():
        yield Finding("", f"the ledger's file is damaged: {words}")
    games = ledger.games()
    planned = list(ledger.plan.games())
    if [game for game, _, _ in games] != planned:
        yield Finding("", f"the ledger holds {len(games)} games, which are not the {len(planned)} of the plan")
    known, again = {game.id for game in planned}, ledger.tried_again()
    for path in sorted((ledger.folder / GAMES).glob("??/*.jsonl")):
        if path.stem not in known:
            yield Finding(path.stem, "a record stands there, and the plan has no such game")
    for game, status, end in games:
        if status == "done":
            yield from _of_game(ledger, game, end, replay, game.id in again)
        elif record_path(ledger.folder, game.id).exists():
            yield Finding(game.id, "a record stands there, and the ledger has no result of it; run the campaign again")


def _of_game(ledger: Ledger, game: Planned, end: Ended, replay: bool, again: bool) -> Iterator[Finding]:
    path = record_path(ledger.folder, game.id)
    if not end.sha256:  # it could not be played at all
        if path.exists():
            yield Finding(game.id, "a record stands there of a game that was given up")
        return
    try:
        data = path.read_bytes()
    except OSError as error:
        yield Finding(game.id, f"its record cannot be read: {error.strerror or error}")
        return
    if sha256(data).hexdigest() != end.sha256:
        yield Finding(game.id, "its record was changed: the hash is another")
        return
    try:
        record = parse_record(data, game.id)
        if ended(record, data) != end:
            yield Finding(game.id, "its record ends otherwise than the ledger says")
        if record.header.game != game.id or record.header.setup != ledger.plan.setup(game):
            yield Finding(game.id, "its record is of another game")
        if replay:
            verify_record(record)
    except (RecordError, CampaignError) as error:
        yield Finding(game.id, str(error))
        return
    paid = sum(row.calls for row in ledger.answers(game.id))
    if paid != end.calls and not (again and paid > end.calls):  # a new attempt may need fewer than the one before
        yield Finding(game.id, f"its record holds {end.calls} calls, and {paid} were paid for")
