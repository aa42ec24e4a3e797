"""Setup and night (procedure.md 1, 2 and 4): steps in the ruleset's order, then the resolution of what was intended."""

from __future__ import annotations

from functools import cache

from engine.events import Deck, Phase, RoleDealt, Step
from engine.facts import Attack, Death
from engine.flow import victory
from engine.flow.deaths import chain
from engine.rule import Flow
from engine.rules.ruleset import roles
from engine.rules.table import Calls
from engine.state import State

OPEN: dict[str, Step] = {}
CLOSE: dict[str, Step] = {}
ATTACKS = {
    "caught": "caught",
    "bite": "bite",
    "extra-bite": "extra-bite",
    "white-bite": "extra-bite",
    "unseen-bite": "extra-bite",
    "knife": "extra-bite",
}
"""Acts that attack, in the order in which they are resolved, and the cause each gives."""
ORDER = {kind: at for at, kind in enumerate(ATTACKS)}


def setup(s: State) -> Flow[None]:
    """The deck is published, each seat sees its card, the first night's own steps run."""
    s.emit(Phase("setup", 0))
    cards = s.setup.deck
    s.emit(Deck(cards))
    for hook in s.on.opens:
        yield from hook()
    for seat in s.seats[1:]:
        s.tell(seat.number, dealt(seat.number, seat.role, seat.camp))
    s.at_once = s.waves
    s.words_quota = sum(count for card, count in cards.items() if roles()[card].wolf_card)
    for hook in s.on.dealt:
        hook()
    for hook in s.on.setup_opens:
        yield from hook()
    yield from steps(s, "setup")


@cache
def dealt(seat: int, role: str, camp: str) -> RoleDealt:
    """The event of one dealt card."""
    return RoleDealt(seat, role, camp)


def night(s: State) -> Flow[None]:
    """One night, to its resolution."""
    s.day += 1
    s.phase, s.announced, s.daylight = "night", False, False
    s.emit(Phase("night", s.day))
    s.acts.clear()
    for hook in s.on.night_begins:
        hook()
    for hook in s.on.night_opens:
        yield from hook()
    yield from steps(s, "night")
    yield from resolve(s)
    victory.check(s, "night")


def steps(s: State, part: str) -> Flow[None]:
    """Call every step whose card is in the published deck, held or not, unless the table calls the living only."""
    dummy = s.opt(Calls).dummy
    for step in s.order[part]:
        if step not in s.steps:
            continue
        play = s.steps[step]
        rule = play.__self__  # type: ignore[attr-defined]  # steps are bound methods of rules, not any callables
        if not (dummy or rule.wakes(step) or any(hook(step) for hook in s.on.pretends)):
            continue
        s.emit(OPEN.get(step) or OPEN.setdefault(step, Step(step, "open")))
        yield from play()
        s.emit(CLOSE.get(step) or CLOSE.setdefault(step, Step(step, "close")))


def resolve(s: State) -> Flow[None]:
    """Attacks, then poison and what else is due; one wave, or one by one where the ruleset resolves at once."""
    deaths: list[Death] = []
    for hook in s.on.converts:
        yield from hook()
    if s.waves:
        victory.check(s, "wave")
    attacks = [act for act in s.acts if act.kind in ATTACKS]
    for act in sorted(attacks, key=lambda act: ORDER[act.kind]) if len(attacks) > 1 else attacks:
        strike(s, Attack(act.target, ATTACKS[act.kind]), deaths)
    for hook in s.on.resolves:
        hook(deaths)
    if s.at_once or s.waves:
        for death in deaths:
            yield from chain(s, [death])
            victory.check(s, "wave")
    elif deaths:
        yield from chain(s, deaths)


def strike(s: State, attack: Attack, deaths: list[Death]) -> None:
    """One attack against all that may shield its target."""
    for hook in s.on.shields:
        verdict = hook(attack)
        if verdict is True:
            return
        if verdict is False:
            break
    struck = next((death for death in deaths if death.seat == attack.target), None)
    if struck is None:
        deaths.append(Death(attack.target, [attack.cause]))
    else:
        struck.causes.append(attack.cause)
