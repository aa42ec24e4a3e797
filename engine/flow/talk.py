"""The day's talk (procedure.md 3.4, rulesets.md 4.3)."""

from __future__ import annotations

from functools import cache

from engine.asks import Answer, Ask, Question, choice_ask, seat_ask, text_ask
from engine.bits import EVERYONE, circle_from
from engine.events import Phase, Said, Side, Summary
from engine.roles.sheriff import SheriffOptions
from engine.rule import Flow
from engine.rules.table import Talk
from engine.state import State

BIDS = ("low", "middle", "high")
"""What a seat may bid for the word; it passes where it has nothing to say."""


def day(s: State) -> Flow[None]:
    """Everybody speaks in order; then the sheriff may call for a seat."""
    s.phase, s.daylight = "day", True
    s.emit(Phase("day", s.day))
    for hook in s.on.day_opens:
        yield from hook()
    for hook in s.on.talks:
        if (yield from hook()):
            break
    else:
        yield from discussion(s)
    if s.sheriff and s.living & ~s.away & 1 << s.sheriff and s.opt(SheriffOptions).summary and not muted(s, s.sheriff):
        yield from summary(s)


def discussion(s: State) -> Flow[None]:
    """Rounds of speeches in the table's order."""
    talk = s.opt(Talk)
    order = yield from speaking_order(s, talk)
    for _ in range(talk.rounds):
        heard = yield from (bidding(s, order) if talk.order == "bid" else once_round(s, order))
        if talk.order in ("free", "bid") and not heard:
            break


def bidding(s: State, order: tuple[int, ...]) -> Flow[bool]:
    """Before each speech all who have not spoken bid for the word, at once and in secret; the highest bid speaks, at a
    tie the next after the last speaker. Where nobody bids the round is over. Returns whether anybody said anything."""
    heard, waiting = False, order
    while waiting := tuple(seat for seat in waiting if s.living >> seat & 1 and not muted(s, seat)):
        answers = yield tuple(choice_ask(seat, "day.bid", BIDS, True) for seat in waiting)
        bids = {seat: BIDS.index(str(answers[seat])) for seat in waiting if answers.get(seat) is not None}
        if not bids:
            break
        at = waiting.index(max(bids, key=lambda seat: bids[seat]))
        heard = (yield from once_round(s, waiting[at : at + 1])) or heard
        waiting = waiting[at + 1 :] + waiting[:at]
    return heard


def once_round(s: State, order: tuple[int, ...]) -> Flow[bool]:
    """Each of these seats speaks once, in turn. Returns whether anybody said anything."""
    heard, muting = False, s.on.speakers
    for seat in order:
        if s.living >> seat & 1 and not (muting and muted(s, seat)):
            answers = yield (speech_ask(s, seat),)
            if seat not in answers:
                continue  # put out while it was asked
            answer = answers[seat]
            if answer is None:
                s.emit(said_nothing(seat, "speech"))
            else:
                heard = True
                yield from heed(s, seat, answer)
    return heard


def muted(s: State, seat: int) -> bool:
    """Whether a rule keeps this seat from speaking now."""
    seats = 1 << seat
    for hook in s.on.speakers:
        seats = hook(seats)
    return not seats


def heed(s: State, seat: int, answer: Answer) -> Flow[None]:
    """A speech, and what follows from it."""
    said, to = (answer.text, answer.to) if isinstance(answer, Question) else (str(answer), None)
    speech = Said(seat, said, "speech", to)
    s.emit(speech)
    yield from spoken(s, speech)


def speech_ask(s: State, seat: int) -> Ask:
    """The ask for a speech, with whom it may question."""
    questioned = 0
    for hook in s.on.answering:
        questioned |= hook(seat)
    return text_ask(seat, "day.speak", EVERYONE, questioned)


@cache
def said_nothing(seat: int, how: str) -> Said:
    """Silence is public too."""
    return Said(seat, "", how)


def spoken(s: State, said: Said) -> Flow[None]:
    """Whatever follows from a speech."""
    for hook in s.on.spoken:
        yield from hook(said)


def summary(s: State) -> Flow[None]:
    """The sheriff calls for a seat; it binds nobody."""
    seat = s.sheriff
    mask = s.living & ~(1 << seat)
    target = (yield [seat_ask(seat, "sheriff.summary", mask, True, EVERYONE)]).get(seat) if mask else None
    s.emit(Summary(target if isinstance(target, int) else None))


def speaking_order(s: State, talk: Talk) -> Flow[tuple[int, ...]]:
    """Who speaks after whom today."""
    sheriff = s.sheriff if s.living & ~s.away & 1 << s.sheriff else 0
    if talk.order == "from-sheriff" and sheriff:
        return circle_from(s.living, sheriff, s.size)
    if talk.order == "sheriff-side" and sheriff:
        answers = yield [choice_ask(sheriff, "sheriff.side", ("left", "right"), True, EVERYONE)]
        if sheriff not in answers:  # put out while it was asked: another may hold the badge now
            return (yield from speaking_order(s, talk))
        side = str(answers[sheriff] or "left")
        s.emit(Side(sheriff, side))
        step = 1 if side == "left" else -1
        return (*circle_from(s.living & ~(1 << sheriff), sheriff, s.size, step), sheriff)
    return circle_from(s.living, anchor(s) % s.size + 1, s.size)


def anchor(s: State) -> int:
    """The night's wolf victim, else its lowest dead, else the last eliminated, else the highest seat."""
    tonight = [death for death in s.deaths if death.night == s.day]
    bitten = [death.seat for death in tonight if death.cause in ("bite", "caught", "extra-bite")]
    if bitten:
        return bitten[0]
    if tonight:
        return min(death.seat for death in tonight)
    return s.deaths[-1].seat if s.deaths else s.size
