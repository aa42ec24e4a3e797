"""The hard posterior: small tables whose answer can be counted by hand."""

from __future__ import annotations

from math import isclose, log2

import pytest

from engine.events import Deck, Event, Revealed, RoleDealt
from engine.roles.fox import FoxResult
from engine.roles.seer import SeerResult
from engine.roles.werewolf import PackMeet
from engine.setup import deal
from engine.views import View
from players.reasoning import posterior, sizes


def seen(me: int | None, *events: Event, size: int = 9, ruleset: str = "tournament") -> View:
    setup = deal(ruleset, size, seed=1)
    view = View(me, setup)
    view.learn(Deck(setup.deck), False)
    for event in events:
        view.learn(event, False)
    return view


def test_the_public_knows_the_deck_alone() -> None:
    h = posterior(seen(None))
    assert all(isclose(p, 3 / 9) for p in h.wolf.values())
    assert len(h.sets) == 84


def test_a_villager_knows_its_own_card() -> None:
    h = posterior(seen(1, RoleDealt(1, "villager", "village")))
    assert h.wolf[1] == 0
    assert isclose(h.wolf[2], 3 / 8)
    assert isclose(h.bits(frozenset({2, 3, 4})), -log2(56))
    assert h.bits(frozenset({1, 3, 4})) == float("-inf")


def test_checks_cards_and_groups() -> None:
    seer = RoleDealt(1, "seer", "village")
    h = posterior(seen(1, seer, SeerResult(2, "bad"), SeerResult(3, "good"), Revealed(4, "hunter")))
    assert (h.wolf[2], h.wolf[3], h.wolf[4]) == pytest.approx((1, 0, 0))
    assert isclose(h.wolf[5], 2 / 5)
    sniffed = posterior(seen(1, RoleDealt(1, "fox", "village"), FoxResult(2, True)))
    assert sniffed.wolf[2] + sniffed.wolf[3] >= 1  # seat 1 beside it is the fox itself
    clean = posterior(seen(5, RoleDealt(5, "fox", "village"), FoxResult(2, False)))
    assert clean.wolf[1] == clean.wolf[2] == clean.wolf[3] == 0


def test_the_pack_knows_itself() -> None:
    h = posterior(seen(2, RoleDealt(2, "werewolf", "wolves"), PackMeet((2, 5, 7))))
    assert h.sets == {frozenset({2, 5, 7}): 1}


def test_cards_left_over_spread_the_number_of_wolves() -> None:
    prior = sizes(seen(None, size=13))
    assert set(prior) == {3, 4}  # a thief must take a wolf card that lies before him
    assert isclose(sum(prior.values()), 1)
    h = posterior(seen(None, size=13))
    assert isclose(sum(h.wolf.values()), sum(k * p for k, p in prior.items()))


def test_facts_that_cannot_hold_together_leave_the_certain_ones() -> None:
    seer = RoleDealt(1, "seer", "village")
    h = posterior(seen(1, seer, *(SeerResult(seat, "bad") for seat in range(2, 7))))
    assert sum(h.sets.values()) == pytest.approx(1)
