"""Widths in terminal cells: a Chinese character takes two."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, chop_cells, set_cell_size

NEVER_FIRST = frozenset("，。、！？：；）】》」』”’…,.!?:;)]}%号")
"""Characters that may not begin a line."""


def fit(text: str, cells: int) -> str:
    """The text in exactly that many cells: padded, or cut with an ellipsis."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return set_cell_size(text, cells)
    return set_cell_size(set_cell_size(text, cells - 1).rstrip() + "…", cells)


def wrap(text: str, cells: int) -> list[str]:
    """Lines of at most that many cells; breaks at spaces and between Chinese characters, never before 句读."""
    cells = max(cells, 2)
    if cell_len(text) <= cells:
        return [text.rstrip()]
    lines: list[str] = []
    line, width = "", 0
    for piece in pieces(text):
        size = cell_len(piece)
        if width + cell_len(piece.rstrip()) <= cells:
            line, width = line + piece, width + size
            continue
        if line:
            lines.append(line.rstrip())
        if size > cells:
            *whole, piece = chop_cells(piece, cells)
            lines += whole
            size = cell_len(piece)
        line, width = piece.lstrip(), size
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def pieces(text: str) -> Iterator[str]:
    """What may not be broken: a word with its spaces, a wide character with the punctuation after it."""
    piece = ""
    for char in text:
        if piece and char not in NEVER_FIRST and char != " " and (wide(char) or wide(piece[0]) or piece[-1] == " "):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def wide(char: str) -> bool:
    """Whether a line may break on either side of this character."""
    return cell_len(char) > 1
