"""Night asks that can be put before their turn, since nothing that is still to be decided can change them.

A night's steps come one after another, but a seer learns nothing of what wolves and witch do before. Where a seat's ask
and all it knows by then are the same whatever the others answer, a model is asked while the others are, and the answer
is used when the step comes. The seat is sent nothing that it would not be sent then.
"""

from __future__ import annotations

from random import Random

from engine.asks import Ask
from engine.events import Event, Step
from engine.game import Game
from engine.views import View

AHEAD = 12  # decisions that are looked ahead
EARLY = 1_000_000  # in the journal: decision numbers of replies that came early are this and the day


def known(view: View) -> list[Event]:
    """What a seat knows, without the public calls of the night's steps, which tell nobody anything."""
    return [event for event in view.events if not isinstance(event, Step)]


def foreseen(game: Game) -> list[Ask]:
    """The asks of this night that come later and are already certain, with all that their seats will know.

    They are those that come in two different futures, to seats that have learned nothing meanwhile.
    """
    if game.public.phase != "night" or not game.asks:
        return []
    futures = [_future(game, quiet) for quiet in (True, False)]
    asked = {ask.seat for ask in game.asks}
    certain = [ask for ask in futures[0] if ask in futures[1]]
    return [ask for ask in certain if ask.seat and ask.seat not in asked]


def _future(game: Game, quiet: bool) -> list[Ask]:
    """The first ask of each seat, later this night, that comes to it with no news."""
    later = game.branch(len(game.decisions))
    day, rng = game.public.day, Random(f"{game.setup.seed}:{len(game.decisions)}:ahead")
    found: list[Ask] = []
    seen = {ask.seat for ask in game.asks}
    for _ in range(AHEAD):
        if not later.asks:
            break
        later.answer({ask.seat: ask.quiet() if quiet else _other(ask, rng) for ask in later.asks})
        if later.public.phase != "night" or later.public.day != day:
            break
        for ask in later.asks:
            if ask.seat not in seen and known(later.view(ask.seat)) == known(game.view(ask.seat)):
                found.append(ask)
            seen.add(ask.seat)
    return found


def _other(ask: Ask, rng: Random) -> object:
    """An answer that is not the quiet one, where there is another."""
    if ask.form == "text":
        return "?"  # that something was said is news to whoever hears it
    for _ in range(8):
        answer = ask.random(rng)
        if answer != ask.quiet():
            return answer
    return ask.quiet()
