"""Random, scripted and human seats, and the factory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.asks import choice_ask, flag_ask, seat_ask, text_ask
from engine.game import Game
from engine.setup import deal
from engine.views import View
from players.factory import SpecError, make_players, seat_seed
from players.human import HumanPlayer
from players.judge import AutoJudge
from players.random import RandomPlayer
from players.scripted import ScriptedPlayer

SETUP = deal("tournament", 9, seed=3)


def view(seat: int = 1) -> View:
    return Game(SETUP).view(seat)


def test_random_is_the_same_for_the_same_view() -> None:
    ask = seat_ask(1, "day.vote", 0b1110110, can_pass=True)
    answers = [RandomPlayer(4).decide(view(), ask).answer for _ in range(3)]
    assert len(set(answers)) == 1
    assert ask.allows(answers[0])


def test_script_in_order_then_quiet() -> None:
    player = ScriptedPlayer([2, "hello"])
    assert player.decide(view(), seat_ask(1, "day.vote", 0b110)).answer == 2
    assert player.decide(view(), text_ask(1, "day.speak")).answer == "hello"
    assert player.decide(view(), seat_ask(1, "day.vote", 0b110)).answer == 1


def test_script_by_kind() -> None:
    player = ScriptedPlayer({"day.vote": [1, 2], "day.speak": "again"}, {"werewolf.explode": True})
    ask = seat_ask(3, "day.vote", 0b110)
    assert [player.decide(view(3), ask).answer for _ in range(3)] == [1, 2, 1]
    assert player.decide(view(3), text_ask(3, "day.speak")).answer == "again"
    offer = flag_ask(3, "werewolf.explode", can_pass=False)
    assert player.react(view(3), (offer,)) == ("werewolf.explode", True)
    assert player.react(view(3), (offer,)) is None


def test_an_illegal_line_of_a_script_is_marked() -> None:
    reply = ScriptedPlayer([7]).decide(view(), seat_ask(1, "day.vote", 0b110))
    assert (reply.answer, reply.fallback) == (1, "illegal")


async def test_human_and_judge_do_as_little_as_may_be() -> None:
    ask = choice_ask(2, "sheriff.side", ("left", "right"), can_pass=True)
    reply = await HumanPlayer().reply(view(2), ask, ())
    assert (reply.answer, reply.fallback) == (None, "late")
    assert (await AutoJudge().reply(Game(SETUP).view(0), flag_ask(0, "judge.cupid-slip"), ())).answer is False


def test_factory() -> None:
    specs = {0: "builtin", 1: "builtin", 2: "builtin:sly", 3: "builtin:sly:hard", 4: "random", 5: "human"}
    made = make_players(SETUP, specs)
    assert [made[seat].kind for seat in range(6)] == ["builtin"] * 4 + ["random", "human"]
    assert made[2].name == "builtin:sly"
    assert [made[seat].spec for seat in specs] == list(specs.values())
    assert len({seat_seed(SETUP, seat) for seat in range(1, 10)}) == 9


@pytest.mark.parametrize("spec", ["robot", "", "builtin:nobody", "builtin:sly:bold", "model"])
def test_factory_refuses(spec: str) -> None:
    with pytest.raises(SpecError):
        make_players(SETUP, {1: spec})


def test_a_table_from_specs_plays(play: Callable[..., Game]) -> None:
    made = make_players(SETUP, dict.fromkeys(range(10), "builtin"))
    assert play(SETUP, made).outcome is not None
