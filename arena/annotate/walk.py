"""From a game record to its tables: one replay, in which every ask is judged at the moment it was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from typing import Any

import msgspec

from arena.annotate.acts import acts_of
from arena.annotate.deeds import deed_of
from arena.annotate.knowledge import Deeds, Knower
from arena.annotate.tables import (
    AnnotationRow,
    BallotRow,
    BeliefRow,
    CallRow,
    ClaimRow,
    DecisionRow,
    DeedRow,
    Method,
    Source,
    UtteranceRow,
)
from arena.annotate.truth import belief_in, factive, knowledge_of, label_of, proposition, truth_of
from engine.asks import Question
from engine.bits import EVERYONE, seats_of
from engine.game import Game
from engine.roles.kin import KinTalk
from engine.roles.werewolf import PackTalk
from judge.lines import Asked, DecisionLine
from judge.record import Record
from players.base import FORKED, Claim
from players.builtin.listen import listen

GUIDELINE = "1"
ANNOTATOR = "tianhei-engine"
EXILE = "day.vote"
PUBLIC_TALK = frozenset(
    {"day.speak", "election.speak", "day.plea", "dead.last-words", "punishment.plea", "day.interject"}
)
FLOOR = 1e-6  # a joint of beliefs gives no wolf set less


class Walk:
    """Replays one record and gathers its rows."""

    def __init__(self, record: Record, game_id: str) -> None:
        """Raises SetupError."""
        self.record, self.id = record, game_id
        self.game = Game(record.header.setup)
        self.kinds = {sitter.seat: sitter.kind for sitter in record.header.players}
        self.deeds = Deeds()
        self.knowers: dict[int, Knower] = {}
        self.latest: dict[int, dict[int, float]] = {}
        self.claimed: dict[int, str] = {}
        self.told: dict[int, set[int]] = {}
        self.order: Counter[tuple[str, int]] = Counter()
        self.utterances: list[UtteranceRow] = []
        self.claims: list[ClaimRow] = []
        self.beliefs: list[BeliefRow] = []
        self.ballots: list[BallotRow] = []
        self.calls: list[CallRow] = []
        self.deed_rows: list[DeedRow] = []
        self.decisions: list[DecisionRow] = []
        self.annotations: list[AnnotationRow] = []
        self._rounds: Counter[int] = Counter()

    def run(self) -> None:
        """Replay to the end. Raises IllegalAnswer where the record does not fit the rules."""
        for line in self.record.lines:
            if isinstance(line, DecisionLine):
                self._decision(line)

    # -- one decision

    def _decision(self, line: DecisionLine) -> None:
        game = self.game
        truth = game.truth
        camps = {here.camp for here in truth.seats[1:]}
        self.deeds.read(game.events, game.audiences, bool(camps - {"village", "wolves"}))
        asked = [*line.asked, *([line.reaction] if line.reaction else [])]
        votes = [one for one in asked if one.ask.kind == EXILE]
        before = len(game.events)
        for one in [*asked, *line.aside]:
            if one.ask.seat:
                self._beliefs(one, before)
                self._calls(one, before)
        for one in asked:
            if one.ask.seat and (deed := deed_of(game, one, self.id)):
                self.deed_rows.append(deed)
        if votes:
            self._rounds[truth.day] += 1
            for one in votes:
                self._ballot(one, before)
        talk = [self._judged(one) for one in asked if one.ask.seat and one.ask.form == "text" and not one.reaction]
        game.apply(line.decision())
        for told in talk:
            self._utterance(told, before)

    def knower(self, seat: int) -> Knower:
        """What a seat knows for certain; 0 is the public."""
        view = self.game.view(seat or None)
        found = self.knowers.get(seat)
        if found is None:
            found = self.knowers[seat] = Knower(view)
        return found

    def team(self, seat: int) -> str:
        """wolves or village, as the seat counts now."""
        return "wolves" if self.game.truth.wolf_seats >> seat & 1 else "village"

    # -- beliefs and calls

    def _beliefs(self, one: Asked, seq: int) -> None:
        if not one.beliefs:
            return
        seat, game = one.ask.seat, self.game
        size, alive = game.setup.size, game.view(seat).alive
        known = self.knower(seat).posterior()
        given = {other: min(1.0, max(0.0, p)) for other, p in one.beliefs.items() if 1 <= other <= size}
        self.latest[seat] = given
        me = 1.0 if known.wolf[seat] > 0.5 else 0.0
        p_wolf = tuple(me if other == seat else given.get(other) for other in range(1, size + 1))
        wolves = frozenset(seats_of(game.truth.wolf_seats))
        living = [other for other in alive if other != seat and other in given]
        intent = max(living, key=lambda other: (given[other], -other), default=None)
        asked: Method = "fork" if FORKED in one.flags else "inline"
        method: Method = "bot" if self.kinds.get(seat) in ("builtin", "random", "scripted") else asked
        hard = known.sets.get(wolves, 0.0)
        self.beliefs.append(
            BeliefRow(
                game_id=self.id,
                seq=seq,
                observer=seat,
                team=self.team(seat),
                day=game.truth.day,
                method=method,
                p_wolf=p_wolf,
                hard_p_wolf=tuple(known.wolf[other] for other in range(1, size + 1)),
                wolf=tuple(other in wolves for other in range(1, size + 1)),
                alive=alive,
                joint_bits=_joint_bits(p_wolf, known.sets, wolves) if hard else None,
                hard_bits=log2(hard) if hard else None,
                vote_intent=intent,
            )
        )

    def _calls(self, one: Asked, seq: int) -> None:
        seat, calls = one.ask.seat, one.calls
        for at, call in enumerate(calls):
            number = len(self.calls)
            self.calls.append(
                CallRow(
                    call_id=f"{self.id}:c{number}",
                    game_id=self.id,
                    call_seq=number,
                    seat=seat,
                    purpose=one.ask.kind,
                    request_hash=call.request,
                    template_hash="",
                    response=call.response,
                    model_returned=call.model,
                    fingerprint="",
                    parsed=None,
                    error=call.fault or call.error or None,
                    attempts=at + 1,
                    tokens_in=call.tokens_in,
                    tokens_out=call.tokens_out,
                    tokens_reasoning=0,
                    tokens_cached=call.tokens_cached,
                    cost=None,
                    latency=call.latency,
                )
            )
        faults = tuple(call.fault for call in calls if call.fault)
        self.decisions.append(
            DecisionRow(
                game_id=self.id,
                seq=seq,
                seat=seat,
                kind=one.ask.kind,
                form=one.ask.form,
                fallback=one.fallback,
                faults=faults,
                calls=len(calls),
            )
        )

    # -- votes

    def _ballot(self, one: Asked, seq: int) -> None:
        voter, truth = one.ask.seat, self.game.truth
        legal = tuple(seat for seat in one.ask.targets if seat != voter)
        h = self.knower(voter).posterior().wolf
        target = one.answer if isinstance(one.answer, int) and not isinstance(one.answer, bool) else None
        wolves = truth.wolf_seats
        self.ballots.append(
            BallotRow(
                game_id=self.id,
                seq=seq,
                day=truth.day,
                round=self._rounds[truth.day],
                voter=voter,
                team=self.team(voter),
                target=target,
                weight=1.0,
                legal=legal,
                chance=sum(wolves >> seat & 1 for seat in legal) / len(legal) if legal else 0.0,
                chance_hard=sum(h[seat] for seat in legal) / len(legal) if legal else 0.0,
                hit=bool(target and wolves >> target & 1),
                valid=not any(call.fault == "illegal" for call in one.calls) and not one.fallback,
                fallback=bool(one.fallback),
            )
        )

    # -- talk

    def _judged(self, one: Asked) -> Told:
        """An utterance with its claims, judged before it is heard."""
        seat, game = one.ask.seat, self.game
        said = one.checked
        text = said.text if isinstance(said, Question) else said if isinstance(said, str) else ""
        view = game.view(seat)
        public = one.ask.kind in PUBLIC_TALK or one.ask.seen == EVERYONE
        declared = bool(one.claims)
        claims = one.claims
        source: Source = "declared"
        if not declared and text and self.kinds.get(seat) in ("human", "model", "remote"):
            claims, source = listen(text, seat, game.setup.size, view.day), "extracted"
        knower = self.knower(seat)
        rows: list[ClaimRow] = []
        disclosed: set[int] = set()
        for claim in claims:
            meant = proposition(claim)
            truth = truth_of(meant, game.truth, self.deeds)
            knowledge = factive(truth, knowledge_of(meant, seat, knower, self.deeds))
            belief = belief_in(meant, self.latest.get(seat, {}))
            rows.append(self._claim(claim, seat, source, truth, knowledge, label_of(truth, knowledge, belief), belief))
            if truth == "true" and meant.kind in ("wolf", "deed") and knowledge == "entailed_true":
                disclosed.add(meant.target or meant.seat)
        held = self._held(seat) if public else set()
        acts = acts_of(text, claims, self._rivals())
        turn = Told(seat, text, acts, public, one, rows, bool(held), bool(held) and not held & disclosed)
        if public:
            self.told.setdefault(seat, set()).update(disclosed)
            for claim in claims:
                if claim.act == "claim-role" and not claim.negated and claim.value and claim.subject == seat:
                    self.claimed[seat] = claim.value
        return turn

    def _claim(
        self, claim: Claim, seat: int, source: Source, truth: Any, knowledge: Any, label: Any, belief: float | None
    ) -> ClaimRow:
        return ClaimRow(
            claim_id="",
            utt_id="",
            game_id=self.id,
            seq=0,
            speaker=seat,
            team=self.team(seat),
            source=source,
            act=claim.act,
            subject=claim.subject,
            target=claim.target,
            about_day=claim.about,
            value=claim.value,
            negated=claim.negated,
            hedge=None,
            span=None,
            truth=truth,
            knowledge=knowledge,
            label=label,
            belief_at=belief,
            day=self.game.truth.day,
            public=False,
        )

    def _held(self, seat: int) -> set[int]:
        """Living seats whose side this seat knows for certain, the public does not, and it has not told."""
        mine, public = self.knower(seat), self.knower(0)
        return {
            other
            for other in self.game.public.alive
            if other != seat
            and other not in self.told.get(seat, ())
            and mine.side(other) is not None
            and public.side(other) is None
        }

    def _rivals(self) -> dict[int, str]:
        alive = self.game.public.alive
        return {seat: card for seat, card in self.claimed.items() if seat in alive}

    def _utterance(self, told: Told, before: int) -> None:
        game = self.game
        seq, channel = _heard(game, told, before)
        phase = game.view(told.seat).phase
        self.order[(phase, game.truth.day)] += 1
        utt_id = f"{self.id}:u{len(self.utterances)}"
        calls = told.asked.calls
        self.utterances.append(
            UtteranceRow(
                utt_id=utt_id,
                game_id=self.id,
                seq=seq,
                seat=told.seat,
                team=told.claims[0].team if told.claims else self.team(told.seat),
                day=game.truth.day,
                phase=told.asked.ask.kind,
                channel=channel,
                text=told.text,
                lang=game.setup.lang,
                order_in_phase=self.order[(phase, game.truth.day)],
                acts=told.acts,
                holds=told.holds,
                hides=told.hides,
                declared_intent=None,
                reasoning_text=told.asked.reasoning or None,
                trace_kind="summary" if told.asked.reasoning else "none",
                call_id=self.calls[-1].call_id if calls and self.calls else None,
            )
        )
        if told.hides:
            self._annotate(utt_id, "OMISSION")
        for row in told.claims:
            claim_id = f"{self.id}:k{len(self.claims)}"
            row = msgspec.structs.replace(row, claim_id=claim_id, utt_id=utt_id, seq=seq, public=told.public)
            self.claims.append(row)
            self._annotate(claim_id, row.label)

    def _annotate(self, target: str, label: str) -> None:
        self.annotations.append(
            AnnotationRow(
                ann_id=f"{self.id}:a{len(self.annotations)}",
                target_id=target,
                layer="truth",
                label=label,
                value=None,
                annotator=ANNOTATOR,
                kind="engine",
                guideline_version=GUIDELINE,
                confidence=1.0,
            )
        )


class Told(msgspec.Struct, frozen=True):
    """An utterance before it is heard."""

    seat: int
    text: str
    acts: tuple[str, ...]
    public: bool
    asked: Asked
    claims: list[ClaimRow]
    holds: bool
    hides: bool


def _heard(game: Game, told: Told, before: int) -> tuple[int, str]:
    """The event in which the others heard it, and in which circle."""
    for seq in range(before, len(game.events)):
        event = game.events[seq]
        if getattr(event, "seat", None) == told.seat and getattr(event, "text", None) is not None:
            channel = "wolves" if isinstance(event, PackTalk) else "kin" if isinstance(event, KinTalk) else "public"
            return seq, channel if game.audiences[seq] != EVERYONE else "public"
    return before, "public" if told.public else "private"


def _joint_bits(p_wolf: Sequence[float | None], sets: Any, wolves: frozenset[int]) -> float | None:
    """log2 of the probability that marginals give the true set: independent seats, conditioned on the possible sets."""
    if any(p is None for p in p_wolf):
        return None
    odds = [min(1 - FLOOR, max(FLOOR, p or 0.0)) for p in p_wolf]
    total = mine = 0.0
    for chosen in sets:
        weight = 1.0
        for seat, p in enumerate(odds, 1):
            weight *= p if seat in chosen else 1 - p
        total += weight
        mine = weight if chosen == wolves else mine
    return log2(mine / total) if total and mine else None
