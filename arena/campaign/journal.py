"""Models in the seats of a campaign: a question that was answered before is answered from the ledger, free of charge.

A question is known by its game, its seat and its number among this seat's questions. The hash of its place in the game
must agree, else the game did not go as before, and it stops: another answer would be paid for in silence. What was
sent may differ in form (a server was found to need shorter prompts, say); the answer to that place still stands.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextvars import ContextVar
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

import msgspec

from arena.campaign.ledger import Answered, LedgerError
from arena.campaign.limits import Diverged, Gate, Halt, Took
from engine.asks import Ask
from engine.views import View
from judge.lines import ask_key
from players.base import FORKED, Call, Player, Reply
from players.model import Answer, Failure, ModelClient, ModelPlayer

if TYPE_CHECKING:
    from players.model.ability import Rung
    from players.model.fork import Belief

OUTAGES = frozenset({"server-down", "rate-limited", "late", "denied"})
"""Faults without an answer: where an outage pauses, they are asked again after it."""
EXILE = "day.vote"
QUESTION: ContextVar[str] = ContextVar("question", default="")
"""The question being asked. It goes out as Idempotency-Key: a gateway that knows the key may answer from memory."""


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer or a failure, as the ledger keeps it. failure: fault, detail, final, limit."""

    text: str
    rung: str
    calls: tuple[Call, ...]
    failure: tuple[str, str, bool, int | None] | None = None

    def outcome(self) -> Answer | Failure:
        """As the client gave it."""
        if self.failure is not None:
            fault, detail, final, limit = self.failure
            return Failure(fault, detail, self.calls, final, limit)
        return Answer(self.text, cast("Rung", self.rung), self.calls)


Keeper = Callable[[Answered], Awaitable[None]]
"""Puts an answer on the disk, and returns once it is there. Raises LedgerError, Lost."""


class Bench(msgspec.Struct):
    """What all seats of one model share: the client, and what goes out at once and may be spent.

    account: whose cap it is that its answers count for; the model's name without one. probes: whether its seats are
    asked for their beliefs in a fork before they vote. stopping: why nothing more goes
    out; what is under way is waited for and kept. answered: questions paid for.
    """

    client: ModelClient
    gate: Gate
    account: str = ""
    probes: bool = False
    stopping: str = ""
    answered: int = 0


class Bill(msgspec.Struct):
    """What the answers of one game have cost so far, in this attempt."""

    cost: float = 0.0


