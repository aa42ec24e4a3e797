"""Double You 双重身份的"你" (variants.md 6): two cards make a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from pydantic import field_validator

from engine.asks import Ask, choice_ask
from engine.events import Event, registered
from engine.facts import Death
from engine.options import Options, OptionSet
from engine.roles.elder import Elder
from engine.roles.seer import SeerOptions, SeerResult
from engine.rule import Flow, Rule
from engine.rules.ruleset import SetupError, roles
from engine.state import State

if TYPE_CHECKING:
    from engine.setup import Piles, Setup

SMALL = ("seer", "hunter", "witch", "cupid", "guard", "elder", "scapegoat")
GREAT = ("seer", "witch", "hunter", "guard", "elder", "scapegoat", "cupid")
GREAT_TEN = ("little-girl", "idiot")
"""Further cards of the great complication from ten seats on."""
BOTH = (("witch", "seer"), ("guard", "hunter"), ("elder", "scapegoat"))
"""Pairs of which both powers work; the second of each carries nothing that is used up."""
FEWEST, MOST = 7, 18


def wolfish(*cards: str) -> bool:
    """Whether one of these cards is a wolf's."""
    return any(roles()[card].wolf_card for card in cards)


def plain(card: str) -> bool:
    """Whether the card makes a camp and nothing more: a wolf's, or one of class plain."""
    return wolfish(card) or roles()[card].cls == "plain"


class DoubleYouOptions(Options):
    """Which complication."""

    group: ClassVar[str] = "double-you"
    on: Literal["off", "small", "great"] = "off"

    @field_validator("on", mode="before")
    @classmethod
    def _off(cls, given: object) -> object:
        """YAML reads `off` as false."""
        return "off" if given is False or given == "no" else given


@registered
class OpenRoles(Event, frozen=True, tag="double-you.roles"):
    """The role cards that lie face up, seat 1 first."""

    roles: tuple[str, ...]


@registered
class SecondCard(Event, frozen=True, tag="double-you.card"):
    """A seat's second card, told to it alone."""

    seat: int
    role: str


@registered
class SeerCards(Event, frozen=True, tag="seer.cards"):
    """Both cards of a checked seat, for the seer alone."""

    seat: int
    roles: tuple[str, ...]


@registered
class AllCards(Event, frozen=True, tag="double-you.cards"):
    """At the end: every seat's two cards, seat 1 first."""

    first: tuple[str, ...]
    second: tuple[str, ...]


