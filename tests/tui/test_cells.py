from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.cells import NEVER_FIRST, fit, wrap


@pytest.mark.parametrize(("text", "cells"), [("阿明", 6), ("阿明", 3), ("Alexandria", 5), ("", 4), ("阿a明b", 4)])
def test_fit_is_exact(text: str, cells: int) -> None:
    assert cell_len(fit(text, cells)) == cells


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "M", "Z"]), max_size=200), st.integers(4, 60))
def test_wrap_loses_nothing_and_never_overflows(text: str, cells: int) -> None:
    lines = wrap(text, cells)
    assert "".join(lines) == text
    assert all(cell_len(line) <= cells for line in lines)


def test_no_line_begins_with_punctuation() -> None:
    lines = wrap("我昨晚查验了七号，他是好人。我们今天先听三号怎么说，再决定投谁！" * 5, 20)
    assert all(line[0] not in NEVER_FIRST for line in lines)


def test_words_stay_whole() -> None:
    assert wrap("seat three says nothing", 11) == ["seat three", "says", "nothing"]
