"""The election of the sheriff (procedure.md 3.3)."""

from __future__ import annotations

from typing import cast

from engine.asks import flag_ask, named, seat_ask, text_ask
from engine.bits import EVERYONE, mask_of, seats_of
from engine.events import Candidates, ElectionCount, ElectionVoid, Phase, Said
from engine.flow.talk import spoken
from engine.roles.sheriff import ElectionOptions, SheriffOffice
from engine.rule import Flow
from engine.state import State


def election(s: State) -> Flow[None]:
    """An election, if one is due today."""
    office = cast("SheriffOffice | None", s.rules.get("sheriff"))
    opt = s.opt(ElectionOptions)
    if office is None or not office.due or s.day < office.day:
        return
    yield from hold(s, office, opt)
    for hook in s.on.elected:
        yield from hook()


def hold(s: State, office: SheriffOffice, opt: ElectionOptions, barred: int = 0) -> Flow[None]:
    """The election itself. barred: seats that may vote but not be elected."""
    s.phase, s.daylight = "election", True
    s.emit(Phase("election", s.day))
    for hook in s.on.elects:
        if (yield from hook(barred)):
            return
    yield from usual(s, office, opt, barred)


def usual(s: State, office: SheriffOffice, opt: ElectionOptions, barred: int) -> Flow[None]:
    """Candidacies, speeches, withdrawals, ballots."""
    free = s.narrowed("election.stand", 0, s.present & ~barred & ~s.away)
    stood = free if opt.candidates == "everyone" else (yield from stand(s, free))
    running = stood
    if opt.candidates == "volunteers":
        if opt.voters == "non-candidates" and stood == s.present:
            return undecided(s, office, opt)
        if stood.bit_count() > 1:
            yield from speeches(s, stood, "election")
            running = stood & s.present
            running = (yield from withdraw(s, running)) if opt.withdraw else running
    if running.bit_count() <= 1:
        if running:
            office.take_office(seats_of(running)[0])
        else:
            undecided(s, office, opt)
        return
    yield from ballot(s, office, opt, running, s.present if opt.voters == "all" else s.present & ~stood)


def stand(s: State, seats: int) -> Flow[int]:
    """Who of these wants the badge, all at once."""
    asks = [flag_ask(seat, "election.stand", seen=EVERYONE) for seat in seats_of(seats)]
    answers = (yield asks) if asks else {}
    stood = mask_of([seat for seat, answer in answers.items() if answer])
    s.emit(Candidates(seats_of(stood)))
    return stood


def withdraw(s: State, stood: int) -> Flow[int]:
    """Who stays, after the speeches."""
    answers = yield [flag_ask(seat, "election.withdraw", seen=EVERYONE) for seat in seats_of(stood)]
    running = stood & ~mask_of([seat for seat, answer in answers.items() if answer])
    if running != stood:
        s.emit(Candidates(seats_of(running)))
    return running


def speeches(s: State, seats: int, how: str) -> Flow[None]:
    """The candidates speak in seat order."""
    for seat in seats_of(seats):
        if s.present >> seat & 1:
            answers = yield [text_ask(seat, "election.speak", EVERYONE)]
            if seat in answers:
                said = Said(seat, str(answers[seat] or ""), how)
                s.emit(said)
                yield from spoken(s, said)


def ballot(s: State, office: SheriffOffice, opt: ElectionOptions, running: int, voters: int) -> Flow[None]:
    """Ballots, a revote among the tied where the table has one, and the result."""
    revotes = 1 if opt.tie == "revote-then-next-day" else 0
    while True:
        tied = yield from count(s, running, voters)
        if tied.bit_count() == 1:
            office.take_office(seats_of(tied)[0])
            return
        if not revotes:
            return undecided(s, office, opt)
        revotes -= 1
        s.emit(ElectionVoid("again"))
        yield from speeches(s, tied, "election")
        running = tied & s.present
        if running.bit_count() <= 1:
            return office.take_office(seats_of(running)[0]) if running else undecided(s, office, opt)


def count(s: State, running: int, voters: int) -> Flow[int]:
    """One ballot. Returns the seats with the most votes; all candidates if nobody voted."""
    asks = [
        seat_ask(voter, "election.vote", mask, True, EVERYONE)
        for voter in seats_of(voters & s.present)
        if (mask := running & ~(1 << voter))
    ]
    ballots = named((yield asks)) if asks else {}
    totals: dict[int, int] = {}
    for target in ballots.values():
        if target is not None:
            totals[target] = totals.get(target, 0) + 1
    s.emit(ElectionCount(ballots, dict(sorted(totals.items()))))
    most = max(totals.values(), default=0)
    return mask_of([seat for seat, got in totals.items() if got == most]) if totals else running & s.present


def undecided(s: State, office: SheriffOffice, opt: ElectionOptions) -> None:
    """No result: the office is lost, or the election is held again next day."""
    if opt.tie == "none-for-the-game":
        s.emit(ElectionVoid("lost"))
        office.leave_for_good()
    else:
        s.emit(ElectionVoid("next-day"))
