"""Tables of text whose columns stay straight when a Chinese character takes two cells."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> list[str]:
    """One line for each row, columns two cells apart. right: columns whose text stands at their right edge."""
    from rich.cells import cell_len

    if not rows:
        return []
    widths = [max(cell_len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for at, (text, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cell_len(text))
            cells.append(gap + text if at in right else text + gap)
        lines.append("  ".join(cells).rstrip())
    return lines
