"""Annotated games as the metrics read them: who sat where, and which games belong together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from arena.annotate.tables import BeliefRow, ClaimRow, SeatRow, Tables
from arena.annotate.truth import Proposition, proposition
from players.base import Claim

T = TypeVar("T")
Clusters = dict[Hashable, list[T]]


class Corpus:
    """Games that ended or not, with the lookups that metrics need. Rows of one block are one cluster everywhere."""

    def __init__(self, games: Iterable[Tables]) -> None:
        self.games: Sequence[Tables] = tuple(games)
        self._seats = {(game.game.game_id, row.seat): row for game in self.games for row in game.seats}

    @property
    def agents(self) -> tuple[str, ...]:
        """All agent ids, sorted."""
        return tuple(sorted({row.agent_id for row in self._seats.values()}))

    def seat(self, game_id: str, seat: int) -> SeatRow:
        """The seat's row."""
        return self._seats[game_id, seat]

    def agent(self, game_id: str, seat: int) -> str:
        """Who sat there."""
        return self._seats[game_id, seat].agent_id

    def is_mine(self, game_id: str, seat: int, agent: str | None) -> bool:
        """Whether the agent (None: anybody) sat there."""
        return agent is None or self._seats[game_id, seat].agent_id == agent

    def finished(self) -> Iterator[Tables]:
        """Games that ended by their rules."""
        return (game for game in self.games if game.game.status == "finished")

    def probes(self, agent: str | None = None, team: str | None = "village") -> Iterator[tuple[Tables, BeliefRow]]:
        """The last belief of each observer on each day, so that talkative seats do not count for more."""
        for game in self.games:
            last: dict[tuple[int, int], BeliefRow] = {}
            for row in game.beliefs:
                if (team is None or row.team == team) and self.is_mine(row.game_id, row.observer, agent):
                    last[row.observer, row.day] = row
            yield from ((game, row) for row in last.values())

    def claims(self, agent: str | None = None, team: str | None = None) -> Iterator[tuple[Tables, ClaimRow]]:
        """Public claims."""
        for game in self.games:
            for row in game.claims:
                if row.public and (team is None or row.team == team) and self.is_mine(row.game_id, row.speaker, agent):
                    yield game, row


def undetermined(row: BeliefRow) -> list[tuple[float, bool]]:
    """(suspicion, wolf) of living others whose side the observer's facts leave open."""
    pairs = []
    for seat in row.alive:
        p, hard = row.p_wolf[seat - 1], row.hard_p_wolf[seat - 1]
        if seat != row.observer and p is not None and 0 < hard < 1:
            pairs.append((p, row.wolf[seat - 1]))
    return pairs


def said(row: ClaimRow) -> Proposition:
    """What a claim row says."""
    return proposition(Claim(row.act, row.subject, row.target, row.about_day, row.value, row.negated))


def about_wolf(row: ClaimRow) -> tuple[int, bool] | None:
    """(seat, whether it is said to be a wolf), where a claim says so or implies it by a check's result."""
    meant = said(row)
    if meant.kind == "wolf":
        return meant.seat, not meant.negated
    if meant.kind == "deed" and meant.value in ("good", "bad") and meant.target and not meant.negated:
        return meant.target, meant.value == "bad"
    return None


def clusters(pairs: Iterable[tuple[Tables, T]]) -> Clusters[T]:
    """The rows by block."""
    found: Clusters[T] = {}
    for game, row in pairs:
        found.setdefault(game.game.block_id, []).append(row)
    return found


class Around:
    """A listener's beliefs on either side of a moment."""

    def __init__(self, game: Tables) -> None:
        self._rows: Mapping[int, list[BeliefRow]] = {}
        rows: dict[int, list[BeliefRow]] = {}
        for row in game.beliefs:
            rows.setdefault(row.observer, []).append(row)
        self._rows = rows

    def listeners(self) -> Iterable[int]:
        """Seats that ever told a belief."""
        return self._rows

    def at(self, listener: int, seq: int) -> tuple[BeliefRow, BeliefRow] | None:
        """The last belief that cannot have heard event `seq`, and the first that has, of the same day."""
        before = after = None
        for row in self._rows.get(listener, ()):
            if row.seq <= seq:
                before = row
            elif after is None:
                after = row
        return (before, after) if before and after and after.day == before.day else None