class SeatClient:
    """A model client for one seat of one game."""

    def __init__(
        self, game: str, seat: int, bench: Bench, known: Iterable[Answered], keep: Keeper, bill: Bill | None = None
    ) -> None:
        """known: the answers that this seat has got before. bill: of its game."""
        self._game, self._seat, self.bench, self._keep = game, seat, bench, keep
        self._bill = bill or Bill()
        self._known = {row.n: row for row in known}
        self._n = 0
        self.place = ""

    def __getattr__(self, name: str) -> Any:
        """All but `ask` is the shared client's own."""
        return getattr(self.bench.client, name)

    async def ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], heard: Callable[[str], None] | None = None
    ) -> Answer | Failure:
        """The answer that is known, else one that is asked for and kept. Raises Halt, Diverged."""
        n, self._n = self._n, self._n + 1
        kept = self._known.get(n)
        if kept is not None:
            if kept.place != self.place:
                raise Diverged(f"question {n} of seat {self._seat} stands elsewhere than when it was answered")
            self._bill.cost += kept.cost
            return msgspec.json.decode(kept.text, type=Kept).outcome()
        return await self._pay(n, messages, schema)

    async def _pay(self, n: int, messages: list[dict[str, str]], schema: dict[str, Any]) -> Answer | Failure:
        bench, end = self.bench, self.bench.client.endpoint
        # The worst that one request can take, a character being a token and a half. What a client's own retries of
        # unreadable answers take on top is settled like the rest, and is all by which a cap can be overrun.
        prompt = sum(len(message["content"]) for message in messages) * 3 // 2
        tokens = prompt + end.max_tokens
        worst = end.price.of(prompt, end.max_tokens, 0) if end.price else 0.0
        account = bench.account or end.model
        async with bench.gate.question(account, tokens, worst) as settle:
            if bench.stopping:
                raise Halt(bench.stopping)
            token = QUESTION.set(f"{self._game}-{self._seat}-{n}")
            try:
                outcome = await bench.client.ask(messages, schema)
            finally:
                QUESTION.reset(token)
            sent = sum(call.tokens_in for call in outcome.calls)
            got = sum(call.tokens_out for call in outcome.calls)
            cached = sum(call.tokens_cached for call in outcome.calls)
            price = end.price.of(sent, got, cached) if end.price else 0.0
            limited = sum(call.fault == "rate-limited" for call in outcome.calls)
            rest = bench.client.resting if limited else 0.0
            settle(Took(sent + got, price, len(outcome.calls), limited, rest))
        if isinstance(outcome, Failure) and outcome.fault in OUTAGES and end.outage == "pause":
            self._n = n  # asked again, under the same number, when the server is back
            return outcome
        row = Answered(
            self._game, self._seat, n, self.place, _digest(messages), account, len(outcome.calls), sent, got, price,
            msgspec.json.encode(_kept(outcome)),
        )  # fmt: skip
        try:
            await self._keep(row)
        except LedgerError as error:
            bench.stopping = str(error)  # nothing more is paid for that cannot be kept
            raise Halt(str(error)) from error
        bench.answered += 1
        self._bill.cost += price
        return outcome


class CampaignPlayer(ModelPlayer):
    """A model in a seat of a campaign: one question after another, so that their numbers are the same in every run."""

    early = False

    def __init__(self, client: SeatClient, seed: int, persona: str) -> None:
        super().__init__(cast(ModelClient, client), seed, persona=persona)
        self._seat_client = client

    async def reply(self, view: View, ask: Ask, offers: tuple[Ask, ...]) -> Reply:
        """Answer one ask. Raises Halt, Diverged, EndpointError."""
        self._seat_client.place = f"{len(view.events)}:{ask_key(ask)}"
        probed = await self._probe(view) if self._seat_client.bench.probes and ask.kind == EXILE else None
        reply = await super().reply(view, ask, offers)
        if probed is None:
            return reply
        # What was asked beside the game is told with the vote that follows it; a probe without an answer is no belief.
        return msgspec.structs.replace(
            reply, beliefs=probed.p_wolf, calls=(*probed.calls, *reply.calls), flags=(*reply.flags, FORKED)
        )

    async def _probe(self, view: View) -> Belief:
        from players.model.fork import probe

        return await probe(self, view)


def seat_models(
    players: dict[int, Player], specs: dict[int, str], seeds: dict[int, int], benches: Mapping[int, Bench],
    game: str, known: Iterable[Answered], keep: Keeper, bill: Bill,
) -> None:  # fmt: skip
    """Put models that are answered from the ledger into the seats whose specs say `model`. benches: by seat."""
    rows = list(known)
    for seat, spec in specs.items():
        kind, _, persona = spec.partition(":")
        if kind == "model":
            client = SeatClient(game, seat, benches[seat], (row for row in rows if row.seat == seat), keep, bill)
            player = CampaignPlayer(client, seeds[seat], persona)
            player.spec = spec
            players[seat] = player


def _kept(outcome: Answer | Failure) -> Kept:
    if isinstance(outcome, Failure):
        return Kept("", "", outcome.calls, (outcome.fault, outcome.detail, outcome.final, outcome.limit))
    return Kept(outcome.text.encode("utf-8", "replace").decode(), outcome.rung, outcome.calls)


def _digest(messages: list[dict[str, str]]) -> str:
    return sha256(msgspec.json.encode(messages)).hexdigest()[:16]
