"""Charts of one game: beliefs over time, suspicions, votes and claims, with the cards turned."""

from __future__ import annotations

from arena.annotate.tables import BeliefRow, Tables
from arena.report.charts import legend
from arena.report.svg import Scale, Svg
from arena.report.words import Words

CELL = 44.0


def names(game: Tables) -> dict[int, str]:
    """Seats with their cards; a moon marks the wolves, beside colour."""
    return {row.seat: f"{row.seat} {row.role}{' ☾' if row.wolf else ''}" for row in game.seats}


def last_of_day(game: Tables) -> dict[tuple[int, int], BeliefRow]:
    """The last belief by (day, observer)."""
    return {(row.day, row.observer): row for row in game.beliefs}


def heat(game: Tables, say: Words) -> str:
    """The village's mean suspicion of each seat by day."""
    last = last_of_day(game)
    days = sorted({day for day, _ in last})
    if not days:
        return ""
    left, label = 150.0, names(game)
    svg = Svg(left + CELL * len(days) + 10, 28 + 26 * len(game.seats), say("heat"))
    for at, day in enumerate(days):
        svg.text(left + CELL * (at + 0.5), 18, say("day", n=day), anchor="middle", cls="s")
    for row in game.seats:
        y = 24.0 + 26 * (row.seat - 1)
        svg.text(left - 8, y + 16, label[row.seat], anchor="end", cls="wt" if row.wolf else "t")
        for at, day in enumerate(days):
            told = [
                p
                for (when, observer), belief in last.items()
                if when == day and belief.team == "village" and observer != row.seat
                for p in [belief.p_wolf[row.seat - 1]]
                if p is not None
            ]
            if told:
                _cell(svg, left + CELL * at, y, sum(told) / len(told), label[row.seat])
    return svg.done()


def _cell(svg: Svg, x: float, y: float, p: float, tip: str) -> None:
    svg.rect(x + 1, y, CELL - 2, 24, "w", tip=f"{tip}: {p:.2f}", opacity=0.06 + 0.8 * p)
    svg.text(x + CELL / 2, y + 16, f"{p:.0%}", anchor="middle", cls="n1")


def suspicion(game: Tables, say: Words) -> str:
    """The last beliefs of everybody about everybody."""
    last = {row.observer: row for row in game.beliefs}
    if not last:
        return ""
    left, label = 150.0, names(game)
    svg = Svg(left + CELL * len(game.seats) + 10, 28 + 26 * len(last), say("suspicion"))
    for row in game.seats:
        mark = f"{row.seat}{' ☾' if row.wolf else ''}"
        x = left + CELL * (row.seat - 0.5)
        svg.text(x, 18, mark, anchor="middle", cls="wt" if row.wolf else "t")
    wolves = {row.seat for row in game.seats if row.wolf}
    for line, observer in enumerate(sorted(last)):
        y = 24.0 + 26 * line
        svg.text(left - 8, y + 16, label[observer], anchor="end", cls="wt" if observer in wolves else "t")
        for at, p in enumerate(last[observer].p_wolf):
            if p is not None and at + 1 != observer:
                _cell(svg, left + CELL * at, y, p, f"{label[observer]} → {label[at + 1]}")
    return svg.done()


def flow(game: Tables, say: Words) -> str:
    """From voters to targets, a column a ballot."""
    rounds = sorted({(row.day, row.round) for row in game.ballots})
    if not rounds:
        return ""
    size, gap = len(game.seats), 190.0
    svg = Svg(60 + gap * len(rounds), 40 + 24 * (size + 1), say("flow"))
    wolves = {row.seat for row in game.seats if row.wolf}
    for at, (day, number) in enumerate(rounds):
        x = 40 + gap * at
        svg.text(x, 14, say("day", n=day) + (f" ({number})" if number > 1 else ""), cls="s")
        rows = [row for row in game.ballots if (row.day, row.round) == (day, number)]
        for row in rows:
            y, to = 24.0 + 24 * row.voter, 24.0 + 24 * (row.target or size + 1)
            cls = "flow hit" if row.hit else "flow"
            svg.add(
                f'<path d="M{x + 12:.0f} {y:.0f} C{x + 60:.0f} {y:.0f} {x + 75:.0f} {to:.0f} {x + 122:.0f} {to:.0f}" '
                f'class="{cls}"><title>{row.voter} → {row.target or "–"}</title></path>'
            )
        for seat in {row.voter for row in rows}:
            _node(svg, x, seat, wolves)
        for target in {row.target for row in rows}:
            if target is None:
                svg.text(x + 118, 28.0 + 24 * (size + 1), say("nobody"), cls="s")
            else:
                _node(svg, x + 134, target, wolves)
    return svg.done()


def _node(svg: Svg, x: float, seat: int, wolves: set[int]) -> None:
    y = 24.0 + 24 * seat
    svg.dot(x, y, "w" if seat in wolves else "v", r=10)
    svg.text(x, y + 4, str(seat), anchor="middle", cls="node")


def claims(game: Tables, say: Words) -> str:
    """A line a seat, a mark a claim, in order."""
    rows = [row for row in game.claims if row.public and row.label != "NONE"]
    if not rows:
        return ""
    left, label = 150.0, names(game)
    seqs = sorted({row.seq for row in rows})
    width = max(420.0, min(1100.0, 26.0 * len(seqs)))
    svg = Svg(left + width + 20, 54 + 26 * len(game.seats), say("claims"))
    x = Scale(0, max(1, len(seqs) - 1), left + 12, left + width)
    place = {seq: at for at, seq in enumerate(seqs)}
    for seat in game.seats:
        y = 24.0 + 26 * (seat.seat - 1)
        svg.line(left, y, left + width + 12, y, "grid")
        svg.text(left - 8, y + 4, label[seat.seat], anchor="end", cls="wt" if seat.wolf else "t")
    stacked: dict[int, int] = {}
    for row in rows:
        at = stacked[row.seq] = stacked.get(row.seq, -1) + 1
        what = f"{row.act} {row.value or ''} {row.target or ''}".strip()
        y = 24.0 + 26 * (row.speaker - 1) + 5 * (at % 3) - 5
        svg.dot(x(place[row.seq]) + 3 * at, y, f"L-{row.label}", r=5, tip=f"{row.speaker}: {what}: {say(row.label)}")
    used = list(dict.fromkeys(row.label for row in rows))
    legend(svg, left, svg.height - 14, [(f"L-{name}", say(name)) for name in used])
    return svg.done()
