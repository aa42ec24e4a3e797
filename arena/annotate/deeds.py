"""Uses of power, scored against what random legal choice would have given (metric 22)."""

from __future__ import annotations

from arena.annotate.tables import DeedRow
from engine.bits import seats_of
from engine.game import Game
from judge.lines import Asked

HUNTS = {
    "seer.check": "check",
    "witch.poison": "poison",
    "witch.dusk-poison": "poison",
    "hunter.shoot": "shot",
}
"""Powers that are well used on wolves: gain is 1 on a wolf."""


def deed_of(game: Game, one: Asked, game_id: str) -> DeedRow | None:
    """The use of power in an answer, if it is one. Passing a chance to hunt is no use of it."""
    kind, seat, truth = one.ask.kind, one.ask.seat, game.truth
    target = one.answer if type(one.answer) is int else None
    wolves, bitten = truth.wolf_seats, truth.targets("bite")
    legal = [other for other in one.ask.targets if other != seat]
    if kind in HUNTS and target and legal:
        gain = float(wolves >> target & 1)
        chance = sum(wolves >> other & 1 for other in legal) / len(legal)
        return _row(game, game_id, seat, HUNTS[kind], target, gain, chance)
    if kind == "witch.antidote" and one.ask.form == "flag" and bitten:
        victim = seats_of(bitten)[0]
        worth = float(not wolves >> victim & 1)
        gain = worth if one.answer is True else 1 - worth
        return _row(game, game_id, seat, "save", victim, gain, 0.5)
    return None


def _row(game: Game, game_id: str, seat: int, skill: str, target: int, gain: float, chance: float) -> DeedRow:
    return DeedRow(game_id=game_id, seat=seat, day=game.truth.day, skill=skill, target=target, gain=gain, chance=chance)
