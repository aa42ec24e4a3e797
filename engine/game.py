"""Game: a pure function of its setup and its decisions.

No clock, file, environment or global random source is read. The live generator poses asks; accepted answers are the
decisions; replaying them gives the same game at every ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec

from engine.asks import Answer, Answers, Ask, IllegalAnswer
from engine.events import Event, Over
from engine.facts import GameOver, NightFalls
from engine.flow.game import play
from engine.options import OptionSet
from engine.rule import RULES, Flow, Rule
from engine.rules.ruleset import frozen, load_ruleset, roles
from engine.setup import Setup, check_setup
from engine.state import State
from engine.views import View


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """A decision: the answers to all the asks that were pending together, by seat."""

    answers: Answers


class Reacted(msgspec.Struct, frozen=True, tag="reacted"):
    """A decision: a reaction taken beside the pending asks."""

    seat: int
    ask: str
    answer: Answer


Decision = Answered | Reacted


class Frame(msgspec.Struct, frozen=True):
    """What all games of one ruleset, options and deck share."""

    options: OptionSet
    order: dict[str, tuple[str, ...]]
    rules: tuple[type[Rule], ...]
    resting: frozenset[tuple[str, str]]


@cache
def _frame(ruleset: str, options: tuple[tuple[str, object], ...], cards: tuple[str, ...]) -> Frame:
    rules = load_ruleset(ruleset)
    rules.check_cards(cards)
    chosen, deck = rules.options(dict(options)), frozenset(cards)
    played = tuple(rule for rule in RULES if rule.in_play(deck, chosen))
    resting = frozenset((rule.id, hook) for rule in RULES for hook in rule.rests(chosen))
    return Frame(chosen, rules.order, played, resting)


class Game:
    """A running or finished game."""

    def __init__(self, setup: Setup) -> None:
        """Raises SetupError."""
        self.setup = setup
        frame = _frame(setup.ruleset, frozen(setup.options), setup.cards)
        check_setup(setup, frame.options)
        self._s = State(setup, frame.options, frame.order, frame.resting)
        self._s.bring_in(frame.rules)
        self._s.seat_cards(roles())
        self.asks: Sequence[Ask] = ()
        """The pending asks, all to be answered together; empty when the game is over."""
        self.decisions: list[Decision] = []
        self._views: dict[int, View] = {}
        self._offers: tuple[Ask, ...] | None = None
        self._flows: list[Flow[None]] = [play(self._s)]
        self._standing: Sequence[Ask] = ()
        self._advance(None)

    @classmethod
    def replay(cls, setup: Setup, decisions: Iterable[Decision]) -> Game:
        """The game after these decisions. Raises IllegalAnswer if one does not fit."""
        game = cls(setup)
        for decision in decisions:
            game.apply(decision)
        return game

    def branch(self, after: int) -> Game:
        """A new game that shares the first `after` decisions of this one."""
        return Game.replay(self.setup, self.decisions[:after])

    def apply(self, decision: Decision) -> None:
        """Take one decision as it stands in a record. Raises IllegalAnswer."""
        if isinstance(decision, Answered):
            self.answer(decision.answers)
        else:
            self.react(decision.seat, decision.ask, decision.answer)

    # -- what is asked

    @property
    def reactions(self) -> tuple[Ask, ...]:
        """What may be done beside the pending asks, by whom."""
        if self._offers is None:
            offering = self._s.on.offers if self.asks and len(self._flows) == 1 else []
            self._offers = without([ask for hook in offering for ask in hook(self.asks)], self._s.away)
        return self._offers

    def answer(self, answers: Mapping[int, object]) -> None:
        """Answer all the pending asks. Raises IllegalAnswer, and then nothing has changed."""
        checked: Answers = {}
        for ask in self.asks:
            seat = ask.seat
            if seat not in answers:
                raise IllegalAnswer(seat, ask.kind, "no answer was given; all that are asked answer together")
            checked[seat] = ask.check(answers[seat])
        if len(answers) > len(checked):
            extra = next(seat for seat in answers if seat not in checked)
            pending = ", ".join(ask.kind for ask in self.asks) or "nothing, the game is over"
            raise IllegalAnswer(extra, pending, "this seat is not asked")
        self.decisions.append(Answered(checked))
        self._advance(checked)

    def react(self, seat: int, kind: str, answer: object) -> None:
        """Take a reaction now; the pending asks are then posed again as far as they still stand.

        Raises IllegalAnswer, and then nothing has changed.
        """
        ask = next((offer for offer in self.reactions if offer.seat == seat and offer.kind == kind), None)
        if ask is None:
            raise IllegalAnswer(seat, kind, "this may not be done now")
        checked = ask.check(answer)
        self.decisions.append(Reacted(seat, kind, checked))
        rule = next(
            rule
            for rule in self._s.rules.values()
            if any((offer.seat, offer.kind) == (seat, kind) for offer in rule.offers(self.asks))
        )
        self._standing = self.asks
        self._flows.append(rule.reaction(ask, checked))
        self._advance(None)

    # -- what is known

    @property
    def events(self) -> Sequence[Event]:
        """Everything that happened, in order: the judge's knowledge."""
        return self._s.log

    @property
    def audiences(self) -> Sequence[int]:
        """For each event the mask of those who learned of it (-1: everyone; bit 0: the judge)."""
        return self._s.audience

    @property
    def outcome(self) -> Over | None:
        """The result, when the game is over."""
        last = self._s.log[-1]
        return last if isinstance(last, Over) else None

    def view(self, seat: int | None) -> View:
        """What a seat knows now; 0 is the judge, None the public."""
        key = -1 if seat is None else seat
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = View(seat, self.setup)
        view.read(self._s.log, self._s.audience)
        return view

    @property
    def public(self) -> View:
        """What everyone knows."""
        return self.view(None)

    @property
    def truth(self) -> State:
        """The hidden state, for annotation, rule cases and tests; never for a seat."""
        return self._s

    # -- running

    def _advance(self, answers: Answers | None) -> None:
        """Run the topmost flow to its next asks; a finished reaction gives way to what it interrupted."""
        self._offers = None
        while True:
            try:
                self.asks = self._flows[-1].send(answers)  # type: ignore[arg-type]  # None starts it
                if self._s.away:
                    self.asks = without(self.asks, self._s.away)
                    if not self.asks:
                        answers = {}
                        continue
                return
            except StopIteration:
                self._flows.pop()
                self.asks = self._still_standing() if self._flows else ()
                if self.asks or not self._flows:
                    return
                answers = {}
            except (NightFalls, GameOver) as stop:
                self._flows.pop()
                if not self._flows:
                    raise
                self._throw(stop)
                return

    def _throw(self, stop: Exception) -> None:
        """Hand a reaction's consequence to the flow it interrupted."""
        try:
            self.asks = self._flows[-1].throw(stop)
        except StopIteration:
            self._flows.pop()
            self.asks = ()

    def _still_standing(self) -> tuple[Ask, ...]:
        """The interrupted asks without seats and targets that are out by now."""
        return without(self._standing, self._s.everyone & ~self._s.present)


def without(asks: Sequence[Ask], gone: int) -> tuple[Ask, ...]:
    """The asks without these seats, as those asked and as those named."""
    left = []
    for ask in asks:
        if gone >> ask.seat & 1:
            continue
        if ask.seats & gone:
            seats = ask.seats & ~gone
            if not seats and not ask.choices and ask.form != "text":
                continue
            most = ask.most if ask.repeats or ask.form != "seats" else min(ask.most, seats.bit_count())
            ask = msgspec.structs.replace(ask, seats=seats, least=min(ask.least, most), most=most)
        left.append(ask)
    return tuple(left)
