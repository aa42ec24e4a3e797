"""Plans of single cards: lovers, pipers, idiots, clumsy packs."""

from __future__ import annotations

import pytest

from engine.asks import Ask, seat_ask
from engine.bits import mask_of
from engine.events import Deck, Event, Intent, Phase, Revealed, RoleDealt, Said
from engine.roles.cupid import LoversLink
from engine.roles.seer import SeerResult
from engine.roles.werewolf import PackBallot, PackMeet
from engine.setup import deal
from engine.views import View
from players.builtin import BuiltinPlayer
from players.builtin.mind import Mind
from players.builtin.persona import Level, persona

ALL = mask_of(list(range(1, 10)))


def view(me: int, role: str, *events: Event, ruleset: str = "homebrew") -> View:
    setup = deal(ruleset, 9, seed=1)
    seen = View(me, setup)
    camp = "wolves" if role == "werewolf" else "piper" if role == "piper" else "village"
    for event in (Deck(setup.deck), RoleDealt(me, role, camp), Phase("night", 1), *events):
        seen.learn(event, False)
    return seen


def mind(seen: View, level: Level = "hard") -> Mind:
    player = BuiltinPlayer(1, level)
    me = seen.seat or 1
    player.decide(seen, seat_ask(me, "raven.curse", ALL & ~(1 << me), True))
    return Mind(seen, player.memory_of(me), 1, persona("plain", level))


def test_a_lover_that_knows_its_partner_for_a_wolf_keeps_it_secret() -> None:
    seen = view(1, "seer", LoversLink(4), SeerResult(4, "wolf"), Phase("day", 1))
    lover = mind(seen)
    assert lover.goal == "lovers"
    assert lover.results == []
    assert lover.suspect != 4


def test_a_wolf_does_not_follow_its_pack_against_its_lover() -> None:
    ballots = PackBallot({5: 4, 8: 4})
    seen = view(2, "werewolf", LoversLink(4), PackMeet((2, 5, 8)), ballots)
    assert BuiltinPlayer(1, "hard").decide(seen, seat_ask(2, "werewolf.bite", mask_of([4, 6]), True)).answer == 6


def test_a_guard_protects_its_lover_first() -> None:
    seen = view(1, "guard", LoversLink(4), Phase("day", 1), Said(3, "我是预言家。", "speech"), Phase("night", 2))
    assert BuiltinPlayer(1, "hard").decide(seen, seat_ask(1, "guard.protect", ALL, True)).answer == 4


def test_a_piper_wants_the_uncharmed_gone() -> None:
    plain = mind(view(1, "piper", Phase("day", 1)))
    charmed = mind(view(1, "piper", Intent(1, "piper.charm", (4, 5)), Phase("day", 1)))
    assert charmed.grade(4) < plain.grade(4)
    assert charmed.suspect not in (4, 5)


def interjection(*said: Event) -> tuple[str, object] | None:
    seen = view(1, "idiot", Phase("day", 1), Revealed(1, "idiot"), *said)
    offer = Ask(1, "day.interject", "text")
    return BuiltinPlayer(1, "hard").react(seen, (offer,))


def test_a_revealed_idiot_calls_in_for_its_suspect_once_a_day() -> None:
    claims = (Said(3, "我是预言家，第1夜我验了4号，查杀。", "speech"), Said(4, "我是好人。", "speech"))
    taken = interjection(*claims)
    assert taken is not None
    assert "4" in str(taken[1])
    assert interjection(*claims, Said(1, str(taken[1]), "interjection"), claims[1]) is None
    assert interjection(claims[0]) is None


@pytest.mark.parametrize(("level", "least", "most"), [("hard", 0, 0), ("easy", 30, 90)])
def test_a_clumsy_wolf_does_not_keep_to_what_was_agreed(level: Level, least: int, most: int) -> None:
    seen = view(2, "werewolf", PackMeet((2, 5, 8)), PackBallot({5: 4, 8: 4}), ruleset="tournament")
    ask = seat_ask(2, "werewolf.bite", ALL, True)
    strayed = sum(BuiltinPlayer(seed, level).decide(seen, ask).answer != 4 for seed in range(100))
    assert least <= strayed <= most


def test_where_cards_are_turned_a_good_wolf_hides_and_does_not_pose() -> None:
    for seed in range(30):
        seen = view(2, "werewolf", PackMeet((2, 5, 8)), Phase("day", 1), ruleset="millers-hollow")
        player = BuiltinPlayer(seed, "hard", "sly")
        player.decide(seen, seat_ask(2, "raven.curse", ALL & ~4, True))
        hidden = Mind(seen, player.memory_of(2), seed, persona("sly", "hard"))
        assert hidden.open_cards
        assert not hidden.poses
