"""The tables of the rulebook's page on rulesets, written out: decks, night orders, options."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.options import build, flat
from engine.rules.ruleset import SetupError, load_ruleset, roles, ruleset_ids
from engine.setup import deal

COLUMNS = ("classic", "extended", "homebrew", "tournament", "millers-hollow", "japanese")
GODS = ("seer", "witch", "hunter")

BASE = {
    8: (2, 1, 5), 9: (2, 1, 6), 10: (2, 1, 7), 11: (2, 1, 8), 12: (3, 1, 8), 13: (3, 1, 9), 14: (3, 1, 10),
    15: (3, 1, 11), 16: (3, 1, 12), 17: (3, 1, 13), 18: (4, 1, 13),
}  # fmt: skip
"""1.1: seats -> werewolf, seer, villager."""

CLASSIC_FULL = {
    8: ("", 3), 9: ("", 4), 10: ("cupid", 4), 11: ("cupid little-girl", 4), 12: ("cupid little-girl", 4),
    13: ("cupid little-girl thief", 4), 14: ("cupid little-girl thief", 5), 15: ("cupid little-girl thief", 6),
    16: ("cupid little-girl thief", 7), 17: ("cupid little-girl thief", 8), 18: ("cupid little-girl thief", 8),
}  # fmt: skip
"""1.2: seats -> cards beside seer, witch and hunter, villagers without a thief's two."""

HOLLOW_FULL = {
    8: "", 9: "guard", 10: "guard cupid", 11: "guard cupid elder", 12: "guard cupid elder",
    13: "guard cupid elder idiot", 14: "guard cupid elder idiot scapegoat",
    15: "guard cupid elder idiot scapegoat little-girl", 16: "guard cupid elder idiot scapegoat little-girl piper",
    17: "guard cupid elder idiot scapegoat little-girl piper thief",
    18: "guard cupid elder idiot scapegoat little-girl piper thief",
}  # fmt: skip
"""1.2: always three villagers."""

EXTENDED = {
    8: (3, 3, "seer witch"), 9: (3, 3, "seer witch hunter"), 10: (3, 3, "seer witch hunter guard"),
    11: (3, 4, "seer witch hunter guard"), 12: (4, 4, "seer witch hunter guard"),
    13: (4, 4, "seer witch hunter guard idiot"), 14: (4, 4, "seer witch hunter guard idiot cupid"),
    15: (4, 4, "seer witch hunter guard idiot elder cupid"), 16: (5, 4, "seer witch hunter guard idiot elder cupid"),
    17: (5, 4, "seer witch hunter guard idiot elder cupid piper"),
    18: (5, 5, "seer witch hunter guard idiot elder cupid piper"),
}  # fmt: skip
"""1.3: seats -> werewolf, villager, others."""

TOURNAMENT = {
    9: (3, 3, "seer witch hunter"), 10: (3, 3, "seer witch hunter cupid"), 11: (3, 4, "seer witch hunter cupid"),
    12: (4, 4, "seer witch hunter cupid"), 13: (4, 5, "seer witch hunter cupid guard thief"),
    14: (4, 6, "seer witch hunter cupid guard thief"),
}  # fmt: skip
"""1.4."""

JAPANESE = {
    8: (5, 2, ""), 9: (5, 2, "medium"), 10: (5, 2, "medium madman"), 11: (5, 2, "medium madman bodyguard"),
    12: (6, 2, "medium madman bodyguard"), 13: (5, 2, "medium madman bodyguard mason mason"),
    14: (6, 2, "medium madman bodyguard mason mason"), 15: (6, 2, "medium madman bodyguard mason mason fox-spirit"),
    16: (6, 3, "medium madman bodyguard mason mason fox-spirit"),
    17: (7, 3, "medium madman bodyguard mason mason fox-spirit"),
    18: (8, 3, "medium madman bodyguard mason mason fox-spirit"),
}  # fmt: skip
"""1.5: seats -> villager, werewolf, others beside the seer."""


def counts(wolves: int, villagers: int, others: str) -> dict[str, int]:
    return dict(Counter({"werewolf": wolves, "villager": villagers}) + Counter(others.split()))


def compare(ruleset: str, table: str, expected: dict[int, dict[str, int]]) -> None:
    """A deck table is exactly this, and every deck of it can be dealt."""
    assert {int(seats): deck for seats, deck in load_ruleset(ruleset).decks[table].items()} == expected
    for seats, deck in expected.items():
        setup = deal(ruleset, seats, deck=table, seed=seats)
        assert (setup.size, setup.deck) == (seats, dict(sorted(deck.items())))


