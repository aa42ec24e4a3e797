"""The tables of asks and events of the rulebook's page on the procedure, held against many random games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from engine.asks import Ask
from engine.events import Event
from engine.game import Game
from engine.rules.ruleset import roles, ruleset_ids
from engine.setup import Setup, deal
from tests.engine.tables import random_setup, step
from tests.engine.test_rulesets import NONE, TABLE

GAMES = 60  # per ruleset; enough for every kind to come, in some ten seconds

OTHER_PAGES = {"gypsy", "deputy", "arsonist", "rumour-monger", "farmer"}
"""Cards of New Moon and the Village, whose asks have pages of their own."""

YES, NO, OPTION = "may pass", "may not pass", "as the table says"

ASKS = {
    "judge.clans": ("seats", YES), "judge.actor-cards": ("names", YES), "judge.girl-noticed": ("flag", NO),
    "judge.cupid-slip": ("flag", YES), "judge.red-card": ("seat", NO), "thief.swap": ("choice", NO),
    "cupid.link": ("seats", OPTION), "hybrid.support": ("seat", NO), "wild-child.model": ("seat", NO),
    "dog-wolf.side": ("choice", NO), "prejudiced.clan": ("choice", NO), "stuttering-judge.agree": ("text", YES),
    "actor.take": ("choice", YES), "sisters.talk": ("text", YES), "brothers.talk": ("text", YES),
    "guard.protect": ("seat", OPTION), "guard.soundproof": ("seat", YES), "bodyguard.protect": ("seat", OPTION),
    "piper.charm": ("seat seats", OPTION), "little-girl.peek": ("flag", YES), "werewolf.talk": ("text", YES),
    "werewolf.bite": ("seat", OPTION), "werewolf.catch": ("choice", NO), "infecting-wolf.infect": ("seat", YES),
    "big-bad-wolf.bite": ("seat", YES), "white-wolf.bite": ("seat", YES), "widow-knife.bite": ("seat", YES),
    "seer.check": ("seat", YES), "fox.sniff": ("seat", YES), "witch.antidote": ("flag seat", YES),
    "witch.poison": ("seat", YES), "raven.curse": ("seat", YES), "hunter.shoot": ("seat", YES),
    "sheriff.heir": ("seat", OPTION), "scapegoat.ban": ("seats", YES), "dead.last-words": ("text", YES),
    "election.stand": ("flag", YES), "election.speak": ("text", YES), "election.withdraw": ("flag", YES),
    "election.vote": ("seat", YES), "sheriff.side": ("choice", YES), "day.speak": ("text", YES),
    "charmed.gesture": ("choice", YES), "day.interject": ("text", NO), "sheriff.summary": ("seat", YES),
    "day.vote": ("seat", OPTION), "day.plea": ("text", YES), "sheriff.break-tie": ("seat", NO),
    "idiot.reveal": ("flag", YES), "devoted-servant.take": ("flag", YES), "stuttering-judge.sign": ("flag", YES),
    "witch.dusk-antidote": ("seat", YES), "witch.dusk-poison": ("seat", YES), "werewolf.explode": ("flag", NO),
}  # fmt: skip
"""Part 7: kind -> form, and whether it may be passed."""

EVENTS = {
    "all": """deck phase step clans actor.cards high-villager dawn revealed dawn.yesterday infected charmed.named
        raven.cursed bear.growl village.powerless said election.candidates election.count sheriff badge.gone summary
        ballots tie no-elimination second-vote shot banned servant exploded ruling returned over""",
    "one seat": """role.dealt role.now thief.cards cupid.linked lovers.link seer.result medium.result fox.result
        witch.victims infected.you wild-child.turned powerless hunter.blocked little-girl.saw""",
    "some seats": """pack.meet pack.join sisters.meet brothers.meet masons.meet pack.talk pack.ballot pack.bite
        girl.noticed charmed.you charmed.circle""",
}
"""Part 8: audience -> kinds. `eliminated` and `intent` have tests of their own."""


def setups() -> Iterator[Setup]:
    """Random tables with values of other rulesets mixed in, and the fullest decks of the rulesets' own."""
    for at, ruleset in enumerate(ruleset_ids()):
        for seed in range(GAMES):
            rng = Random(f"{ruleset}:{seed}:options")
            options = {option: rng.choice(TABLE[option]) for option in rng.sample(sorted(TABLE), 8)}
            options["little-girl.model"] = rng.choice(("draw", "judge"))
            setup = random_setup(1000 * at + seed, ruleset, overrides=0)
            chosen = {option: value for option, value in options.items() if value is not NONE}
            yield Setup(ruleset, setup.seats, seed, options=chosen, extra=setup.extra)
        for role in sorted(roles().keys() - OTHER_PAGES - {"werewolf", "villager"}):
            size = max(roles()[role].fewest_seats, 10)
            cards = Counter({"werewolf": 2, "cupid": 1, "witch": 1}) | Counter({role: roles()[role].exactly or 1})
            cards["villager"] = size - cards.total() + 2 * ("thief" in cards)
            yield deal(ruleset, size, deck=cards, seed=at)
    potions = {"witch.uses": "each-once"}  # or hardly one is left at dusk
    yield from (deal("homebrew", 9, deck="full", seed=seed, options=potions) for seed in range(GAMES // 2))
    for ruleset, deck, size in (("homebrew", "full", 16), ("millers-hollow", "full", 16), ("extended", "standard", 17)):
        yield from (deal(ruleset, size, deck=deck, seed=seed) for seed in range(GAMES // 2))


@cache
def played() -> tuple[list[Ask], list[tuple[Event, int, str]]]:
    """One ask of each kind, form and pass, and every event with its audience and phase, of many random games."""
    asks: dict[tuple[str, str, bool], Ask] = {}
    events: list[tuple[Event, int, str]] = []
    for at, setup in enumerate(setups()):
        rng, game, phase = Random(at), Game(setup), ""
        while game.asks:
            for ask in (*game.asks, *game.reactions):
                asks.setdefault((ask.kind, ask.form, ask.can_pass), ask)
            step(game, rng)
        for event, audience in zip(game.events, game.audiences, strict=True):
            phase = event.fields()["name"] if event.kind == "phase" else phase
            events.append((event, audience, phase))
    return [*asks.values()], events


@pytest.mark.parametrize("kind", sorted(ASKS))
def test_asks(kind: str) -> None:
    """Each kind of ask comes, in its form, and may be passed as its row says."""
    forms, passing = ASKS[kind]
    seen = [ask for ask in played()[0] if ask.kind == kind]
    assert seen, "never posed"
    assert {ask.form for ask in seen} <= set(forms.split())
    if passing != OPTION:
        assert {ask.can_pass for ask in seen} == {passing == YES}


def test_no_other_asks_come() -> None:
    assert {ask.kind for ask in played()[0]} <= set(ASKS)


@pytest.mark.parametrize("audience", sorted(EVENTS))
def test_events(audience: str) -> None:
    """Each kind of event comes and goes to whom its row says."""
    kinds = set(EVENTS[audience].split())
    seen = {kind: [to for event, to, _ in played()[1] if event.kind == kind] for kind in kinds}
    assert not [kind for kind, to in seen.items() if not to], "never happened"
    for kind, audiences in seen.items():
        for to in audiences:
            if audience == "all":
                assert to == -1, kind
            elif audience == "one seat":
                assert (to != -1, (to & ~1).bit_count()) == (True, 1), kind
            else:
                assert to > 1, kind


def test_eliminations_of_the_night_are_the_judges_alone() -> None:
    """By day everyone learns of an elimination and its cause, by night nobody until the dawn."""
    found = [(to, phase) for event, to, phase in played()[1] if event.kind == "eliminated"]
    assert {to for to, phase in found if phase == "night"} == {1}
    assert {to for to, phase in found if phase != "night"} == {-1}


def test_night_answers_are_their_givers_alone() -> None:
    for event, to, _ in played()[1]:
        if event.kind == "intent":
            assert to == 1 | 1 << event.fields()["seat"]


def test_lists_of_seats_ascend() -> None:
    for event, _, _ in played()[1]:
        fields = event.fields()
        if event.kind not in ("shot", "servant") and isinstance(fields.get("seats"), list | tuple):
            assert list(fields["seats"]) == sorted(fields["seats"]), event
