"""The roster's rows, from what a view holds and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from engine.events import Event, Revealed, Said
from engine.views import Out, View
from tui.cells import fit
from tui.data import data
from tui.lines import Labels
from tui.strings import Strings

OUT, BADGE, TURN = "✗", "⚑", "▸"


@dataclass(frozen=True, slots=True)
class Row:
    """One seat. state: how and when it left, empty while it lives. tags: YOU, known card, marks."""

    seat: int
    name: str
    state: str
    tags: tuple[str, ...]
    badge: bool
    turn: bool
    you: bool


def rows(
    view: View,
    labels: Labels,
    strings: Strings,
    turn: Iterable[int] = (),
    hide: bool = False,
    own: Mapping[int, str] | None = None,
) -> list[Row]:
    """One row per seat in seat order. hide: leave out what only this seat knows. own: somebody's own marks."""
    marked = {} if hide else marks(view.private, labels, strings)
    known = open_cards(view) if hide else view.roles
    acting, said = set(turn), claimed(view) if view.over is None else {}
    made = []
    for seat in range(1, view.size + 1):
        you = seat == view.seat
        tags = [strings("hidden.short" if hide and view.over is None else "you")] if you else []
        if seat in known:
            tags.append(labels.words.role(known[seat]))
        tags += [word for word, beside in marked.get(seat, {}).items() if beside or seat not in known]
        if seat in said and (hide or known.get(seat) != said[seat]):
            tags.append(strings("claims", role=labels.words.role(said[seat])))
        if own and not hide and seat in own:
            tags.append(f"✎{own[seat]}")
        if seat == view.sheriff:
            tags.append(strings("badge"))
        out = view.out.get(seat)
        state = out_words(out, strings) if out is not None else ""
        made.append(Row(seat, labels.name(seat), state, tuple(tags), seat == view.sheriff, seat in acting, you))
    return made


def open_cards(view: View) -> dict[int, str]:
    """The cards that were turned for everybody."""
    if view.over is not None:
        return view.roles
    return {event.seat: event.role for event in view.events if isinstance(event, Revealed)}


def claimed(view: View) -> dict[int, str]:
    """The card that each seat said last in the open that it holds."""
    from players.builtin.listen import listen

    private = {id(event) for event in view.private}
    found: dict[int, str] = {}
    for event, (_, day) in zip(view.events, view.at, strict=True):
        if isinstance(event, Said) and event.text and id(event) not in private:
            for claim in listen(event.text, event.seat, view.size, day):
                if claim.act == "claim-role" and claim.subject == event.seat and claim.value and not claim.negated:
                    found[event.seat] = claim.value
    return found


def marks(private: Iterable[Event], labels: Labels, strings: Strings) -> dict[int, dict[str, bool]]:
    """Words on seats that this seat was told of, and whether each is worth showing beside a known card."""
    found: dict[int, dict[str, bool]] = {}
    for event in private:
        rule = data().marks.get(event.kind)
        if rule is None:
            continue
        value = getattr(event, rule.seats)
        if rule.mark:
            word = strings(rule.mark)
        else:
            word = strings("mark.checked", result=labels.words.result(str(getattr(event, rule.result))))
        for seat in value if isinstance(value, tuple) else (value,):
            found.setdefault(seat, {})[word] = rule.beside
    return found


def out_words(out: Out, strings: Strings) -> str:
    """How and when a seat left, by glyph and word."""
    if out.phase in ("night", "dawn") and out.cause is None:
        words = strings("out.night", day=out.day)
    else:
        words = strings.get(f"out.{out.cause}", strings("out.day", day=out.day), day=out.day)
    return f"{OUT} {words}"


def drawn(row: Row, width: int) -> Text:
    """A row in exactly that many cells; the name gives way first, then the tags."""
    fixed = f"{TURN if row.turn else ' '}{row.seat:>2}{BADGE if row.badge else ' '}"
    right = " ".join(filter(None, (row.state, *row.tags)))
    room = width - cell_len(fixed) - 1
    right_cells = min(cell_len(right), room)
    name_cells = max(room - right_cells - 1, 0)
    text = Text(no_wrap=True)
    style = "dim strike" if row.state else "bold" if row.you else ""
    text.append(fixed, style="bold" if row.turn or row.you else "dim" if row.state else "")
    text.append(" ")
    text.append(fit(row.name, name_cells), style=style if row.name else "")
    text.append(" " if name_cells else "")
    text.append(fit(right, right_cells), style="dim" if row.state else "bold" if row.you else "magenta")
    text.append(" " * max(width - text.cell_len, 0))
    return text