@pytest.mark.parametrize("ruleset", ["classic", "homebrew", "millers-hollow"])
def test_base_decks(ruleset: str) -> None:
    expected = {seats: counts(wolves, plain, "seer") for seats, (wolves, _, plain) in BASE.items()}
    compare(ruleset, "base", expected)
    assert all(load_ruleset(ruleset).deck(seats) == deck for seats, deck in expected.items()), "base is the default"


def test_the_base_table_is_legal_in_japan() -> None:
    compare("japanese", "base", {seats: counts(wolves, plain, "seer") for seats, (wolves, _, plain) in BASE.items()})


def test_full_decks_of_classic() -> None:
    wolves = {seats: row[0] for seats, row in BASE.items()}
    compare("classic", "full", {
        seats: counts(wolves[seats], plain + 2 * ("thief" in cards), " ".join((*GODS, cards)))
        for seats, (cards, plain) in CLASSIC_FULL.items()
    })  # fmt: skip


@pytest.mark.parametrize("ruleset", ["homebrew", "millers-hollow"])
def test_full_decks_of_homebrew_and_the_hollow(ruleset: str) -> None:
    compare(ruleset, "full", {
        seats: counts(BASE[seats][0], 3 + 2 * ("thief" in cards), " ".join((*GODS, cards)))
        for seats, cards in HOLLOW_FULL.items()
    })  # fmt: skip


def test_decks_of_extended() -> None:
    compare("extended", "standard", {seats: counts(*row) for seats, row in EXTENDED.items()})
    thief = {seats: counts(w, v + 1, f"{others} thief") for seats, (w, v, others) in EXTENDED.items()}
    compare("extended", "thief", thief)
    for wolves, villagers, others in EXTENDED.values():
        assert min(wolves, villagers) >= 3
        assert max(wolves, villagers) <= 6
        assert max(Counter(others.split()).values()) == 1


def test_decks_of_the_tournament() -> None:
    compare("tournament", "standard", {seats: counts(*row) for seats, row in TOURNAMENT.items()})
    compare("tournament", "thief", {12: counts(4, 4, "seer witch hunter cupid guard thief")})
    assert load_ruleset("tournament").seat_counts() == list(range(9, 15))


def test_decks_of_japan() -> None:
    expected = {seats: counts(w, v, f"seer {others}") for seats, (v, w, others) in JAPANESE.items()}
    compare("japanese", "standard", expected)


def test_decks_that_cannot_be_dealt() -> None:
    with pytest.raises(SetupError, match="8"):
        deal("tournament", 8)
    with pytest.raises(SetupError, match="exactly 2"):
        deal("extended", 9, deck={"werewolf": 3, "villager": 5, "sister": 1})
    with pytest.raises(SetupError, match="exactly 3"):
        deal("extended", 9, deck={"werewolf": 3, "villager": 4, "brother": 2})
    with pytest.raises(SetupError, match="at least 18"):
        deal("extended", 16, deck={"werewolf": 5, "villager": 10, "fox": 1})
    assert deal("homebrew", 8, deck={"werewolf": 1, "villager": 7}).deck["werewolf"] == 1


# ---------------------------------------------------------------- 1.6 the thief's two cards


@pytest.mark.parametrize(("ruleset", "deck", "seats"), [
    ("classic", "full", 13), ("homebrew", "full", 17), ("millers-hollow", "full", 17), ("tournament", "thief", 12),
    ("tournament", "standard", 13), ("extended", "thief", 9),
])  # fmt: skip
def test_two_cards_are_left_over_for_the_thief(ruleset: str, deck: str, seats: int) -> None:
    """Over a hundred deals; his own card may lie there except in extended, where it is always dealt."""
    left: set[str] = set()
    for seed in range(100):
        setup = deal(ruleset, seats, deck=deck, seed=seed)
        assert (len(setup.seats), len(setup.extra)) == (seats, 2)
        assert Counter(setup.cards) == Counter(load_ruleset(ruleset).deck(seats, deck))
        left |= {*setup.extra}
    assert ("thief" in left) is (ruleset != "extended")
    assert {"werewolf", "villager"} <= left


def test_without_a_thief_no_card_is_left_over() -> None:
    assert deal("tournament", 12).extra == ()


# ---------------------------------------------------------------- 2 night order

