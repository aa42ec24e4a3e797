"""Sets of seats as integers: bit s is seat s, bit 0 is the judge."""

from functools import cache

JUDGE = 1
EVERYONE = -1


@cache
def seats_of(mask: int) -> tuple[int, ...]:
    """The seats in a mask, ascending."""
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def mask_of(seats: "tuple[int, ...] | list[int] | set[int] | frozenset[int]") -> int:
    """The mask that holds these seats."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def next_seat(mask: int, seat: int, size: int, step: int = 1) -> int:
    """The first seat of the mask clockwise from `seat` (step -1: the other way), not itself; 0 if there is none."""
    for away in range(1, size):
        other = (seat - 1 + step * away) % size + 1
        if mask >> other & 1:
            return other
    return 0


def circle_from(mask: int, seat: int, size: int, step: int = 1) -> tuple[int, ...]:
    """The seats of the mask in the order met going round from `seat` itself."""
    round_table = ((seat - 1 + step * away) % size + 1 for away in range(size))
    return tuple(other for other in round_table if mask >> other & 1)
