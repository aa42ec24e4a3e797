"""Built-in players know what a card, a house or a variant changes for them."""

from __future__ import annotations

import msgspec
import pytest

from engine.asks import Answer, Ask, choice_ask, flag_ask, seat_ask, several_ask
from engine.bits import mask_of
from engine.events import Ballots, Deck, Event, Phase, Revealed, RoleDealt, Said, Step
from engine.new_moon.card import Away, EventCard
from engine.new_moon.fates import Accused, SeerAloud
from engine.new_moon.manners import FORBIDDEN
from engine.new_moon.prey import DoubleAgentWolves, DoubleAgentYou, Hunters
from engine.new_moon.spirits import Medium, Pointed, SpiritAnswer
from engine.roles.little_girl import LittleGirlSaw
from engine.roles.seer import SeerResult
from engine.roles.werewolf import PackBite, PackMeet
from engine.rules.ruleset import SetupError
from engine.setup import Setup, deal
from engine.variants.double_you import OpenRoles
from engine.variants.harvest import SeerThree
from engine.views import View
from engine.village.events import BakerSaw, Begged, HousePower, Houses, Mercy, PriestSaw
from judge.direct import play_direct
from players.builtin import BuiltinPlayer
from players.builtin.mind import Mind
from players.builtin.persona import persona
from players.factory import make_players

ALL = mask_of(list(range(1, 10)))


def view(me: int, role: str, *events: Event, night: int = 0) -> View:
    """What a seat of a tournament table has seen: its card, then these events."""
    setup = deal("tournament", 9, seed=1)
    seen = View(me, setup)
    seen.learn(Deck(setup.deck), False)
    seen.learn(RoleDealt(me, role, "wolves" if role == "werewolf" else "village"), True)
    seen.learn(Phase("night", 1), False)
    for event in events:
        seen.learn(event, False)
    if night:
        seen.learn(Phase("night", night), False)
    return seen


def decide(seen: View, ask: Ask) -> Answer:
    return BuiltinPlayer(1, "hard").decide(seen, ask).answer


def mind(seen: View) -> Mind:
    player = BuiltinPlayer(1, "hard")
    player.decide(seen, flag_ask(seen.seat or 1, "idiot.reveal"))
    memory = player.memory_of(seen.seat or 1)
    return Mind(seen, memory, 1, persona("plain", "hard"))


WOLF_3 = (SeerResult(3, "bad"), Phase("day", 1))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_they_speak_without_the_forbidden_words(lang: str) -> None:
    spoke = 0
    for seed in range(4):
        setup = deal("tournament", 9, seed=seed, lang=lang, options={"new-moon": True})
        setup = msgspec.structs.replace(setup, new_moon=("event.not-me-nor-wolf",))
        game = play_direct(setup, make_players(setup, dict.fromkeys(range(1, 10), "builtin"))).game
        said = [
            e for e, (phase, day) in zip(game.public.events, game.public.at, strict=True) if (phase, day) == ("day", 1)
        ]
        words = [event.text for event in said if isinstance(event, Said) and event.text]
        assert not any(FORBIDDEN.search(text) for text in words)
        spoke += len(words)
        assert game.outcome is not None
    assert spoke >= 12


def test_hunters_of_a_full_moon_kill_a_wolf_and_not_each_other() -> None:
    seen = view(1, "seer", *WOLF_3, EventCard("event.full-moon-rising"), night=2)
    seen.learn(Hunters((1, 4, 5)), True)
    ask = seat_ask(1, "werewolf.bite", ALL & ~mask_of([1, 4, 5]), True)
    assert decide(seen, ask) == 3
    told = mind(seen)
    assert told.beliefs.wolf[4] < 0.01 > told.beliefs.wolf[5]
    unsure = view(1, "hunter", Phase("day", 1), EventCard("event.full-moon-rising"), night=2)
    unsure.learn(Hunters((1, 4)), True)
    assert decide(unsure, ask) is None


def test_wolves_of_a_full_moon_do_not_look_at_each_other() -> None:
    seen = view(2, "werewolf", PackMeet((2, 5, 8)), Phase("day", 1), night=2)
    assert decide(seen, seat_ask(2, "seer.check", ALL & ~mask_of([2]), True)) not in (5, 8, None)


def test_who_gets_a_hand_of_great_distrust_lives() -> None:
    ask = several_ask(1, "great-distrust.hands", ALL & ~mask_of([1]), 2, 2)
    named = decide(view(1, "seer", *WOLF_3), msgspec.structs.replace(ask, repeats=True))
    assert isinstance(named, tuple)
    assert 3 not in named
    assert len(set(named)) == 2


