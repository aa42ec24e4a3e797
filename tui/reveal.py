"""The truth, once the game is over: cards, what was done by night, who voted for whom."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from engine.events import Eliminated, Intent, Over
from engine.views import Out, View
from tui import panels
from tui.cells import fit
from tui.lines import Labels, line_of, phase_title
from tui.roster import OUT
from tui.session import PlayTable
from tui.strings import Strings

Section = tuple[str, list[Text]]


def truth(table: PlayTable) -> View:
    """The judge's view. Raises ValueError while the game runs: nobody at the table may see it then."""
    if not table.over:
        raise ValueError("the judge's log is closed until the game is over")
    return table.game.view(0)


def sections(table: PlayTable, seat: int | None, labels: Labels, strings: Strings) -> list[Section]:
    """Everything that the reveal screen shows, as titled parts."""
    view = truth(table)
    return [
        (result(view.over, labels, strings), verdict(view.over, seat, strings)),
        (strings("reveal.roles"), cards(view, seat, labels, strings)),
        (strings("reveal.nights"), nights(view, labels, strings)),
        (strings("reveal.votes"), panels.votes(view, labels, strings, hide=False)),
    ]


def result(over: Over | None, labels: Labels, strings: Strings) -> str:
    """Who has won."""
    if over is None:
        return strings("reveal.unfinished")
    if not over.winners:
        return strings("reveal.draw")
    return strings("reveal.winners", camps=", ".join(map(labels.words.camp, over.winners)))


def verdict(over: Over | None, seat: int | None, strings: Strings) -> list[Text]:
    """Whether this seat has won."""
    if over is None or not seat:
        return []
    return [Text(strings(f"reveal.you.{'won' if seat in over.seats else 'lost'}"), "bold")]


def cards(view: View, seat: int | None, labels: Labels, strings: Strings) -> list[Text]:
    """One row per seat: number, name, card, camp, whether it won, how and when it left."""
    over = view.over
    named = [labels.name(number) for number in range(1, view.size + 1)]
    roles = [labels.words.role(view.roles.get(number, "")) for number in range(1, view.size + 1)]
    camps = [labels.words.camp(camp) for camp in over.camps] if over else [""] * view.size
    columns = [column(named), column(roles), column(camps)]
    made = []
    for number, cells in enumerate(zip(*columns, strict=True), 1):
        won = fit(strings("reveal.won") if over and number in over.seats else "", cell_len(strings("reveal.won")))
        out = view.out.get(number)
        left = f"{OUT} {when_out(out, strings)} {labels.words.cause(out.cause or '')}" if out else ""
        you = strings("you") if number == seat else ""
        row = " ".join((f"{number:>2}", *cells, won, left, you)).rstrip()
        made.append(Text(row, "bold" if you else ""))
    return made


def column(words: list[str]) -> list[str]:
    """Words padded to the widest of them."""
    widest = max(map(cell_len, words), default=0)
    return [fit(word, widest) if widest else word for word in words]


def when_out(out: Out, strings: Strings) -> str:
    """The night or day on which a seat left."""
    return strings("night" if out.phase == "night" else "day", day=out.day)


def nights(view: View, labels: Labels, strings: Strings) -> list[Text]:
    """By night: what was done, told and talked of in the dark, and who fell."""
    parts: dict[str, list[Text]] = {}
    hidden = {id(event) for event in view.private}
    for event, (phase, day) in zip(view.events, view.at, strict=True):
        if id(event) not in hidden or phase not in ("setup", "night") or event.kind in ("role.dealt", "said"):
            continue
        rows = parts.setdefault(phase_title(strings, phase, day), [])
        if isinstance(event, Intent):
            rows.append(Text("  " + act(event, view, labels, strings)))
        elif isinstance(event, Eliminated):
            died = strings("reveal.died", seat=labels.seat(event.seat), cause=labels.words.cause(event.cause))
            rows.append(Text("  " + died, "bold"))
        else:
            rows += [Text("  " + line.text, "dim") for line in line_of(event, True, labels, strings)]
    return [row for title, rows in parts.items() if rows for row in (Text(title, "bold"), *rows)]


def act(event: Intent, view: View, labels: Labels, strings: Strings) -> str:
    """What a seat did in the dark."""
    answer = tuple(event.answer) if isinstance(event.answer, list) else event.answer
    return strings(
        "reveal.act",
        seat=labels.words.seat(event.seat),
        role=labels.words.role(view.roles.get(event.seat, "")),
        act=labels.words.ask_name(event.ask),
        answer=labels.words.answer(event.ask, answer),
    )