CALLED = {
    "classic": ("thief cupid lovers", "seer wolves witch"),
    "extended": (
        "thief cupid lovers hybrid wild-child dog-wolf prejudiced sisters brothers stuttering-judge pack",
        "actor sisters-talk brothers-talk guard piper wolves big-bad-wolf white-wolf widow-knife seer fox witch gypsy"
        " raven",
    ),
    "homebrew": ("thief cupid lovers", "guard seer wolves witch piper charmed"),
    "tournament": ("thief cupid lovers", "guard wolves witch seer"),
    "millers-hollow": ("thief cupid lovers", "seer guard wolves white-wolf witch piper charmed"),
    "japanese": ("thief cupid lovers masons", "seer medium bodyguard wolves"),
}


@pytest.mark.parametrize("ruleset", COLUMNS)
def test_night_order(ruleset: str) -> None:
    """The steps that the ruleset's own list names come in its order, in setup and in every night."""
    order = load_ruleset(ruleset).order
    for part, steps in zip(("setup", "night"), CALLED[ruleset], strict=True):
        wanted = steps.split()
        assert [step for step in order[part] if step in wanted] == wanted
        assert len(set(order[part])) == len(order[part])


@pytest.mark.parametrize("ruleset", COLUMNS)
def test_every_step_of_a_card_has_a_place_in_every_ruleset(ruleset: str) -> None:
    order = load_ruleset(ruleset).order
    known = {*order["setup"], *order["night"]}
    for role in roles().values():
        assert {*role.steps} <= known, role.id


# ---------------------------------------------------------------- 3 options

EVERY = ["bite", "extra-bite", "caught", "poison", "vote", "shot", "grief", "rust", "explode", "scapegoat", "curse",
         "razor", "fire", "event", "fascination", "lost-skill", "ruling"]  # fmt: skip
SHOT3 = ["vote", "poison", "shot"]
BITES = ["bite", "extra-bite", "vote"]


def but(*causes: str) -> list[str]:
    return [cause for cause in EVERY if cause not in causes]


NONE = object()
"""A dash in the table: the default holds, which is the value list's first entry."""