class DoubleYou(Rule):
    """A wolf card makes the camp; the other card, or one of two, is the role."""

    id = "double-you"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.form = self.opt(DoubleYouOptions).on
        self.cards: list[tuple[str, str]] = [("", ""), *zip(state.setup.seats, state.setup.second_cards, strict=True)]
        """Both cards by seat."""
        self.played: list[str] = []
        """The role by seat as these cards make it; a seat that was changed plays only its new card."""
        self.stripped = False

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[DoubleYouOptions]
        return isinstance(group, DoubleYouOptions) and group.on != "off"

    # -- the deal

    @classmethod
    def stacks(cls, piles: Piles, seats: int, options: OptionSet) -> Piles:
        """The page's own decks; a deck of the right make is taken as it is."""
        if not FEWEST <= seats <= MOST:
            raise SetupError(f"double-you takes {FEWEST} to {MOST} seats, not {seats}")
        wolves = 2 + (seats > 9) + (seats > 13)
        given, kinds = piles.deck, roles()
        if cast(DoubleYouOptions, options[DoubleYouOptions]).on == "great":
            if sum(given.values()) != 2 * seats:
                cards = Counter({"werewolf": wolves, **dict.fromkeys(GREAT + GREAT_TEN * (seats > 9), 1)})
                cards["villager"] = 2 * seats - cards.total()
                given = dict(cards)
            return type(piles)(given, hands=2)
        if sum(given.values()) != seats or any(kinds[card].wolf_card for card in given if card in kinds):
            given = {**dict.fromkeys(SMALL, 1), "villager": seats - len(SMALL)}
        given = {card: count for card, count in given.items() if count}
        return type(piles)(given, second={"werewolf": wolves, "villager": seats - wolves})

    @classmethod
    def refuses(cls, setup: Setup, options: OptionSet) -> str:
        form = cast(DoubleYouOptions, options[DoubleYouOptions]).on
        if form == "off":
            return "second cards are dealt only with double-you" if setup.second_cards else ""
        if len(setup.second_cards) != setup.size:
            return f"double-you takes a second card for each of the {setup.size} seats"
        if setup.extra:
            return "double-you leaves no cards over"
        allowed = {"villager", *GREAT, *GREAT_TEN} | ({"werewolf"} if form == "great" else set())
        wrong = sorted({*setup.seats, *(setup.second_cards if form == "great" else ())} - allowed)
        if form == "small" and not wrong:
            wrong = sorted({*setup.second_cards} - {"werewolf", "villager"})
        return f"double-you ({form}) is not played with {', '.join(wrong)}" if wrong else ""

    def opens(self) -> Flow[None]:
        """Camps and roles from the two cards, before anybody looks."""
        s = self.s
        for seat in s.seats[1:]:
            first, second = self.cards[seat.number]
            if self.form == "great":
                self.seat_two(seat.number, first, second)
            if wolfish(first, second):
                s.turn_wolf(seat.number)
            seat.original_role = seat.role
        self.played = [seat.role for seat in s.seats]
        if self.form == "small":
            s.emit(OpenRoles(tuple(seat.role for seat in s.seats[1:])))
        yield from ()

    def seat_two(self, seat: int, first: str, second: str) -> None:
        """The great complication: the card whose power is used, and the other where both are."""
        s, two = self.s, {first, second}
        pair = next((pair for pair in BOTH if two == {*pair}), None)
        if pair is not None:
            s.hold(seat, roles()[pair[0]])
            s.lend(seat, pair[1])
            return
        role = next((card for card in (first, second) if not plain(card)), first if wolfish(first) else second)
        s.hold(seat, roles()[role])

    def dealt(self) -> None:
        """Each learns its other card."""
        for seat in self.s.seats[1:]:
            first, second = self.cards[seat.number]
            self.s.tell(seat.number, SecondCard(seat.number, second if seat.role == first else first))

    def setup_opens(self) -> Flow[None]:
        """Two powers that do not go together: one is chosen for the whole game."""
        s = self.s
        asks: list[Ask] = []
        for seat in s.seats[1:]:
            cards = self.cards[seat.number]
            special = not plain(cards[0]) and not plain(cards[1])
            if self.form == "great" and special and seat.also is None and cards[0] != cards[1]:
                asks.append(choice_ask(seat.number, "double-you.choose", cards))
        answers = (yield asks) if asks else {}
        for number, answer in answers.items():
            s.act("double-you.choose", number, answer)
            if isinstance(answer, str) and answer != s.seats[number].role:
                s.change_card(number, roles()[answer])
                self.played[number] = answer

    # -- what is shown

    def faces(self, seat: int) -> tuple[str, ...]:
        """small: the camp card. great: both cards, a wolf card last."""
        first, second = self.cards[seat]
        turned = wolfish(first, second) is not bool(self.s.wolf_seats >> seat & 1)
        if turned or self.s.seats[seat].role != self.played[seat]:
            return ()
        if self.form == "small":
            return (second,)
        return (second, first) if wolfish(first) else (first, second)

    def sees(self, seer: int, target: int) -> Event | None:
        """small: a check shows the camp card. great: where checks show cards, both."""
        cards = self.faces(target)
        told: Event | None = None
        if self.form == "small" and cards:
            told = SeerResult(target, cards[0])
        elif self.form == "great" and cards and self.opt(SeerOptions).result == "card":
            told = SeerCards(target, cards)
        for hook in self.s.on.checked if told else ():
            hook(seer, (target,))
        return told

    def chain_over(self, deaths: Sequence[Death]) -> None:
        """small: with the elder all powers go, the wolves' too, or it would show who is who."""
        elder = self.s.rules.get("elder")
        if self.form == "small" and isinstance(elder, Elder) and self.s.lost_powers and not self.stripped:
            self.stripped = True
            elder.strip(self.s.living)

    # -- the end

    def claims(self, camp: str, window: str) -> bool | None:
        """Both sides win by killing all of the other."""
        s = self.s
        if camp == "wolves":
            wolves = s.camps.get("wolves", 0) & s.living
            return bool(wolves) and wolves == s.living
        if camp == "village" and window != "night":
            return bool(s.living) and not s.wolf_seats & s.living
        return None

    def finishes(self) -> None:
        first, second = zip(*self.cards[1:], strict=True)
        self.s.emit(AllCards(first, second))
