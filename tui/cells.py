"""Widths in terminal cells: a Chinese character takes two."""

from __future__ import annotations

import re
from bisect import bisect_right

from rich.cells import cell_len, chop_cells, set_cell_size

NEVER_FIRST = frozenset("，。、！？：；）】》」』”’…,.!?:;)]}%号")
"""Characters that may not begin a line."""
_WIDE = (
    "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
    "\U0001f300-\U0001faff\U00020000-\U0003fffd"
)  # Unicode's wide blocks (UAX #11): a line may break on either side of each of their characters
_STAY = re.escape("".join(sorted(NEVER_FIRST)))
PIECE = re.compile(rf"[{_WIDE}](?:[{_STAY} \ufe0f]|\u200d.)*|.(?:[^{_WIDE} ]|[{_STAY}]| +(?=[{_STAY}]))* *", re.DOTALL)
"""What may not be broken: a wide character with the punctuation after it, a word with its spaces."""


def fit(text: str, cells: int) -> str:
    """The text in exactly that many cells: padded, or cut with an ellipsis."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return set_cell_size(text, cells)
    return set_cell_size(set_cell_size(text, cells - 1).rstrip() + "…", cells)


def wrap(text: str, cells: int) -> list[str]:
    """Lines of at most that many cells; breaks at spaces and between Chinese characters, never before 句读."""
    return Breaks(text).rows(cells)


class Breaks:
    """A text and where it may be broken, found once for every width that it will be shown at.

    ends: where each piece ends in the text. bare, full: the cells up to there, without and with the spaces after it.
    """

    __slots__ = ("bare", "ends", "full", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.ends: list[int] = []
        self.bare: list[int] = []
        self.full: list[int] = []
        width = 0
        for found in PIECE.finditer(text):
            piece = found[0]
            width += cell_len(piece)
            self.ends.append(found.end())
            self.full.append(width)
            self.bare.append(width - len(piece) + len(piece.rstrip(" ")))

    def rows(self, cells: int) -> list[str]:
        """The text in rows of at most that many cells; a piece longer than a row is cut."""
        cells = max(cells, 2)
        text, ends, bare = self.text, self.ends, self.bare
        rows: list[str] = []
        start = base = at = 0
        while at < len(ends):
            upto = bisect_right(bare, base + cells, at)
            if upto == at:
                piece = text[start : ends[at]].rstrip(" ")
                *whole, tail = chop_cells(piece, cells)
                rows += whole
                start += len(piece) - len(tail)
                base = bare[at] - cell_len(tail)
                continue
            rows.append(text[start : ends[upto - 1]].rstrip(" "))
            start, base, at = ends[upto - 1], self.full[upto - 1], upto
        return rows or [""]
