"""What follows from what: small tables whose answer is plain."""

from __future__ import annotations

from engine.events import Ballots, Dawn, Event, Phase, Revealed, RoleDealt, Said
from engine.roles.seer import SeerResult
from engine.setup import deal
from engine.views import View
from players.builtin.beliefs import infer
from players.builtin.memory import Memory


def told(me: int, role: str, *events: Event) -> Memory:
    view = View(me, deal("tournament", 9, seed=1))
    camp = "wolves" if role == "werewolf" else "village"
    for event in (RoleDealt(me, role, camp), Phase("night", 1), *events):
        view.learn(event, False)
    memory = Memory(me, 9)
    memory.learn(view)
    return memory


def said(seat: int, text: str) -> Said:
    return Said(seat, text, "speech")


def test_nothing_known_is_the_prior() -> None:
    beliefs = infer(told(1, "villager"), "villager", 3)
    assert beliefs.wolf[1] < 0.01
    assert all(abs(beliefs.wolf[seat] - 3 / 8) < 1e-6 for seat in range(2, 10))


def test_a_seer_believes_the_own_check() -> None:
    beliefs = infer(told(1, "seer", SeerResult(4, "bad"), said(5, "我是预言家，4号金水")), "seer", 3)
    assert beliefs.wolf[4] > 0.99
    assert beliefs.wolf[5] > 0.85


def test_whoever_calls_me_a_wolf_is_no_seer() -> None:
    beliefs = infer(told(1, "villager", said(5, "我是预言家，1号查杀"), said(6, "I am the seer")), "villager", 3)
    assert beliefs.seer[5] < 0.05
    assert beliefs.seer[6] > 0.8
    assert beliefs.wolf[5] > 0.85


def test_an_undisputed_seer_is_believed_and_a_card_refutes() -> None:
    claim = said(5, "我是预言家，3号查杀，4号金水")
    beliefs = infer(told(1, "villager", claim), "villager", 3)
    assert beliefs.wolf[3] > 0.8
    assert beliefs.wolf[4] < 0.2
    refuted = infer(told(1, "villager", claim, Revealed(3, "hunter")), "villager", 3)
    assert refuted.seer[5] < 0.05


def test_a_vote_for_a_known_wolf_clears() -> None:
    ballots = Ballots({2: 3, 4: 9, 5: 9}, (), {3: 1, 9: 2})
    beliefs = infer(told(1, "villager", ballots, Revealed(3, "werewolf"), Dawn((9,))), "villager", 3)
    assert beliefs.wolf[2] < beliefs.wolf[7] < beliefs.wolf[4]
