"""Charts of an evaluation. Every mark has its numbers as a tooltip; colour never carries a meaning alone."""

from __future__ import annotations

from collections.abc import Sequence

from arena.annotate.tables import LABELS
from arena.metrics.stats import Estimate
from arena.report.summary import Summary, skill_of
from arena.report.svg import Scale, Svg, wide
from arena.report.terminal import interval, number
from arena.report.words import Words

LEFT, RIGHT, LINE = 120.0, 24.0, 34.0
WIDTH = 620.0


def left_of(names: Sequence[str]) -> float:
    """Room for names."""
    return min(220.0, max([60.0, *(wide(name) + 14 for name in names)]))


def axis(svg: Svg, scale: Scale, top: float, bottom: float, zero: float | None = None) -> None:
    """Ticks below, a grid, and a line at `zero`."""
    for tick in scale.ticks(7):
        svg.line(scale(tick), top, scale(tick), bottom, "grid")
        svg.text(
            scale(tick), bottom + 15, number(tick, 1 if abs(tick) >= 1 or tick == 0 else 2), anchor="middle", cls="s"
        )
    if zero is not None and scale.low <= zero <= scale.high:
        svg.line(scale(zero), top, scale(zero), bottom, "zero")


def leaderboard(summary: Summary, say: Words) -> str:
    """Forest plot of both skills with rank intervals."""
    fit = summary.fit
    if fit is None:
        return ""
    agents = sorted({skill.agent for skill in fit.skills}, key=lambda name: -_village(summary, name))
    ends = [end for skill in fit.skills for end in (skill.low, skill.high)]
    left = left_of(agents)
    svg = Svg(WIDTH, 40 + LINE * len(agents) + 30, say("leaderboard"))
    bottom = svg.height - 30
    scale = Scale(min([-0.5, *ends]) - 0.1, max([0.5, *ends]) + 0.1, left, WIDTH - 100)
    legend(svg, left, 12, [("v", say("village")), ("w", say("wolves"))])
    axis(svg, scale, 24, bottom, 0.0)
    for at, name in enumerate(agents):
        y = 40 + LINE * at
        svg.text(left - 8, y + 8, name, anchor="end")
        for shift, role, cls in ((0.0, "village", "v"), (11.0, "wolves", "w")):
            skill = skill_of(fit, name, role)
            if skill is None:
                continue
            tip = f"{name}, {say(role)}: {skill.value:+.2f} [{skill.low:+.2f}, {skill.high:+.2f}]"
            svg.line(scale(skill.low), y + shift, scale(skill.high), y + shift, f"bar {cls}l")
            svg.dot(scale(skill.value), y + shift, cls, tip=tip)
            ranks = f"#{skill.rank} [{skill.rank_low}–{skill.rank_high}]"
            svg.text(WIDTH - 92, y + shift + 4, ranks, cls=f"s {cls}t")
    return svg.done()


def _village(summary: Summary, name: str) -> float:
    skill = skill_of(summary.fit, name, "village")
    return skill.value if skill else 0.0


def legend(svg: Svg, x: float, y: float, items: Sequence[tuple[str, str]]) -> None:
    """Colours and their names, in a row."""
    for cls, text in items:
        svg.dot(x + 5, y, cls)
        svg.text(x + 15, y + 4, text, cls="s")
        x += 34 + wide(text)


def matrix(summary: Summary, say: Words) -> str:
    """Village wins by pairing."""
    rows = sorted({v for v, _ in summary.matrix})
    columns = sorted({w for _, w in summary.matrix})
    if not rows:
        return ""
    left, cell = left_of(rows), 92.0
    svg = Svg(left + cell * len(columns) + 10, 34 + 40 * len(rows), say("matrix"))
    for at, name in enumerate(columns):
        svg.text(left + cell * (at + 0.5), 20, name, anchor="middle")
    for line, village in enumerate(rows):
        y = 30.0 + 40 * line
        svg.text(left - 8, y + 22, village, anchor="end")
        for at, wolves in enumerate(columns):
            found = summary.matrix.get((village, wolves))
            if found is None or found.value is None:
                continue
            x = left + cell * at
            tip = f"{village} / {wolves}: {interval(found)}, n={found.n}"
            svg.rect(x + 1, y + 1, cell - 2, 36, "v", tip=tip, opacity=0.12 + 0.6 * found.value)
            svg.text(x + cell / 2, y + 17, f"{found.value:.0%}", anchor="middle", cls="b")
            svg.text(x + cell / 2, y + 31, interval(found).partition(" ")[2], anchor="middle", cls="n1")
    return svg.done()


def forest(
    rows: Sequence[tuple[str, Sequence[tuple[str, Estimate]]]], label: str, zero: float | None, low: float, high: float
) -> str:
    """Estimates with intervals, several marks a line."""
    known = [
        e for _, marks in rows for _, found in marks for e in (found.low, found.high, found.value) if e is not None
    ]
    if not known:
        return ""
    left = left_of([name for name, _ in rows])
    svg = Svg(WIDTH, 24 + 28 * len(rows) + 26, label)
    bottom = svg.height - 26
    scale = Scale(min([low, *known]), max([high, *known]), left, WIDTH - RIGHT)
    axis(svg, scale, 10, bottom, zero)
    for at, (name, marks) in enumerate(rows):
        y = 24.0 + 28 * at
        svg.text(left - 8, y + 6, name, anchor="end")
        for number_of, (cls, found) in enumerate(marks):
            if found.value is None:
                continue
            place = y + 9 * number_of
            if found.low is not None and found.high is not None:
                svg.line(scale(found.low), place, scale(found.high), place, "bar nl")
            svg.dot(scale(found.value), place, cls, tip=f"{name}: {interval(found, 3)}, n={found.n}")
    return svg.done()


