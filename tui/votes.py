"""Who voted for whom, from the ballots a view holds."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Tie
from engine.views import View
from tui.data import data
from tui.lines import Labels, phase_title
from tui.strings import Strings


@dataclass(frozen=True, slots=True)
class Poll:
    """One ballot. rows: (target, votes, voters), most votes first."""

    title: str
    rows: tuple[tuple[int, float, tuple[int, ...]], ...]
    abstained: tuple[int, ...]
    voids: tuple[int, ...]
    tie: tuple[int, ...] = ()


def polls(view: View, strings: Strings, hide: bool = False) -> list[Poll]:
    """Every ballot in order. hide: only those that everybody saw."""
    made: list[Poll] = []
    secret = {id(event) for event in view.private}
    for event, (phase, day) in zip(view.events, view.at, strict=True):
        if isinstance(event, Tie) and made:
            last = made[-1]
            made[-1] = Poll(last.title, last.rows, last.abstained, last.voids, event.seats)
        title = data().ballots.get(event.kind)
        if title is None or (hide and id(event) in secret):
            continue
        when = phase_title(strings, phase, day).split(" · ")[0]
        made.append(
            poll(
                f"{when} · {strings(title)}",
                getattr(event, "ballots", {}),
                getattr(event, "totals", None),
                getattr(event, "voids", ()),
            )
        )
    return made


def poll(title: str, ballots: dict[int, int | None], totals: dict[int, float] | None, voids: tuple[int, ...]) -> Poll:
    """Group a ballot's voters under their targets."""
    voters: dict[int, list[int]] = {}
    for voter, target in sorted(ballots.items()):
        if target is not None:
            voters.setdefault(target, []).append(voter)
    count = totals if totals is not None else {target: len(who) for target, who in voters.items()}
    named = sorted(voters.keys() | count.keys(), key=lambda seat: (-count.get(seat, 0), seat))
    return Poll(
        title,
        tuple((seat, count.get(seat, 0), tuple(voters.get(seat, ()))) for seat in named),
        tuple(voter for voter, target in sorted(ballots.items()) if target is None),
        tuple(voids),
    )


def written(one: Poll, labels: Labels, strings: Strings) -> list[str]:
    """A ballot as lines: the title, then a target a line with its voters."""
    lines = [one.title]
    for seat, votes, voters in one.rows:
        lines.append("  " + strings("votes.row", seat=labels.words.seat(seat), n=f"{votes:g}", voters=numbers(voters)))
    if one.abstained:
        lines.append("  " + strings("votes.nobody", voters=numbers(one.abstained)))
    if one.voids:
        lines.append("  " + strings("votes.void", voters=numbers(one.voids)))
    if one.tie:
        lines.append("  " + strings("votes.tie", seats=labels.seats(one.tie)))
    return lines


def numbers(seats: tuple[int, ...]) -> str:
    """Bare seat numbers; a dash for nobody."""
    return " ".join(map(str, seats)) or "–"
