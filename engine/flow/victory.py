"""Victory windows (procedure.md 6): conditions are looked at in the ruleset's order, the first met wins alone."""

from __future__ import annotations

from engine.rules.table import Win
from engine.state import GameOver, State


def check(s: State, window: str) -> None:
    """Look for a winner at one of the rulebook's windows. Raises GameOver.

    window: night, dawn, vote, dusk, wave, explosion, ruling.
    """
    win = s.opt(Win)
    if not s.stirred or (window in ("night", "dawn", "vote", "dusk", "wave") and window not in win.check):
        return
    if not s.living and win.nobody == "draw":
        raise GameOver(())
    for camp in win.priority:
        if camp in s.members and has_won(s, win, camp, window):
            raise GameOver((camp,))


def has_won(s: State, win: Win, camp: str, window: str) -> bool:
    """Whether a camp's condition holds now."""
    pair = s.camps.get("lovers", 0) & s.living
    if camp == "lovers":
        return window != "night" and pair != 0 and lovers_win(s, win, pair)
    if camp == "wolves":
        return wolves_win(s, win, pair)
    if camp == "village":
        return window != "night" and village_wins(s, win, pair)
    return camp in s.rules and s.rules[camp].wins(window)


def lovers_win(s: State, win: Win, pair: int) -> bool:
    """The mixed pair: the last two living, or with at most one other seat."""
    others = (s.living & ~pair).bit_count()
    return others <= (1 if win.lovers == "one-other" else 0)


def wolves_win(s: State, win: Win, pair: int) -> bool:
    """kill-side: no plain or no god lives, the wolves need not; no camp but the lovers wins while their pair lives."""
    living = s.living
    if win.wolves == "kill-side":
        return not pair and any(
            not s.classes.get(side, 0) & living for side in ("plain", "god") if side in s.had_classes
        )
    wolves = s.camps.get("wolves", 0) & living
    if win.wolves == "kill-all":
        return wolves != 0 and wolves == living
    if win.wolves == "parity":
        return wolves != 0 and wolves.bit_count() * 2 >= living.bit_count()
    humans = living & ~s.wolf_seats & ~s.classes.get("none", 0)
    return humans.bit_count() < (living & s.wolf_seats).bit_count()


def village_wins(s: State, win: Win, pair: int) -> bool:
    """No wolf seat lives and somebody does; at tournament tables also a god and a plain."""
    living = s.living
    if living & s.wolf_seats or not living:
        return False
    if win.village == "no-wolf-god-and-plain":
        return not pair and all(s.classes.get(side, 0) & living for side in ("plain", "god") if side in s.had_classes)
    return True