def test_a_backfire_makes_wolves_bite_a_plain_villager_or_nobody() -> None:
    claims = [Said(3, "我是女巫。", "speech"), Said(4, "我是平民。", "speech")]
    seen = view(2, "werewolf", PackMeet((2, 5, 8)), Phase("day", 1), *claims, EventCard("event.backfire"), night=2)
    assert decide(seen, seat_ask(2, "werewolf.bite", mask_of([3, 4]), True)) == 4
    assert decide(seen, seat_ask(2, "werewolf.bite", mask_of([3]), True)) is None


def test_a_witness_speaks_for_the_innocent_and_for_its_own() -> None:
    ask = flag_ask(1, "punishment.witness")
    assert decide(view(1, "seer", *WOLF_3, Accused(3)), ask) is False
    assert decide(view(1, "seer", SeerResult(4, "good"), Phase("day", 1), Accused(4)), ask) is True
    mate = view(2, "werewolf", PackMeet((2, 5, 8)), Phase("day", 1), Accused(5))
    assert decide(mate, msgspec.structs.replace(ask, seat=2)) is True


def test_a_medium_learns_what_it_can_and_a_wolf_hides_it() -> None:
    ask = choice_ask(2, "spiritualism.ask", ("pointed-is-plain", "i-am-wolf"))
    assert decide(view(2, "villager", Phase("day", 1)), ask) == "i-am-wolf"
    assert decide(view(2, "werewolf", PackMeet((2, 5, 8)), Phase("day", 1)), ask) == "pointed-is-plain"


def test_a_spirits_answer_is_a_fact() -> None:
    asked = (Phase("day", 1), Medium(4))
    cleared = mind(view(1, "villager", *asked, SpiritAnswer("i-am-wolf", False)))
    assert cleared.beliefs.wolf[4] < 0.01 > cleared.public.wolf[4]
    beside = mind(view(1, "villager", *asked, Pointed((4,)), SpiritAnswer("pointed-has-wolf-beside", False)))
    assert beside.beliefs.wolf[3] < 0.01 > beside.beliefs.wolf[5]
    assert beside.beliefs.wolf[4] > 0.2
    same = mind(view(1, "villager", *asked, Pointed((1, 7)), SpiritAnswer("two-same-camp", False)))
    assert same.beliefs.wolf[7] > 0.99


def test_a_double_agent_plays_for_the_wolves_it_was_shown() -> None:
    agent = mind(view(1, "witch", DoubleAgentWolves((2, 5)), DoubleAgentYou(), Phase("day", 1)))
    assert agent.goal == "wolves"
    assert agent.mates == {2, 5}
    assert agent.beliefs.wolf[5] > 0.99
    assert agent.beliefs.wolf[4] < 0.01
    told = BuiltinPlayer(1, "hard").decide(
        view(1, "witch", DoubleAgentWolves((2, 5)), DoubleAgentYou(), night=2), seat_ask(1, "witch.poison", ALL, True)
    )
    assert told.answer not in (1, 2, 5)
    loner = mind(view(1, "villager", DoubleAgentWolves((2, 5)), Phase("day", 1)))
    assert loner.goal == "village"


def test_the_first_dead_gives_the_wolves_the_least_useful_ally() -> None:
    claims = (Phase("day", 1), Said(4, "我是女巫。", "speech"))
    ask = seat_ask(1, "double-agent.name", mask_of([4, 6]))
    assert decide(view(1, "villager", *claims), ask) == 6
    wolf = view(2, "werewolf", PackMeet((2, 5, 8)), *claims)
    assert decide(wolf, msgspec.structs.replace(ask, seat=2)) == 4


def test_a_wolf_with_the_shortest_way_goes() -> None:
    seen = view(2, "werewolf", PackMeet((2, 5, 8)), PackBite(7))
    assert decide(seen, seat_ask(2, "touch-of-death.go", mask_of([2, 5, 8]), True)) == 8


def test_nobody_calls_for_the_vote_on_one_that_no_ballot_reaches() -> None:
    away = mind(view(1, "seer", *WOLF_3, Away((3,))))
    assert 3 not in away.votable
    assert away.suspect != 3
    inn = (Houses(("farm", "church", "inn", *["vagabond"] * 6)),)
    assert 3 not in mind(view(1, "seer", *WOLF_3, *inn)).votable
    assert 3 in mind(view(1, "seer", *WOLF_3, *inn, HousePower(3, "inn", "lost"))).votable
    assert 3 not in mind(view(1, "villager", Revealed(3, "idiot"), Phase("day", 1))).votable


