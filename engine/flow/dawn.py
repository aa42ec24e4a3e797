"""Dawn (procedure.md 3.2): the night's dead, their reactions, the badge, last words."""

from __future__ import annotations

from engine.asks import text_ask
from engine.bits import EVERYONE, seats_of
from engine.events import Dawn, Phase, Said, Yesterday
from engine.facts import Death
from engine.flow import victory
from engine.flow.deaths import reactions, show_card
from engine.rule import Flow
from engine.rules.table import Announce, LastWords
from engine.state import State


def dawn(s: State) -> Flow[None]:
    """The whole phase."""
    before = len(s.deaths)
    opens(s)
    yield from shots(s)
    victory.check(s, "dawn")
    deaths = [death for death in s.deaths[:before] if death.night == s.day] + s.deaths[before:]
    for hook in s.on.after_chain:
        yield from hook(deaths)
    s.daylight = True
    yield from last_words(s, deaths)
    for hook in s.on.morning:
        yield from hook()


def opens(s: State) -> None:
    """The phase begins: all fallen in one event, cards by option, then what else dawn tells."""
    s.phase, s.announced = "dawn", True
    s.emit(Phase("dawn", s.day))
    for hook in s.on.dawn_breaks:
        hook()
    announce = s.opt(Announce)
    fallen, s.fallen = s.fallen, 0
    tonight = [death for death in s.deaths if death.night == s.day]
    told = announce.cause == "grief"
    grief = tuple((d.seat, d.after.seat) for d in tonight if told and d.cause == "grief" and d.after)
    s.emit(Dawn(seats_of(fallen), grief))
    for death in sorted(tonight, key=lambda d: d.seat):
        show_card(s, death)
    if announce.yesterday and s.day > 1:
        s.emit(Yesterday(tuple(sorted(d.seat for d in s.deaths if d.by_day == s.day - 1))))
    for hook in s.on.dawns:
        hook()


def shots(s: State) -> Flow[None]:
    """Reactions that the night kept, by ascending seat."""
    waiting, s.pending = sorted(s.pending, key=lambda d: d.seat), []
    if waiting:
        yield from reactions(s, waiting)


def last_words(s: State, deaths: list[Death]) -> Flow[None]:
    """Once more, in the order of elimination, for those with the right."""
    for death in deaths:
        if not may_speak(s, death) or any(hook(death) for hook in s.on.buries):
            continue
        text = (yield [text_ask(death.seat, "dead.last-words", EVERYONE)]).get(death.seat)
        s.words_spent += 1  # waived is gone too
        s.emit(Said(death.seat, str(text or ""), "words"))


def may_speak(s: State, death: Death) -> bool:
    """The right to last words (rulesets.md 3.1): a griever's follows the death that carried it."""
    words = s.opt(LastWords)
    if death.cause == "grief" and death.after is not None:
        return may_speak(s, death.after)
    if death.cause == "shot" and death.after is not None:
        return words.shot and may_speak(s, death.after)
    if death.cause == "explode":
        return words.explode
    if death.night:
        return may_after_night(s, words, death)
    if words.vote == "quota":
        return death.cause != "ruling" and s.words_spent < s.words_quota
    return words.vote == "yes" and death.cause in ("vote", "scapegoat")


def may_after_night(s: State, words: LastWords, death: Death) -> bool:
    """The right of a seat that fell in the night."""
    if words.night == "quota":
        return s.words_spent < s.words_quota
    if words.night == "no" or death.night > 1:
        return False
    return words.poison or "poison" not in death.causes
