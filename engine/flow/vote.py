"""The exile vote (procedure.md 3.5), in the order V1 to V9."""

from __future__ import annotations

from engine.asks import choice_ask, named, seat_ask, text_ask
from engine.bits import EVERYONE, circle_from, mask_of, seats_of
from engine.events import Ballots, NoElimination, OpenBallot, Phase, Said, Tie
from engine.facts import HALVES, Death, Tally
from engine.flow import victory
from engine.flow.dawn import last_words
from engine.flow.deaths import chain
from engine.flow.talk import anchor, muted
from engine.rule import Flow
from engine.rules.table import Vote
from engine.state import State

BALLOT = -1
"""What a rule's own procedure returns for: the table's ballot, whatever other rules hold in its place."""


def vote(s: State) -> Flow[None]:
    """The whole phase."""
    for hook in s.on.day_ends:
        yield from hook()
    s.phase, s.daylight = "vote", True
    s.emit(Phase("vote", s.day))
    for hook in s.on.vote_opens:
        yield from hook()
    before = len(s.deaths)
    first = True
    while True:
        condemned = yield from outcome(s, first)
        first = False
        if condemned:
            yield from execute(s, condemned)
        if not (s.on.again and (yield from another(s, s.deaths[before:]))):
            break
    for hook in s.on.dusk:
        yield from hook(s.deaths[before:])


def another(s: State, deaths: list[Death]) -> Flow[bool]:
    """V10: whether a rule has a further vote held at once."""
    for hook in s.on.again:
        if (yield from hook(deaths)):
            return True
    return False


def outcome(s: State, first: bool) -> Flow[list[Death]]:
    """Who is condemned, and not spared (V1 to V5): by ballot, or by what a rule holds in its place."""
    condemned = (yield from procedure(s, first)) if s.on.procedure else None
    if condemned is None:
        return (yield from by_ballot(s, first))
    s.daylight = False
    deaths = [Death(seat, ["vote"]) for seat in seats_of(condemned)]
    return (yield from unspared(s, deaths))


def procedure(s: State, first: bool) -> Flow[int | None]:
    """A rule's own way of condemning: the mask of the condemned, or None where the ballot stands."""
    for hook in s.on.procedure:
        condemned: int | None = yield from hook(first)
        if condemned is not None:
            return condemned if condemned >= 0 else None
    return None


def unspared(s: State, deaths: list[Death]) -> Flow[list[Death]]:
    """The condemned whom nothing spares, in seat order."""
    out = []
    for death in deaths:
        for hook in s.on.condemned:
            if (yield from hook(death)):
                break
            if death.cause != "vote":  # another dies in its place, and nothing more is asked
                out.append(death)
                break
        else:
            out.append(death)
    return out


def by_ballot(s: State, first: bool) -> Flow[list[Death]]:
    """Ballots, count, tie."""
    tally = yield from ballot(s, s.living, s.living, first)
    s.daylight = False
    top = leaders(tally)
    if not top:
        s.emit(NoElimination("no-votes"))
        return []
    if top.bit_count() > 1:
        settled = yield from untie(s, top, tally)
        if settled is None or settled.cause != "vote":
            return [settled] if settled else []
        top = 1 << settled.seat
    return (yield from unspared(s, [Death(seats_of(top)[0], ["vote"])]))


def execute(s: State, condemned: list[Death]) -> Flow[None]:
    """Elimination with its chain, the win check, then ban, badge and last words (V6 to V9)."""
    deaths = yield from chain(s, condemned)
    for hook in s.on.executed:
        hook(deaths)
    victory.check(s, "vote")
    for hook in s.on.after_chain:
        yield from hook(deaths)
    yield from last_words(s, deaths)


