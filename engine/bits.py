"""Sets of seats as integers: bit s is seat s, bit 0 is the judge."""

from functools import cache

JUDGE = 1
EVERYONE = -1


@cache
def seats_of(mask: int, first: int = 0) -> tuple[int, ...]:
    """The seats in a mask, ascending. first: the seat that the lowest bit stands for."""
    if mask > 511:  # of a large table both halves are well known
        return seats_of(mask & 511, first) + seats_of(mask >> 9, first + 9)
    return tuple(first + bit for bit in range(mask.bit_length()) if mask >> bit & 1)


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
    if step < 0:
        return circle_from(mask, seat % size + 1, size)[::-1]
    return seats_of(mask >> seat, seat) + seats_of(mask & (1 << seat) - 1)
