"""Who sits beside whom: the nearest living seat on either side, at that moment."""

from engine.bits import next_seat
from engine.state import State


def here(s: State) -> int:
    """The seats at the table now; by night nobody has been told yet who fell."""
    return (s.present if s.phase == "night" else s.living) & ~s.away


def beside(s: State, seat: int) -> int:
    """Mask of a seat's neighbours, whether it still sits there or has just left."""
    table = here(s)
    left, right = (next_seat(table, seat, s.size, step) for step in (1, -1))
    return (1 << left | 1 << right) & ~1


def beside_any(s: State, seats: tuple[int, ...]) -> int:
    """Mask of the neighbours of several seats."""
    mask = 0
    for seat in seats:
        mask |= beside(s, seat)
    return mask