def lift(summary: Summary, say: Words) -> str:
    """Vote lift, plain and adjusted for knowledge."""
    rows = [(row.agent, [("v", row.lift), ("hollow", row.adjusted)]) for row in summary.rows]
    return forest(rows, say("lift"), 0.0, -0.1, 0.2)


def seats(summary: Summary, say: Words) -> str:
    """Seat bias."""
    rows = [(f"{say('seat')} {seat}", [("n", found)]) for seat, found in summary.seats.items()]
    return forest(rows, say("seats"), 0.5, 0.3, 0.7)


def calibration(summary: Summary, say: Words) -> str:
    """Reliability diagram, one line an agent."""
    if not summary.curve:
        return ""
    svg = Svg(420, 330, say("calibration"))
    x, y = Scale(0, 1, 50, 400), Scale(0, 1, 270, 20)
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        svg.line(x(tick), y(0), x(tick), y(1), "grid")
        svg.line(x(0), y(tick), x(1), y(tick), "grid")
        svg.text(x(tick), 285, number(tick), anchor="middle", cls="s")
        svg.text(44, y(tick) + 4, number(tick), anchor="end", cls="s")
    svg.line(x(0), y(0), x(1), y(1), "dash")
    for at, (agent, points) in enumerate(summary.curve):
        svg.path([(x(p), y(share)) for p, share, _ in points], f"curve c{at % 6}l")
        for p, share, n in points:
            svg.dot(x(p), y(share), f"c{at % 6}", r=4, tip=f"{agent}: {p:.2f} → {share:.2f}, n={n}")
    svg.text(225, 300, say("belief"), anchor="middle", cls="s")
    svg.text(50, 12, say("share"), cls="s")
    legend(svg, 50, 318, [(f"c{at % 6}", agent) for at, (agent, _) in enumerate(summary.curve)])
    return svg.done()


def labels(summary: Summary, say: Words) -> str:
    """Stacked shares of labels by agent and team."""
    keys = sorted(summary.labels)
    if not keys:
        return ""
    names = [f"{agent}, {say(team)}" for agent, team in keys]
    left = left_of(names)
    svg = Svg(WIDTH, 16 + 26 * len(keys), say("labels"))
    for line, (key, name) in enumerate(zip(keys, names, strict=True)):
        counts = summary.labels[key]
        total, x, y = counts.total(), left, 8.0 + 26 * line
        svg.text(left - 8, y + 14, name, anchor="end")
        for label in LABELS:
            if counts[label]:
                size = (WIDTH - left - 60) * counts[label] / total
                tip = f"{name}: {say(label)} {counts[label]} ({counts[label] / total:.0%})"
                svg.rect(x, y, size - 1, 19, f"L-{label}", tip=tip)
                x += size
        svg.text(x + 6, y + 14, f"n={total}", cls="s")
    return svg.done()


def scatter(summary: Summary, say: Words, kind: str) -> str:
    """kind: sides (wolf against village skill) or cost (tokens against vote lift)."""
    points = []
    for row in summary.rows:
        if kind == "sides":
            village, wolves = (skill_of(summary.fit, row.agent, role) for role in ("village", "wolves"))
            if village and wolves:
                points.append((row.agent, village.value, wolves.value))
        elif row.lift.value is not None:
            tokens = row.reliability.tokens_in + row.reliability.tokens_out
            points.append((row.agent, tokens / 1000, row.lift.value))
    if not points:
        return ""
    svg = Svg(420, 320, say("scatter" if kind == "sides" else "cost"))
    pad = 0.25 if kind == "sides" else 0.05
    xs, ys = [p[1] for p in points], [p[2] for p in points]
    spread = (max(xs) - min(xs)) * 0.15 + (0.25 if kind == "sides" else 1)
    x = Scale(min(xs) - spread if kind == "sides" else 0, max(xs) + spread, 56, 400)
    y = Scale(min(ys) - pad, max(ys) + pad, 270, 16)
    axis(svg, x, 16, 270, 0.0 if kind == "sides" else None)
    for tick in y.ticks():
        svg.line(56, y(tick), 400, y(tick), "grid")
        svg.text(50, y(tick) + 4, number(tick), anchor="end", cls="s")
    if y.low <= 0 <= y.high:
        svg.line(56, y(0), 400, y(0), "zero")
    for at, (agent, a, b) in enumerate(points):
        svg.dot(x(a), y(b), f"c{at % 6}", r=6, tip=f"{agent}: {a:.2f}, {b:.2f}")
        right = x(a) < 330
        lifted = -7 if at % 2 else 12  # neighbours' names must not meet
        svg.text(x(a) + (9 if right else -9), y(b) + lifted, agent, anchor="start" if right else "end")
    svg.text(228, 306, say("skill.v") if kind == "sides" else say("ktok"), anchor="middle", cls="s")
    svg.text(56, 11, say("skill.w") if kind == "sides" else say("lift"), cls="s")
    return svg.done()
