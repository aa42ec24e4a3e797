"""Victory windows (procedure.md 6): conditions are looked at in the ruleset's order, the first met wins alone."""

from __future__ import annotations

from engine.facts import GameOver
from engine.rules.table import Win
from engine.state import State

KILL_SIDES = ("plain", "god")
SHARED = ("prejudiced",)
"""The one camp whose win does not keep another's, met in the same instant, from counting."""


def check(s: State, window: str) -> None:
    """Look for a winner at one of the rulebook's windows. Raises GameOver.

    window: night, dawn, vote, dusk, wave, or a window that every table has: explosion, ruling, event.
    """
    win = s.opt(Win)
    if not s.stirred or (window in ("night", "dawn", "vote", "dusk", "wave") and window not in win.check):
        return
    for hook in s.on.ends:
        if hook(window):
            return
    if not s.living and win.nobody == "draw":
        raise GameOver(())
    for camp in win.priority:
        if s.camps.get(camp) and camp not in s.lost and has_won(s, win, camp, window):
            raise GameOver(shared(s, win, camp, window))
    if win.village == "last-camp":
        judge_lost(s)
    if window != "night" and nobody_can(s, win):
        raise GameOver(())


def nobody_can(s: State, win: Win) -> bool:
    """No wolf seat, pair or solo camp lives, and the village's own condition is out of reach: a draw."""
    if not s.living or win.village == "last-camp":
        return not s.living
    if s.wolf_seats & s.living:
        return False
    solo = 0
    for camp in s.solo:
        solo |= s.camps.get(camp, 0)
    return not (s.camps.get("lovers", 0) | solo) & s.living and not village_wins(s, win, 0)


def shared(s: State, win: Win, camp: str, window: str) -> tuple[str, ...]:
    """The winners when a camp has won: it alone, but for the shared win."""
    others = [
        other
        for other in win.priority
        if other != camp and s.camps.get(other) and other not in s.lost and has_won(s, win, other, window)
    ]
    return (camp, *(others if camp in SHARED else [other for other in others if other in SHARED]))


def has_won(s: State, win: Win, camp: str, window: str) -> bool:
    """Whether a camp's condition holds now."""
    if s.on.claims:
        claimed = [verdict for hook in s.on.claims if (verdict := hook(camp, window)) is not None]
        if claimed:
            return any(claimed)
    pair = lovers(s) if s.camps.get("lovers") else 0
    if camp == "wolves":
        return wolves_win(s, win, pair)
    if window == "night" and not (camp in s.solo and s.solo[camp].in_place):
        return False
    if camp == "lovers":
        return lovers_win(s, win, pair)
    if camp == "village":
        return village_wins(s, win, pair)
    return camp in s.solo and s.solo[camp].wins(window)


def lovers(s: State) -> int:
    """The living of the mixed pair's camp while the pair lives; 0: there is none, or one has outlived the other."""
    camp = s.camps.get("lovers", 0) & s.living
    return camp if (camp & s.marked("lover")).bit_count() > 1 else 0


def lovers_win(s: State, win: Win, pair: int) -> bool:
    """The mixed pair: the last two living, or with at most one other seat; else as the last camp not lost.

    One that has outlived the other (grief may rest) wins only when nobody else lives.
    """
    if win.lovers == "last-camp" and win.village == "last-camp":
        return False
    camp = s.camps.get("lovers", 0) & s.living
    others = (s.living & ~camp).bit_count()
    return camp != 0 and others <= (1 if pair and win.lovers == "one-other" else 0)


def wolves_win(s: State, win: Win, pair: int) -> bool:
    """kill-side: no plain or no god lives, the wolves need not; no camp but the lovers wins while their pair lives."""
    living = s.living
    if win.wolves == "kill-side":
        return not pair and bool(dead_sides(s))
    wolves = s.camps.get("wolves", 0) & living
    if not wolves & ~s.allies and win.wolves in ("kill-all", "parity"):
        return False
    if win.wolves == "kill-all":
        return wolves != 0 and wolves == living
    if win.wolves == "parity":
        return wolves != 0 and wolves.bit_count() * 2 >= living.bit_count()
    humans = living & ~s.wolf_seats & ~s.classes.get("nothing", 0)
    return humans.bit_count() < (living & s.wolf_seats).bit_count()


def dead_sides(s: State) -> list[str]:
    """Of plain villagers and gods, those that the deal had and that have nobody living."""
    classes, living = s.classes, s.living
    return [side for side in KILL_SIDES if side in s.had_classes and not classes[side] & living]


def village_wins(s: State, win: Win, pair: int) -> bool:
    """No wolf seat lives and somebody does; at tournament tables also a god and a plain."""
    living = s.living
    if win.village == "last-camp" or living & s.wolf_seats or not living:
        return False
    if win.village == "no-wolf-god-and-plain":
        return not pair and not dead_sides(s)
    return True


def judge_lost(s: State) -> None:
    """Extended: camps that can win no more are lost, silently; the last one not lost wins. Raises GameOver."""
    living, charmed = s.living, s.marked("charmed")
    for camp in s.members - s.lost:
        members = s.camps.get(camp, 0)
        if camp in ("wolves", "village"):
            if camp == "village":
                members |= s.camps.get("angel", 0)
            gone = not members & living & ~charmed & ~s.allies
        elif camp == "lovers":
            gone = not members & living
        else:
            gone = camp in s.solo and s.solo[camp].lost()
        if gone:
            s.lost.add(camp)
    left = s.members - s.lost
    if len(left) <= 1:
        raise GameOver(tuple(left))
