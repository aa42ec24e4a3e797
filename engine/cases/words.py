"""The words a rule case may use: ask kinds, events, cards, camps, causes and options of the whole rulebook.

Words of rules that this engine does not play yet are listed too: a case that uses them is well written and fails when
it is played, while a misspelt word makes the file invalid.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from engine.events import KINDS
from engine.options import known_options
from engine.rules.ruleset import roles, ruleset_ids


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RULESETS = frozenset({"classic", "extended", "homebrew", "tournament", "millers-hollow", "japanese"})

ROLES = _words("""
    werewolf villager seer witch hunter cupid thief little-girl elder guard idiot scapegoat piper raven high-villager
    sister brother fox stuttering-judge gypsy rusty-knight bear-tamer hybrid devoted-servant big-bad-wolf
    infecting-wolf white-wolf prejudiced wild-child dog-wolf angel actor deputy bodyguard medium madman mason fox-spirit
    arsonist rumour-monger farmer
""")

CAMPS = _words("village wolves lovers piper white-wolf prejudiced angel fox")

CAUSES = _words("""
    bite extra-bite poison vote shot grief caught rust explode scapegoat curse razor fire event fascination lost-skill
    ruling
""")

MARKS = _words("""
    lover charmed raven-cursed infected hypnotised revealed powerless no-vote mute rust bound away double-agent rascal
    rumour deceiver third abandoned
""")

REACTIONS = frozenset(
    {"werewolf.explode", "day.interject", "judge.red-card", "barber.shave", "priest.confess", "quack.heal"}
)
"""Asks that are offered beside others and taken by whoever wants to."""

ASKS = REACTIONS | _words("""
    actor.take arsonist.burn big-bad-wolf.bite black-death.victim bodyguard.protect brothers.talk castle.beg
    charmed.gesture cupid.affair cupid.link day.bid day.plea day.speak day.vote dead.last-words deputy.event
    deputy.hand
    devoted-servant.take dog-wolf.side double-agent.name double-you.choose election.speak election.stand election.vote
    election.withdraw executioner.elect executioner.heir fascination.form fox.sniff gone-hunting.group
    great-distrust.hands guard.protect guard.soundproof gypsy.call harvest.form hunter.shoot hybrid.support idiot.reveal
    in-any-case.seat infecting-wolf.infect influences.first judge.actor-cards judge.apply-variant judge.clans
    judge.cupid-slip judge.girl-noticed judge.manners judge.rule judge.victim little-girl.peek little-rascal.seat
    lord.reprieve magistrate.guest magistrate.house piper.charm prejudiced.clan priest.saw punishment.name
    punishment.plea punishment.witness raven.curse rumour-monger.mark scapegoat.ban seer.check seer.three
    sheriff.break-tie sheriff.deputy sheriff.heir sheriff.side sheriff.summary sisters.talk specter.name
    spiritualism.ask spiritualism.medium spiritualism.point stuttering-judge.agree stuttering-judge.sign teacher.forbid
    thief.swap thief.swap-seat touch-of-death.go vagabond.accept werewolf.bite werewolf.catch werewolf.fascinate
    werewolf.talk white-wolf.bite widow-knife.bite wild-child.model witch.antidote witch.dusk-antidote
    witch.dusk-poison witch.poison witch.throw
""")

EVENTS = _words("""
    clans actor.cards high-villager thief.cards sisters.meet brothers.meet masons.meet little-girl.saw girl.noticed
    medium.result fox.result charmed.you charmed.circle infected.you wild-child.turned infected charmed.named
    raven.cursed bear.growl village.powerless second-vote banned servant returned new-moon.card spiritualism.answer
    touch.footsteps
""")
"""Events of rules that are not played yet; the others are in engine.events.KINDS."""

OPTIONS = _words("""
    last-words.quota elder.loss-causes elder.loss-roles widow-knife little-girl.model little-girl.chance
    little-girl.fate piper.count piper.circle piper.mute white-wolf.victims scapegoat.ban infecting-wolf.uses
    stuttering-judge.uses win.piper win.other new-moon new-moon.by new-moon.deck new-moon.standing rascal.lasting
    judge.rule judge.manners
    events.dead-names touch.footsteps seer.aloud
""")
"""Options of rules that are not played yet."""


def all_roles() -> Collection[str]:
    """Every card of the rulebook and of this engine."""
    return ROLES | roles().keys()


def all_rulesets() -> Collection[str]:
    """Every ruleset of the rulebook and of this engine."""
    return RULESETS | set(ruleset_ids())


def all_events() -> Collection[str]:
    """Every kind of event of the rulebook and of this engine."""
    roles()
    return EVENTS | KINDS.keys()


def all_options() -> Collection[str]:
    """Every option of the rulebook and of this engine."""
    roles()
    return OPTIONS | known_options().keys()


def nearest(word: str, known: Collection[str]) -> str:
    """A hint for a misspelt word, to be put behind a message; empty when nothing is near."""
    close = get_close_matches(word, sorted(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def known_word(word: str, known: Collection[str], what: str) -> str:
    """The word. Raises ValueError with the nearest known one when it is unknown."""
    if word not in known:
        raise ValueError(f"there is no {what} {word!r}" + nearest(word, known))
    return word