def test_a_check_that_the_sleepwalker_belies_is_a_lie() -> None:
    said = Said(5, "我是预言家，第1夜我验了7号，查杀。", "speech")
    heard = mind(view(1, "villager", SeerAloud("villager"), Phase("day", 1), said))
    assert heard.beliefs.seer[5] < 0.05
    believed = mind(view(1, "villager", SeerAloud("werewolf"), Phase("day", 1), said))
    assert believed.beliefs.seer[5] > 0.5


def test_the_priests_confession_and_the_bakers_glimpse_are_facts() -> None:
    seen = mind(view(1, "villager", PriestSaw(4, "witch"), BakerSaw(6), BakerSaw(None), Phase("day", 1)))
    assert seen.beliefs.wolf[4] < 0.01
    assert seen.beliefs.wolf[6] > 0.99


def test_a_barber_dares_only_when_sure_and_a_wolf_never() -> None:
    offer = seat_ask(1, "barber.shave", ALL & ~2)
    player = BuiltinPlayer(1, "hard")
    assert player.react(view(1, "seer", *WOLF_3), (offer,)) == ("barber.shave", 3)
    assert player.react(view(1, "villager", Phase("day", 1)), (offer,)) is None
    wolf = view(2, "werewolf", PackMeet((2, 5, 8)), Phase("day", 1), Said(3, "我是预言家，2号查杀。", "speech"))
    assert player.react(wolf, (msgspec.structs.replace(offer, seat=2),)) is None


def test_the_lord_has_mercy_on_the_innocent_and_himself() -> None:
    ask = flag_ask(1, "lord.reprieve", False)
    assert decide(view(1, "seer", *WOLF_3, Begged(3, True)), ask) is False
    assert decide(view(1, "seer", SeerResult(4, "good"), Phase("day", 1), Begged(4, True)), ask) is True
    assert decide(view(1, "seer", *WOLF_3, Begged(3, True), Mercy(3, False), Phase("day", 2)), ask) is True


def test_the_harvests_girl_and_drunken_seer_know_what_they_saw() -> None:
    girl = mind(view(1, "little-girl", Step("witch", "open"), LittleGirlSaw((4,)), Phase("day", 1)))
    assert girl.beliefs.wolf[4] < 0.01
    assert girl.beliefs.wolf[5] > 0.2
    assert girl.results == []
    none = mind(view(1, "seer", SeerThree(5, ("villager", "villager", "witch")), Phase("day", 1)))
    assert max(none.beliefs.wolf[seat] for seat in (4, 5, 6)) < 0.01
    some = mind(view(1, "seer", SeerThree(5, ("villager", "werewolf", "witch")), Phase("day", 1)))
    assert some.beliefs.wolf[5] > some.beliefs.wolf[8] + 0.05


def test_an_open_role_card_is_claimed_by_nobody_else() -> None:
    faces = OpenRoles(("hunter", "witch", "seer", *["villager"] * 6))
    wolf = mind(view(2, "werewolf", faces, PackMeet((2, 5, 8)), Phase("day", 1)))
    assert not wolf.poses
    heard = mind(view(1, "hunter", faces, Phase("day", 1), Said(4, "我是预言家，5号查杀。", "speech")))
    assert heard.beliefs.seer[4] < 0.05


TABLES = [
    ("classic", 10, {"new-moon": True, "new-moon.deck": "full"}),
    ("tournament", 9, {"new-moon": True, "new-moon.deck": "full"}),
    ("extended", 12, {"new-moon": True}),
    ("millers-hollow", 14, {"new-moon": True, "village": True}),
    ("homebrew", 12, {"harvest": True, "harvest.form": "a"}),
    ("millers-hollow", 12, {"fascination": True}),
    ("classic", 9, {"in-any-case": True}),
    ("millers-hollow", 9, {"double-you": "small"}),
    ("homebrew", 12, {"double-you": "great"}),
    ("classic", 8, {"black-death": True}),
]


@pytest.mark.parametrize(("ruleset", "seats", "options"), TABLES)
def test_games_with_every_card_and_variant_end(ruleset: str, seats: int, options: dict[str, object]) -> None:
    ended = 0
    for seed in range(3):
        try:
            setup: Setup = deal(ruleset, seats, seed=seed, lang="en" if seed else "zh", options=options)
        except SetupError:
            continue
        game = play_direct(setup, make_players(setup, dict.fromkeys(range(1, seats + 1), "builtin:hard"))).game
        assert game.outcome is not None
        ended += 1
        for _, cast in game.public.ballots:
            assert isinstance(cast, Ballots)
    assert ended
