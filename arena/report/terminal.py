"""The headline tables as text, aligned by the width of cells."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from arena.metrics.stats import Estimate
from arena.report.summary import Summary, skill_of
from arena.report.words import Words
from engine.text import clean


def width(text: str) -> int:
    """Cells that a text takes in a terminal."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def number(value: float | None, digits: int = 2) -> str:
    """A number without a leading zero; an en dash where there is none."""
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    text = text.removeprefix("-") if not float(text) else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) and float(text) else text


def interval(found: Estimate, digits: int = 2) -> str:
    """The estimate with its interval."""
    if found.low is None or found.high is None:
        return number(found.value, digits)
    return f"{number(found.value, digits)} [{number(found.low, digits)}, {number(found.high, digits)}]"


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns, the first to the left."""
    cells = [[clean(cell).replace("\n", " ") for cell in row] for row in [head, *rows]]
    wide = [max(width(row[at]) for row in cells) for at in range(len(head))]
    lines = []
    for row in cells:
        parts = [row[0] + " " * (wide[0] - width(row[0]))]
        parts += [" " * (wide[at] - width(row[at])) + row[at] for at in range(1, len(head))]
        lines.append("  ".join(parts).rstrip())
    return [lines[0], "-" * max(map(width, lines)), *lines[1:]]


def tables(summary: Summary, lang: str) -> str:
    """Everything as text."""
    say = Words(lang)
    lines = [
        f"{say('title')}: {clean(summary.name)}",
        f"{summary.games} {say('games')}, {summary.blocks} {say('blocks')}, {summary.failed} {say('failed')}",
        "",
    ]
    if summary.fit is not None and not summary.fit.identified:
        lines += [say("unidentified", rank=summary.fit.rank, needed=summary.fit.needed), ""]
    lines += [*_skills(summary, say), "", *_numbers(summary, say)]
    if summary.versus:
        lines += ["", say("versus", name=clean(summary.versus[0].reference))]
        rows = [[one.agent, interval(one.gain), number(one.p, 3), str(one.gain.n)] for one in summary.versus]
        lines += grid([say("agent"), say("gain"), "p (Holm)", "n"], rows)
    if len(summary.by_lang) > 1:
        lines += ["", say("by-lang"), *(f"{lang}  {interval(found)}" for lang, found in summary.by_lang.items())]
    return "\n".join(lines)


def _skills(summary: Summary, say: Words) -> list[str]:
    rows = []
    for row in sorted(summary.rows, key=lambda row: -_value(summary, row.agent)):
        cells = [row.agent]
        for role in ("village", "wolves"):
            skill = skill_of(summary.fit, row.agent, role)
            if skill is None:
                cells += ["–", "–"]
            else:
                cells.append(f"{skill.value:+.2f} [{skill.low:+.2f}, {skill.high:+.2f}]")
                cells.append(f"{skill.rank} ({skill.rank_low}–{skill.rank_high})")
        rows.append(cells)
    return grid([say("agent"), say("skill.v"), "#", say("skill.w"), "#"], rows)


def _value(summary: Summary, agent: str) -> float:
    skill = skill_of(summary.fit, agent, "village")
    return skill.value if skill else 0.0


def _numbers(summary: Summary, say: Words) -> list[str]:
    head = [
        say(key) for key in ("agent", "win.v", "win.w", "lift", "auroc", "brier", "talk", "lies", "stealth", "fallback")
    ]
    rows = [
        [
            row.agent,
            interval(row.village_wins),
            interval(row.wolf_wins),
            interval(row.lift),
            interval(row.auroc),
            number(row.brier_skill),
            interval(row.talk_gain),
            number(row.hard_lies.value),
            number(row.stealth.value),
            number(row.reliability.fallback.value, 3),
        ]
        for row in summary.rows
    ]
    return grid(head, rows)


def as_json(summary: Summary) -> str:
    """The headline numbers as one JSON object."""
    import msgspec

    rows = {
        row.agent: {name: value._asdict() for name, value in row._asdict().items() if isinstance(value, Estimate)}
        for row in summary.rows
    }
    fit = msgspec.to_builtins(summary.fit) if summary.fit else None
    about = {"name": summary.name, "games": summary.games, "failed": summary.failed, "deals": summary.blocks}
    versus = [{**one._asdict(), "gain": one.gain._asdict()} for one in summary.versus]
    return msgspec.json.encode({**about, "agents": rows, "fit": fit, "versus": versus}).decode()