TABLE: dict[str, tuple[Any, ...]] = {
    # 3.1
    "reveal.night": ("card", "none", "card", "none", "card", "none"),
    "reveal.vote": ("card", "none", "card", "none", "card", "none"),
    "reveal.grief": ("card", "none", "card", "none", "card", "none"),
    "reveal.shot": ("card", "none", "card", "none", "card", "none"),
    "reveal.explode": (NONE, NONE, NONE, "card", NONE, NONE),
    "announce.cause": ("grief", "none", "grief", "none", "grief", "none"),
    "announce.yesterday": (False, True, False, False, False, False),
    "announce.lost-camp": ("no", "no", "no", "no", "no", "no"),
    "dead.contact": ("no", "no", "no", "no", "no", "no"),
    "last-words.vote": ("no", "quota", "no", "yes", "no", "no"),
    "last-words.night": ("no", "quota", "no", "first-night", "no", "no"),
    "last-words.poison": (NONE, NONE, NONE, False, NONE, NONE),
    "last-words.shot": (NONE, NONE, NONE, False, NONE, NONE),
    "last-words.explode": (NONE, NONE, NONE, False, NONE, NONE),
    # 3.2
    "talk.order": ("free", "from-left-of-victim", "from-left-of-victim", "sheriff-side", "from-sheriff",
                   "from-left-of-victim"),
    "talk.rounds": (2, 1, 1, 1, 2, 2),
    "sheriff.summary": (False, False, False, True, False, False),
    "vote.self": (False, False, False, False, False, False),
    "vote.abstain": (False, True, True, True, False, False),
    "vote.tie": ("nobody", "sheriff-side", "sheriff-decides", "revote", "nobody", "revote"),
    "vote.revotes": (5, NONE, NONE, 1, NONE, 1),
    "vote.revote-voters": ("all", NONE, NONE, "untied", NONE, "all"),
    "vote.open": (True, True, True, True, True, True),
    "lovers.vote-each-other": (False, True, False, True, False, NONE),
    "lovers.kill-each-other": (True, True, False, True, True, NONE),
    # 3.3
    "sheriff": (True, True, True, True, True, False),
    "election.day": (1, 1, 1, 1, 1, NONE),
    "election.when": ("after-talk", "before-talk", "before-talk", "before-announcement", "before-announcement", NONE),
    "election.candidates": ("everyone", "volunteers", "everyone", "volunteers", "everyone", NONE),
    "election.voters": ("all", "all", "all", "non-candidates", "all", NONE),
    "election.withdraw": (NONE, False, NONE, True, NONE, NONE),
    "election.tie": ("revote-then-next-day", "none-for-the-game", "revote-then-next-day", "next-day",
                     "revote-then-next-day", NONE),
    "sheriff.weight": ("2", "2", "2", "2-or-1.5", "2", NONE),
    "sheriff.heir": ("may", "must", "must", "must", "must", NONE),
    "sheriff.idiot": ("removed", "removed", "removed", "removed", "removed", NONE),
    # 3.4
    "seer.result": ("card", "camp", "card", "side", "card", "wolf"),
    "witch.uses": ("each-once", "each-once", "one-in-all", "each-once", "each-once", NONE),
    "witch.both": (True, True, False, True, True, NONE),
    "witch.antidote-target": ("victim", "any", "victim", "victim", "victim", NONE),
    "witch.self-save": ("no", "yes", "no", "no", "no", NONE),
    "witch.self-poison": (True, True, True, True, True, NONE),
    "witch.told-after-antidote": (True, False, True, False, True, NONE),
    "witch.told-if-guarded": (NONE, "yes", "yes", "yes", "yes", NONE),
    "witch.dusk": (False, False, True, False, False, NONE),
    "guard.repeat": (NONE, "once-per-target", "no-consecutive", "no-consecutive", "no-consecutive", NONE),
    "guard.self": (NONE, True, True, True, True, NONE),
    "guard.pass": (NONE, True, True, True, True, NONE),
    "bodyguard.self": (NONE, NONE, NONE, NONE, NONE, False),
    "bodyguard.pass": (NONE, NONE, NONE, NONE, NONE, False),
    "guard.little-girl": (NONE, NONE, "void", NONE, "void", NONE),
    "guard.clash": (NONE, "saved", "saved", "dies", "saved", NONE),
    "poison.beats-guard": ("yes", "yes", "yes", "yes", "yes", NONE),
    "hunter.causes": (EVERY, but("ruling"), but("poison"), BITES, BITES, NONE),
    "hunter.when": ("dawn", "at-once", "dawn", "dawn", "dawn", NONE),
    "hunter.pass": ("yes", "yes", "yes", "yes", "yes", NONE),
    "elder.loss-causes": (NONE, SHOT3, SHOT3, NONE, but("bite", "extra-bite"), NONE),
    "elder.loss-roles": (NONE, "all", "listed", NONE, "all", NONE),
    # 3.5
    "cupid.pass": (False, False, False, True, False, NONE),
    "cupid.self": ("yes", "yes", "yes", "yes", "yes", NONE),
    "cupid.camp": ("village", "with-lovers", "village", "god-unless-self", "village", NONE),
    "cupid.slip": (False, False, False, True, False, NONE),
    "lovers.third-camp": ("wolf-and-other", "different-camps", "wolf-and-other", "wolf-and-other", "wolf-and-other",
                          NONE),
    "widow-knife": ("no", "every-night", "no", "no", "no", NONE),
    "wolves.bite": ("any", "any", "non-wolf", "any", "non-wolf", "non-wolf"),
    "wolves.pass": (False, True, False, True, False, False),
    "wolves.disagree": ("plurality", "plurality", "plurality", "no-kill", "plurality", "plurality"),
    "wolves.ballots": (2, 2, 2, 2, 2, 2),
    "wolves.talk-rounds": (1, 1, 1, 1, 1, 1),
    "wolves.explode": (False, False, False, True, False, False),
    "little-girl.model": ("draw", NONE, "draw", NONE, "draw", NONE),
    "little-girl.chance": (0.25, NONE, 0.25, NONE, 0.25, NONE),
    "little-girl.fate": ("wolves-choose", NONE, "wolves-choose", NONE, "automatic", NONE),
    "piper.count": (NONE, "0-1", "2", NONE, "1-2", NONE),
    "piper.circle": (NONE, False, True, NONE, True, NONE),
    "piper.mute": (NONE, True, False, NONE, False, NONE),
    "white-wolf.victims": (NONE, "any", NONE, NONE, "wolves", NONE),
    "scapegoat.ban": (NONE, "up-to-3", "any-set", NONE, "up-to-1", NONE),
    "infecting-wolf.uses": (NONE, 1, NONE, NONE, NONE, NONE),
    "stuttering-judge.uses": (NONE, "per-day", NONE, NONE, NONE, NONE),
    # 1.6
    "thief.keep": (True, True, True, False, True, True),
    "thief.forced": ("both", "any", "both", "any", "both", "both"),
    "thief.leftover": (True, False, True, True, True, True),
    # 3.6
    "win.wolves": ("kill-all", "parity", "kill-all", "kill-side", "kill-all", "outnumber"),
    "win.village": ("no-wolf", "last-camp", "no-wolf", "no-wolf-god-and-plain", "no-wolf", "no-wolf"),
    "win.lovers": ("last-two", "last-camp", "last-two", "one-other", "last-two", NONE),
    "win.piper": (NONE, "singles-charmed", "others-charmed", NONE, "others-charmed", NONE),
    "win.nobody": ("draw", "draw", "draw", "conditions", "draw", "draw"),
}  # fmt: skip

