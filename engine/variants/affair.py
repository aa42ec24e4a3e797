"""The harvest's secret affair (variants.md 4): one of the lovers and a third."""

from collections.abc import Iterable

from engine.bits import seats_of
from engine.events import Event, registered
from engine.facts import Death
from engine.state import State

DECEIVER, THIRD, ABANDONED = "deceiver", "third", "abandoned"


@registered
class AffairLink(Event, frozen=True, tag="affair.link"):
    """One of the two learns the other."""

    partner: int


def begin(s: State, deceiver: int, third: int) -> None:
    """The two know each other; the other lover is not told."""
    s.mark(DECEIVER, 1 << deceiver)
    s.mark(THIRD, 1 << third)
    s.mark(ABANDONED, s.marked("lover") & ~(1 << deceiver))
    s.tell(deceiver, AffairLink(third))
    s.tell(third, AffairLink(deceiver))


def grief(s: State, death: Death) -> Iterable[Death]:
    """With the deceiver go both; with the third the deceiver alone; with the abandoned nobody."""
    bit = 1 << death.seat
    following = 0
    if s.marked(DECEIVER) & bit:
        over_third = death.after is not None and s.marked(THIRD) >> death.after.seat & 1 and death.cause == "grief"
        following = 0 if over_third else s.marked(ABANDONED) | s.marked(THIRD)
    elif s.marked(THIRD) & bit:
        following = s.marked(DECEIVER)
    for seat in seats_of(following & s.living):
        yield Death(seat, ["grief"], after=death)


def spared(s: State, voter: int) -> int:
    """Against whom this seat may not vote."""
    bit = 1 << voter
    if s.marked(DECEIVER) & bit:
        return s.marked(ABANDONED) | s.marked(THIRD)
    return s.marked(DECEIVER) if s.marked(THIRD) & bit else 0


def pair_alone(s: State) -> bool:
    """Whether nobody lives but a mixed pair and possibly the third."""
    pair = s.camps.get("lovers", 0) & s.living
    return pair != 0 and bool(s.marked(THIRD)) and not s.living & ~pair & ~s.marked(THIRD)


def named(answer: object) -> tuple[int, int] | None:
    """Deceiver and third out of cupid's answer."""
    return (int(answer[0]), int(answer[1])) if isinstance(answer, tuple) and len(answer) == 2 else None


__all__ = ["begin", "grief", "named", "pair_alone", "spared"]
