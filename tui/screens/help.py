"""The help page: the keys of keys.KEYS, how to choose, and what the marks mean."""

from __future__ import annotations

from rich.text import Text

from tui.keys import KEYS, shown
from tui.lines import GLYPHS
from tui.roster import BADGE, OUT, TURN
from tui.strings import Strings

MARKS = (
    (GLYPHS["judge"], "judge"),
    (GLYPHS["speech"], "said"),
    (GLYPHS["private"], "private"),
    (OUT, "out"),
    (BADGE, "badge"),
    (TURN, "turn"),
    ("“”", "claims"),
)


def help_lines(strings: Strings) -> list[Text]:
    """One line per key and mark."""
    made = [Text(strings("help.picker"), "bold")]
    made += [Text("  " + strings(f"help.{line}")) for line in ("digits", "enter", "scroll")]
    made += [Text(""), Text(strings("help.table"), "bold")]
    for key in KEYS:
        name, label = shown(key, strings)
        made.append(Text(f"  {name}  {label}"))
    made += [Text(""), Text(strings("help.marks"), "bold")]
    made += [Text(f"  {glyph}  {strings(f'help.mark.{mark}')}") for glyph, mark in MARKS]
    return made
