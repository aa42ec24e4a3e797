"""The nine tables of an annotated game, one frozen row type each: the form in which metrics and exports read games.

Seats count from 1. Lists by seat hold seat 1 first. seq: number of an event in the game's record. None: not known.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

TABLES_VERSION = 1
Truth = Literal["true", "false", "future", "uncheckable"]
Knowledge = Literal["entailed_true", "entailed_false", "open", "none"]
Label = Literal[
    "LIE", "TRUTHFUL", "MISTAKE", "SOFT_LIE", "SINCERE", "ACCIDENTAL_TRUTH", "UNPROBED_FALSE", "UNPROBED_TRUE", "NONE"
]
LABELS: tuple[Label, ...] = (
    "LIE", "TRUTHFUL", "MISTAKE", "SOFT_LIE", "SINCERE", "ACCIDENTAL_TRUTH", "UNPROBED_FALSE", "UNPROBED_TRUE", "NONE",
)  # fmt: skip
Method = Literal["fork", "inline", "bot"]
Source = Literal["declared", "extracted", "human"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all rows."""


class GameRow(Row, frozen=True, kw_only=True):
    """A game. deal_id: setup and language; block_id: all games of one deal, in either language. seeds: by stream.

    lang, schedule: how it was planned. days: days begun. cost: in the currency of the prices, None without prices.
    log_sha256: of the record. canary: marks the data set it belongs to.
    """

    game_id: str
    schema_version: int
    ruleset: str
    seats: int
    ruleset_hash: str
    deal_id: str
    block_id: str
    engine_version: str
    lang: str
    schedule: str
    seeds: dict[str, int]
    winner: str
    end_reason: str
    status: str
    days: int
    cost: float | None
    log_sha256: str
    canary: str


class SeatRow(Row, frozen=True, kw_only=True):
    """A seat. role: as dealt. team: camp at the end. wolf: a wolf seat at the end. death_day: None while it lives."""

    game_id: str
    seat: int
    role: str
    team: str
    wolf: bool
    agent_id: str
    kind: str
    model_requested: str
    model_returned: str
    prompt_hash: str
    agent_hash: str
    params: dict[str, Any]
    death_day: int | None
    death_cause: str | None
    won: bool


class EventRow(Row, frozen=True, kw_only=True):
    """An event. visible_to: the seats that learned of it, 0 the judge, empty for everyone. prev_hash: a hash chain."""

    game_id: str
    seq: int
    day: int
    phase: str
    type: str
    actor: int | None
    targets: tuple[int, ...]
    visible_to: tuple[int, ...]
    payload: dict[str, Any]
    ts: str
    prev_hash: str


class UtteranceRow(Row, frozen=True, kw_only=True):
    """Something said. channel: public or the name of a private circle. day, phase: when. acts: what it does.

    order_in_phase: from 1. holds: the speaker knew a side for certain that the public did not and it had not told yet.
    hides: it told none of it in this turn either. team: wolves or village at that moment.
    """

    utt_id: str
    game_id: str
    seq: int
    seat: int
    team: str
    day: int
    phase: str
    channel: str
    text: str
    lang: str
    order_in_phase: int
    acts: tuple[str, ...]
    holds: bool
    hides: bool
    declared_intent: str | None
    reasoning_text: str | None
    trace_kind: str
    call_id: str | None


class ClaimRow(Row, frozen=True, kw_only=True):
    """A claim within an utterance, judged. belief_at: the speaker's probability of it. value: the schema's `object`."""

    claim_id: str
    utt_id: str
    game_id: str
    seq: int
    speaker: int
    team: str
    source: Source
    act: str
    subject: int
    target: int | None
    about_day: int | None
    value: str | None
    negated: bool
    hedge: float | None
    span: tuple[int, int] | None
    truth: Truth
    knowledge: Knowledge
    label: Label
    belief_at: float | None
    day: int
    public: bool


class BeliefRow(Row, frozen=True, kw_only=True):
    """What an observer believed at an ask. p_wolf: by seat; hard_p_wolf: h, what its facts alone say; wolf: the truth
    then. joint_bits: log2 of the probability of the true wolf set, hard_bits: the same of h. vote_intent: the seat it
    then suspected most among the living."""

    game_id: str
    seq: int
    observer: int
    team: str
    day: int
    method: Method
    p_wolf: tuple[float | None, ...]
    hard_p_wolf: tuple[float, ...]
    wolf: tuple[bool, ...]
    alive: tuple[int, ...]
    p_role: None = None
    joint_bits: float | None = None
    hard_bits: float | None = None
    p_lie: float | None = None
    vote_intent: int | None = None


class BallotRow(Row, frozen=True, kw_only=True):
    """A vote to exile. round: nth ballot of its day. chance: share of wolves among the legal targets; chance_hard: mean
    h over them. hit: the target was a wolf. valid: legal at first try. fallback: not the seat's own answer."""

    game_id: str
    seq: int
    day: int
    round: int
    voter: int
    team: str
    target: int | None
    weight: float
    legal: tuple[int, ...]
    chance: float
    chance_hard: float
    hit: bool
    valid: bool
    fallback: bool


class DeedRow(Row, frozen=True, kw_only=True):
    """A use of a power, for metric 22. gain: how good the choice was; chance: the mean over what was legal."""

    game_id: str
    seat: int
    day: int
    skill: str
    target: int | None
    gain: float
    chance: float


class CallRow(Row, frozen=True, kw_only=True):
    """A decision's model call. purpose: the kind of ask. error: one of players.base.FAULTS, None when it was used."""

    call_id: str
    game_id: str
    call_seq: int
    seat: int
    purpose: str
    request_hash: str
    template_hash: str
    response: str
    model_returned: str
    fingerprint: str
    parsed: Any
    error: str | None
    attempts: int
    tokens_in: int
    tokens_out: int
    tokens_reasoning: int
    tokens_cached: int
    cost: float | None
    latency: float


class AnnotationRow(Row, frozen=True, kw_only=True):
    """A label put on an utterance, claim or game. kind: engine, llm or human. value: of ordinal layers, a number."""

    ann_id: str
    target_id: str
    layer: str
    label: str
    value: float | None
    annotator: str
    kind: str
    guideline_version: str
    confidence: float | None


class DecisionRow(Row, frozen=True, kw_only=True):
    """One ask and its answer, for reliability and for exports: not one of the nine tables. fault: of its calls."""

    game_id: str
    seq: int
    seat: int
    kind: str
    form: str
    fallback: str
    faults: tuple[str, ...]
    calls: int


class Tables(Row, frozen=True, kw_only=True):
    """Everything about one game."""

    game: GameRow
    seats: tuple[SeatRow, ...]
    events: tuple[EventRow, ...]
    utterances: tuple[UtteranceRow, ...]
    claims: tuple[ClaimRow, ...]
    beliefs: tuple[BeliefRow, ...]
    ballots: tuple[BallotRow, ...]
    calls: tuple[CallRow, ...]
    annotations: tuple[AnnotationRow, ...]
    deeds: tuple[DeedRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()


NINE = ("game", "seat", "event", "utterance", "claim", "belief", "ballot", "llm_call", "annotation")


def nine(tables: Tables) -> dict[str, tuple[Row, ...]]:
    """The rows by the schema's table names."""
    return {
        "game": (tables.game,),
        "seat": tables.seats,
        "event": tables.events,
        "utterance": tables.utterances,
        "claim": tables.claims,
        "belief": tables.beliefs,
        "ballot": tables.ballots,
        "llm_call": tables.calls,
        "annotation": tables.annotations,
    }
