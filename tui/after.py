"""What became of a game: who claimed what, how suspicion ran, how one might have voted. For games that are over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from engine.asks import Ask
from engine.bits import EVERYONE
from engine.events import Dawn, Eliminated
from engine.game import Game
from engine.rules.ruleset import roles
from engine.views import View
from judge.lines import Asked, DecisionLine
from players.base import Claim
from tui import panels, reveal
from tui.cells import fit
from tui.lines import Labels, line_of, phase_title
from tui.reveal import Section
from tui.strings import Strings
from tui.tape import Tape

BARS = "▁▂▃▄▅▆▇█"
VOTE = "day.vote"
RESULTS = {"good": False, "bad": True}


@dataclass(frozen=True, slots=True)
class Made:
    """A claim as it was made. when: phase and day. cards: who held what then. true: None where that cannot be told."""

    seat: int
    claim: Claim
    when: tuple[str, int]
    cards: dict[int, str]

    @property
    def true(self) -> bool | None:
        """Whether it was so."""
        claim, value = self.claim, self.claim.value or ""
        if claim.act == "claim-role":
            held = self.cards.get(claim.subject) == value if value in roles() else None
        else:
            card = roles().get(self.cards.get(claim.target or 0, ""))
            if card is None:
                held = None
            elif value in RESULTS:
                held = card.wolf_card is RESULTS[value]
            elif value in roles():
                held = card.id == value
            else:
                held = card.camp == value if value in ("village", "wolves") else None
        return held if held is None or not claim.negated else not held


def sections(tape: Tape, seat: int | None, labels: Labels, strings: Strings) -> list[Section]:
    """Everything about a record that is over, as titled parts. Raises ValueError while it may go on."""
    if tape.record.result is None:
        raise ValueError("the judge's log is closed until the game is over")
    view = tape.game.view(0)
    made = [
        (reveal.result(view.over, labels, strings), reveal.verdict(view.over, seat, strings)),
        (strings("reveal.roles"), reveal.cards(view, seat, labels, strings)),
        (strings("after.turns"), turns(view, labels, strings)),
        (strings("after.claims"), claimed(tape, labels, strings)),
        (strings("after.beliefs"), suspicion(tape, labels, strings)),
    ]
    if seat:
        made.append((strings("after.own"), own_votes(tape, seat, labels, strings)))
    made += [
        (strings("reveal.nights"), reveal.nights(view, labels, strings)),
        (strings("reveal.votes"), panels.votes(view, labels, strings, hide=False)),
    ]
    return [section for section in made if section[1] or section is made[0]]


def moments(tape: Tape) -> Iterator[tuple[Game, DecisionLine]]:
    """Every decision with the game as it stood before it."""
    game = Game(tape.setup)
    for line in tape.record.decisions:
        yield game, line
        game.apply(line.decision())


def when(at: tuple[str, int], strings: Strings) -> str:
    """A day or night."""
    return phase_title(strings, *at).split(" · ")[0]


# ---------------------------------------------------------------- claims


def claims(tape: Tape) -> list[Made]:
    """Cards and results claimed, in order. Those of people are heard out of their words."""
    found: list[Made] = []
    for game, line in moments(tape):
        cards = None
        for asked in line.asked:
            for claim in _claims_of(asked, tape, game):
                if claim.act in ("claim-role", "claim-result") and asked.ask.seat:
                    cards = cards or dict(game.view(0).roles)
                    made = Made(asked.ask.seat, claim, (game.public.phase, game.public.day), cards)
                    if not any((old.seat, old.claim) == (made.seat, claim) for old in found):
                        found.append(made)
    return found


def _claims_of(asked: Asked, tape: Tape, game: Game) -> tuple[Claim, ...]:
    if asked.claims or asked.ask.seat not in tape.people or asked.ask.seen != EVERYONE:
        return asked.claims
    from players.builtin.listen import listen

    text = asked.answer.get("text") if isinstance(asked.answer, dict) else asked.answer
    return listen(text, asked.ask.seat, tape.setup.size, game.public.day) if isinstance(text, str) else ()


def claimed(tape: Tape, labels: Labels, strings: Strings) -> list[Text]:
    """Each claim with whether it was so."""
    rows = []
    for made in claims(tape):
        mark = {True: "✓", False: "✗", None: "·"}[made.true]
        claim = made.claim
        kind = "role" if claim.act == "claim-role" and claim.subject == made.seat else "other"
        kind = "result" if claim.act == "claim-result" else kind
        said = strings(
            f"after.claim.{kind}",
            when=when(made.when, strings),
            seat=labels.seat(made.seat),
            card=labels.words.role(made.cards.get(made.seat, "")),
            target=labels.words.seat(claim.target or 0),
            subject=labels.words.seat(claim.subject),
            value=_value(claim.value or "", labels, strings),
        )
        rows.append(Text(f"{mark} {said}", "bold" if made.true is False else ""))
    return rows or [Text(strings("after.claims.none"))]


def _value(value: str, labels: Labels, strings: Strings) -> str:
    if value in roles():
        return labels.words.role(value)
    if value in ("village", "wolves"):
        return labels.words.camp(value)
    return strings.get(f"after.value.{value}", labels.words.result(value))


# ---------------------------------------------------------------- beliefs


def beliefs(tape: Tape) -> dict[int, dict[int, float]]:
    """By day and seat: how likely those who are no wolves thought, on the mean, that it is one."""
    held: dict[int, dict[int, dict[int, float]]] = {}
    for game, line in moments(tape):
        for asked in line.asked:
            card = roles().get(game.view(0).roles.get(asked.ask.seat, ""))
            if asked.beliefs and card is not None and not card.wolf_card and game.public.phase != "night":
                held.setdefault(game.public.day, {})[asked.ask.seat] = asked.beliefs
    return {day: _mean(list(by_seat.values())) for day, by_seat in sorted(held.items())}


def _mean(several: list[dict[int, float]]) -> dict[int, float]:
    by_seat: dict[int, list[float]] = {}
    for one in several:
        for seat, chance in one.items():
            by_seat.setdefault(seat, []).append(chance)
    return {seat: sum(chances) / len(chances) for seat, chances in by_seat.items()}


def suspicion(tape: Tape, labels: Labels, strings: Strings) -> list[Text]:
    """A row per seat: a bar and a number for each day."""
    days = beliefs(tape)
    if not days:
        return [Text(strings("after.beliefs.none"))]
    over = tape.game.outcome
    names = [labels.seat(seat) for seat in range(1, tape.setup.size + 1)]
    cards = [labels.words.role(role) for role in (over.roles if over else tape.setup.seats)]
    wide, held = max(map(cell_len, names)), max(map(cell_len, cards))
    head = " " * (wide + held + 3) + " ".join(fit(when(("day", day), strings), 7) for day in days)
    rows = [Text(head, "dim")]
    for seat, name in enumerate(names, 1):
        wolf = roles()[over.roles[seat - 1] if over else tape.setup.seats[seat - 1]].wolf_card
        row = Text(f"{fit(name, wide)} {fit(cards[seat - 1], held)}  ", "bold" if wolf else "")
        for found in days.values():
            row.append(_bar(found.get(seat)) + " ")
        rows.append(row)
    return rows


def _bar(chance: float | None) -> str:
    if chance is None:
        return f"{'–':<7}"
    return f"{BARS[min(int(chance * len(BARS)), len(BARS) - 1)]} {round(chance * 100):>3}%".ljust(7)


# ---------------------------------------------------------------- votes and turns


def own_votes(tape: Tape, seat: int, labels: Labels, strings: Strings) -> list[Text]:
    """Each exile vote of a seat beside what the built-in reasoner would have voted from the same view."""
    from players.builtin import BuiltinPlayer

    reasoner = BuiltinPlayer(tape.setup.seed, "hard", "plain")
    rows = []
    for game, line in moments(tape):
        for asked in line.asked:
            if asked.ask.seat == seat and asked.ask.kind == VOTE:
                other = reasoner.decide(game.view(seat), asked.ask).answer
                row = strings(
                    "after.own.row",
                    when=when((game.public.phase, game.public.day), strings),
                    yours=_vote(asked.ask, asked.checked, labels, strings),
                    other=_vote(asked.ask, other, labels, strings),
                )
                rows.append(Text(row))
    return rows


def _vote(ask: Ask, answer: object, labels: Labels, strings: Strings) -> str:
    return labels.words.seat(answer) if type(answer) is int else strings("ask.pass")


def turns(view: View, labels: Labels, strings: Strings) -> list[Text]:
    """The exiles, and the nights in which nobody fell."""
    rows = []
    for event, at in zip(view.events, view.at, strict=True):
        if isinstance(event, Eliminated) and event.cause == "vote":
            card = labels.words.role(view.roles.get(event.seat, ""))
            said = strings("after.turn.exile", when=when(at, strings), seat=labels.seat(event.seat), card=card)
            rows.append(Text(said))
        elif isinstance(event, Dawn) and not event.seats:
            rows.append(Text(strings("after.turn.save", when=strings("night", day=at[1]))))
    return rows


# ---------------------------------------------------------------- for others


def as_text(made: list[Section], tape: Tape, labels: Labels, strings: Strings) -> str:
    """The afterwards and the judge's whole transcript as plain text."""
    parts = [f"{title}\n" + "\n".join(f"  {line.plain}" for line in lines) for title, lines in made]
    return "\n\n".join([*parts, "\n".join(_transcript(tape, labels, strings))]) + "\n"


def as_html(made: list[Section], tape: Tape, labels: Labels, strings: Strings) -> str:
    """The same as one page that needs nothing else. Everything that people said is escaped."""
    from html import escape

    body = "".join(
        f"<h2>{escape(title)}</h2><pre>{escape(chr(10).join(line.plain for line in lines))}</pre>"
        for title, lines in made
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in _transcript(tape, labels, strings))
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;background:#fdfcf8;"
        "color:#222}pre{font-family:ui-monospace,monospace;overflow-x:auto}p{margin:.2em 0}"
        "@media(prefers-color-scheme:dark){body{background:#151515;color:#ddd}}"
    )
    title = escape(f"{strings('home.title')} · {made[0][0]}")
    return (
        f'<!doctype html><html lang="{strings.lang}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{style}</style><h1>{title}</h1>{body}<hr>{lines}</html>\n"
    )


def _transcript(tape: Tape, labels: Labels, strings: Strings) -> Iterator[str]:
    for event, private in tape.told(0, 0, tape.size):
        for line in line_of(event, private, labels, strings):
            yield f"{'✱ ' if private else ''}{line.head}{line.text}"