def ballot(s: State, voters: int, targets: int, first: bool = False) -> Flow[Tally]:
    """One ballot, all at once, counted and shown (V1, V2)."""
    opt = s.opt(Vote)
    for hook in s.on.votes:
        voters = hook(voters)
    before = (yield from ballots_before(s, voters, targets)) if s.on.votes_first else {}
    if before:  # open ballots take time, and somebody may have been put out meanwhile
        voters &= s.living & ~mask_of(tuple(before))
        targets &= s.living
    bound = bound_to_vote(s, voters) if s.on.abstains else 0
    own, abstain, seen, asks = opt.self, opt.abstain, EVERYONE if opt.open else 0, []
    for voter in seats_of(voters):
        mask = s.narrowed("day.vote", voter, targets if own else targets & ~(1 << voter))
        if mask:
            asks.append(seat_ask(voter, "day.vote", mask, abstain and not bound >> voter & 1, seen))
    ballots = named((yield asks)) if asks else {}
    tally = Tally(dict(sorted({**before, **ballots}.items())) if before else ballots, first=first)
    for hook in s.on.tallies:
        hook(tally)
    totals = {seat: half / HALVES if half % HALVES else half // HALVES for seat, half in tally.count().items()}
    voids = tuple(sorted(tally.voids))
    s.emit(Ballots(tally.ballots, voids, totals) if opt.open else Ballots({}, (), totals))
    return tally


def bound_to_vote(s: State, voters: int) -> int:
    """Who of these may not abstain, whatever the table allows."""
    free = voters
    for hook in s.on.abstains:
        free &= hook(voters)
    return voters & ~free


def ballots_before(s: State, voters: int, targets: int) -> Flow[dict[int, int | None]]:
    """The ballots of those who vote alone and openly before the others."""
    opt, given = s.opt(Vote), dict[int, int | None]()
    for hook in s.on.votes_first:
        for voter in circle_from(hook(voters) & ~mask_of(tuple(given)), s.first_open, s.size):
            targets &= s.living
            mask = s.narrowed("day.vote", voter, targets if opt.self else targets & ~(1 << voter))
            if mask and s.living >> voter & 1:
                free = opt.abstain and not bound_to_vote(s, 1 << voter)
                answer = (yield [seat_ask(voter, "day.vote", mask, free, EVERYONE)]).get(voter)
                given[voter] = answer if isinstance(answer, int) else None
                s.emit(OpenBallot(voter, given[voter]))
    return given


def leaders(tally: Tally) -> int:
    """Mask of the seats with the most votes, 0 if there are none."""
    totals = tally.totals
    most = max(totals.values(), default=0)
    return mask_of([seat for seat, got in totals.items() if got == most]) if most else 0


def untie(s: State, tied: int, tally: Tally) -> Flow[Death | None]:
    """V3: a rule that dies for the tie, else the table's own way (rulesets.md 4.1)."""
    s.emit(Tie(seats_of(tied)))
    for hook in s.on.tied:
        death: Death | None = yield from hook(tied, tally)
        if death is not None:
            return death
    opt = s.opt(Vote)
    seat = 0
    if opt.tie in ("revote", "revote-until-out"):
        seat = yield from revote(s, opt, tied)
    elif opt.tie == "sheriff-side":
        choice = 0 if s.sheriff in tally.voids else tally.ballots.get(s.sheriff) or 0
        seat = choice if tied >> choice & 1 else 0
    elif opt.tie == "sheriff-decides" and s.living >> s.sheriff & 1 and s.sheriff:
        seat = yield from break_tie(s, tied)
    if seat:
        return Death(seat, ["vote"])
    s.emit(NoElimination("tie"))
    return None


def break_tie(s: State, tied: int) -> Flow[int]:
    """The sheriff picks one of the tied or voids the vote."""
    ask = choice_ask(s.sheriff, "sheriff.break-tie", ("void",), False, EVERYONE)
    ask = type(ask)(ask.seat, ask.kind, "seat", tied, ask.choices, False, 1, 1, EVERYONE)
    answer = (yield [ask]).get(s.sheriff)
    return answer if isinstance(answer, int) else 0


def revote(s: State, opt: Vote, tied: int) -> Flow[int]:
    """The tied speak once in turn, then a ballot among them; 0 when it stays tied."""
    in_turn = opt.tie == "revote-until-out"
    for _ in range(opt.revotes):
        for seat in circle_from(tied, anchor(s) % s.size + 1, s.size) if in_turn else seats_of(tied):
            if s.on.speakers and muted(s, seat):
                continue
            text = (yield [text_ask(seat, "day.plea", EVERYONE)]).get(seat)
            s.emit(Said(seat, str(text or ""), "plea"))
        voters = s.living & ~tied if opt.revote_voters == "untied" and s.living & ~tied else s.living
        tally = yield from ballot(s, voters, tied)
        top = leaders(tally)
        if top.bit_count() == 1:
            return seats_of(top)[0]
        if top:
            tied = top
            s.emit(Tie(seats_of(tied)))
    return 0
