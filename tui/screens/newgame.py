"""The form of a new game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Select, Static

from engine.rules.ruleset import load_ruleset
from engine.text import clean
from prompts.words import seat_word
from tui import boards
from tui.boards import Choice
from tui.house import House, Plan
from tui.screens.options import OptionsScreen
from tui.strings import LANGS, Strings

SAME, FRIEND = "same", "human"
SEED_DIGITS = 9


class NewGameScreen(Screen[Plan | None]):
    """Gives the plan, or None."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("ctrl+s", "start", show=False, priority=True),
    ]

    def __init__(self, house: House, strings: Strings) -> None:
        super().__init__()
        self.house, self.strings = house, strings
        self.plan = house.plan
        self.options = dict(self.plan.options)
        self.drawn = self.hasty = False

    def compose(self) -> ComposeResult:
        say, plan = self.strings, self.plan
        rules = load_ruleset(plan.ruleset)
        yield Static(say("new.title"), markup=False, classes="top")
        with Horizontal(id="new-body"):
            with VerticalScroll(id="new-form", can_focus=False):
                yield from self._row("ruleset", boards.rulesets(say), plan.ruleset)
                yield from self._row("seats", _numbers(rules.seat_counts()), str(plan.seats))
                decks = boards.decks(rules, plan.seats, say)
                yield from self._row("deck", decks, plan.deck or decks[0][1])
                yield from self._row("me", self._places(plan.seats), plan.me)
                cards = boards.deck_cards(rules, plan.seats, plan.deck or decks[0][1], say)
                yield from self._row("role", [(say("new.role.any"), ""), *cards], "")
                yield from self._row("others", boards.sitters(self.house.connection, say), plan.others)
                if len(self._judges()) > 1:
                    yield from self._row("judge", self._judges(), plan.judge)
                yield from self._row("lang", [("中文", "zh"), ("English", "en")], plan.lang)
                with Horizontal(classes="row"):
                    yield Label(Text(say("new.seed")), classes="row-label")
                    yield Input(
                        "" if plan.seed is None else str(plan.seed),
                        placeholder=say("new.seed.any"),
                        restrict=r"\d*",
                        max_length=SEED_DIGITS,
                        id="new-seed",
                        compact=True,
                    )
                yield Button(self._options_words(), id="new-options", compact=True)
                yield Button(Text(say("new.start")), id="new-start", variant="success", compact=True)
                yield Static("", markup=False, id="new-wrong")
            with Vertical(id="new-who"):
                yield Static(Text(say("new.who"), "bold"))
                yield VerticalScroll(id="new-sitters", can_focus=False)
        yield Static(say("new.keys"), markup=False, classes="bottom")

    def _row(self, name: str, choices: Iterable[Choice], value: str) -> ComposeResult:
        made = [(Text(words), given) for words, given in choices]
        known = value if value in {given for _, given in made} else made[0][1]
        with Horizontal(classes="row"):
            yield Label(Text(self.strings(f"new.{name}")), classes="row-label")
            yield Select(made, value=known, allow_blank=False, id=f"new-{name}", compact=True)

    def _places(self, seats: int) -> list[Choice]:
        say = self.strings
        numbered = [(seat_word(seat, say.lang), str(seat)) for seat in range(1, seats + 1)]
        apart = [(say("new.me.none"), "none"), (say("new.me.judge"), "judge")]
        return [(say("new.me.random"), "random"), *numbered, *apart]

    def _judges(self) -> list[Choice]:
        """Who may be the judge where nobody here is."""
        listed = [(self.strings("new.judge.builtin"), "builtin")]
        model = clean(self.house.connection.model)[:40]
        return [*listed, (self.strings("new.judge.model", model=model), "model")] if model else listed

    async def on_mount(self) -> None:
        await self._seat_rows()
        self.query_one("#new-start").focus()

    # -- what depends on what

    def chosen(self, name: str) -> str:
        """The value of a row."""
        return str(self.query_one(f"#new-{name}", Select).value)

    @on(Select.Changed, "#new-ruleset")
    def _ruleset(self) -> None:
        counts = [str(n) for n in load_ruleset(self.chosen("ruleset")).seat_counts()]
        self.options.clear()
        self._fill("seats", _numbers(map(int, counts)), self.chosen("seats"))
        self._decks()
        self.query_one("#new-options", Button).label = self._options_words()

    @on(Select.Changed, "#new-seats")
    async def _seats(self) -> None:
        self._decks()
        self._fill("me", self._places(int(self.chosen("seats"))), self.chosen("me"))
        await self._seat_rows()

    @on(Select.Changed, "#new-deck")
    def _deck(self) -> None:
        self._cards()

    def _decks(self) -> None:
        rules, seats = load_ruleset(self.chosen("ruleset")), int(self.chosen("seats"))
        if seats in rules.seat_counts():
            self._fill("deck", boards.decks(rules, seats, self.strings), self.chosen("deck"))
            self._cards()

    def _cards(self) -> None:
        rules = load_ruleset(self.chosen("ruleset"))
        cards = boards.deck_cards(rules, int(self.chosen("seats")), self.chosen("deck"), self.strings)
        self._fill("role", [(self.strings("new.role.any"), ""), *cards], self.chosen("role"))

    def _fill(self, name: str, choices: Iterable[Choice], value: str) -> None:
        """Other choices in a row; the value stays if it is still among them."""
        row: Select[str] = self.query_one(f"#new-{name}", Select)
        made = [(Text(words), given) for words, given in choices]
        with row.prevent(Select.Changed):
            row.set_options(made)
            row.value = value if value in {given for _, given in made} else made[0][1]

    async def _seat_rows(self) -> None:
        """One row for each seat that is not mine."""
        say = self.strings
        listed = [(say("new.who.same"), SAME), (say("new.who.friend"), FRIEND)]
        listed += list(boards.sitters(self.house.connection, say))
        made = [(Text(words), given) for words, given in listed]
        self.drawn = False
        holder = self.query_one("#new-sitters", VerticalScroll)
        await holder.remove_children()
        rows = []
        for seat in range(1, int(self.chosen("seats")) + 1):
            label = Label(Text(seat_word(seat, say.lang)), classes="seat-label")
            who: Select[str] = Select(made, value=SAME, allow_blank=False, id=f"who-{seat}", compact=True)
            rows.append(Horizontal(label, who, classes="row"))
        await holder.mount_all(rows)
        self.drawn = True
        if self.hasty:
            self.hasty = False
            self.call_after_refresh(self.action_start)

    def _options_words(self) -> Text:
        return Text(self.strings("new.options", n=len(self.options)))

    # -- what is done

    @on(Button.Pressed, "#new-options")
    def _open_options(self) -> None:
        def done(options: dict[str, str] | None) -> None:
            self.options = options or {}
            self.query_one("#new-options", Button).label = self._options_words()

        self.app.push_screen(OptionsScreen(self.chosen("ruleset"), self.options, self.strings), done)

    @on(Button.Pressed, "#new-start")
    def _start(self) -> None:
        self.action_start()

    def action_start(self) -> None:
        """Hand over the plan, if it can be: who judges sees every card, so no friend plays beside."""
        if not self.drawn:  # a screen must not go before all of it has come
            self.hasty = True
            return
        plan = self.made()
        if plan.judge == "human" and plan.friends:
            self.query_one("#new-wrong", Static).update(self.strings("new.judge.alone"))
            return
        self.dismiss(plan)

    def made(self) -> Plan:
        """The plan as it stands."""
        seed = self.query_one("#new-seed", Input).value
        who = {at: str(self.query_one(f"#who-{at}", Select).value) for at in range(1, int(self.chosen("seats")) + 1)}
        me = self.chosen("me")
        if me != "random":
            who.pop(int(me) if me.isdigit() else 0, None)
        lang = self.chosen("lang")
        model = self.query("#new-judge") and self.chosen("judge") == "model"
        return Plan(
            self.chosen("ruleset"),
            int(self.chosen("seats")),
            self.chosen("deck"),
            dict(self.options),
            lang if lang in LANGS else "en",
            int(seed) if seed else None,
            "none" if me == "judge" else me,
            self.chosen("role") if me not in ("none", "judge") else "",
            tuple(seat for seat, sitter in who.items() if sitter == FRIEND),
            self.chosen("others"),
            {seat: sitter for seat, sitter in who.items() if sitter not in (SAME, FRIEND)},
            judge="human" if me == "judge" else "model" if model else "builtin",
        )

    def action_back(self) -> None:
        """No game."""
        self.dismiss(None)


def _numbers(counts: Iterable[int]) -> list[Choice]:
    return [(str(count), str(count)) for count in counts]