FIRST: dict[str, Any] = {
    "last-words.poison": True, "last-words.shot": True, "last-words.explode": False, "vote.revotes": 1,
    "lovers.vote-each-other": False, "lovers.kill-each-other": True, "election.day": 1,
    "election.when": "before-talk", "election.candidates": "everyone", "election.voters": "all",
    "election.withdraw": False, "election.tie": "revote-then-next-day", "sheriff.weight": "2", "sheriff.heir": "must",
    "sheriff.idiot": "removed", "witch.uses": "each-once", "witch.both": True, "witch.antidote-target": "victim",
    "witch.self-save": "no", "witch.self-poison": True, "witch.told-after-antidote": True,
    "witch.told-if-guarded": "yes", "witch.dusk": False, "guard.repeat": "no-consecutive", "guard.self": True,
    "guard.pass": True, "guard.little-girl": "counts", "guard.clash": "saved", "poison.beats-guard": "yes",
    "hunter.causes": EVERY, "hunter.when": "dawn", "hunter.pass": "yes", "elder.loss-causes": SHOT3,
    "elder.loss-roles": "all", "cupid.pass": False, "cupid.self": "yes", "cupid.camp": "village", "cupid.slip": False,
    "lovers.third-camp": "wolf-and-other", "widow-knife": "no", "little-girl.model": "draw",
    "little-girl.chance": 0.25, "little-girl.fate": "wolves-choose", "piper.count": "1-2", "piper.circle": True,
    "piper.mute": False, "white-wolf.victims": "any", "scapegoat.ban": "up-to-3", "infecting-wolf.uses": 1,
    "stuttering-judge.uses": "per-day", "win.lovers": "last-two", "win.piper": "others-charmed",
    "reveal.explode": "card", "vote.revote-voters": "all", "bodyguard.self": False, "bodyguard.pass": False,
}  # fmt: skip
"""The values of hand-made rulesets, where the table shows a dash."""

PRIORITY = (
    "lovers piper wolves village",
    "angel lovers piper white-wolf prejudiced wolves village",
    "lovers piper wolves village",
    "lovers wolves village",
    "lovers piper white-wolf wolves village",
    "fox wolves village",
)
CHECKS = ({"dawn", "vote"}, {"wave"}, {"dawn", "vote", "dusk"}, {"night", "dawn", "vote"}, {"dawn", "vote"},
          {"dawn", "vote"})  # fmt: skip


def plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("option", sorted(TABLE))
def test_options(option: str) -> None:
    """The value of each option in each ruleset is the table's, and a dash means the default."""
    for ruleset, wanted in zip(COLUMNS, TABLE[option], strict=True):
        have = flat(load_ruleset(ruleset).options({}))[option]
        assert plain(have) == plain(FIRST[option] if wanted is NONE else wanted), ruleset


def test_defaults_of_hand_made_rulesets() -> None:
    values = flat(build({}))
    assert {option: plain(values[option]) for option in FIRST} == {o: plain(value) for o, value in FIRST.items()}


def test_win_priority_and_windows() -> None:
    """Camps a ruleset does not know may stand in its list too, since a table may add their cards."""
    for ruleset, order, checks in zip(COLUMNS, PRIORITY, CHECKS, strict=True):
        values = flat(load_ruleset(ruleset).options({}))
        camps = order.split()
        assert [camp for camp in values["win.priority"] if camp in camps] == camps, ruleset
        assert checks <= set(values["win.check"]), ruleset


def test_every_ruleset_is_in_the_table() -> None:
    assert sorted(COLUMNS) == ruleset_ids()


def test_every_value_is_accepted_in_every_ruleset() -> None:
    """4.4: rulesets may be mixed by overriding any option."""
    for ruleset in COLUMNS:
        for option, row in TABLE.items():
            for value in row:
                if value is not NONE:
                    load_ruleset(ruleset).options({option: value})
