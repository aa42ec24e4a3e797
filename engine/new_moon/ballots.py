"""Event cards that change the vote: its procedure, its verdict, and further votes (new-moon.md 3)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.asks import SEATS, Ask, seat_ask
from engine.bits import EVERYONE, mask_of, seats_of
from engine.events import Event, OpenBallot, registered
from engine.facts import HALVES, Death, Tally
from engine.flow.vote import BALLOT
from engine.new_moon.card import Card, at_home, last_dead, left_of_the_dead, votable, voters_now
from engine.roles.stuttering_judge import SecondVote
from engine.rule import Flow
from engine.state import State


@registered
class Hands(Event, frozen=True, tag="hands"):
    """Whom everybody pointed at with both hands, and the votes per seat."""

    hands: dict[int, tuple[int, ...]]
    totals: dict[int, float]


@registered
class FirstVoter(Event, frozen=True, tag="influences.first"):
    """With whom the open ballots begin."""

    seat: int


@registered
class Coin(Event, frozen=True, tag="coin"):
    """The coin thrown for a condemned seat. side: heads, out; tails, spared."""

    seat: int
    side: str


@registered
class Thanks(Event, frozen=True, tag="coin.thanks"):
    """The spared seat must shout its thanks."""

    seat: int


def hands_ask(seat: int, mask: int) -> Ask:
    """An ask for two seats, which may be the same."""
    return Ask(seat, "great-distrust.hands", SEATS, mask, least=2, most=2, seen=EVERYONE, repeats=True)


class GreatDistrust(Card):
    """Two votes each, with both hands; whoever got none is out."""

    id = "event.great-distrust"
    lasts = "now"
    slot = "ballot"

    @classmethod
    def playable(cls, s: State) -> bool:
        return s.living.bit_count() >= 3

    def procedure(self, first: bool) -> Flow[int | None]:
        """All at once. Being pointed at saves, so lovers may point at each other; extra votes save too."""
        s = self.s
        if not first:
            return None
        at_risk, voters = votable(s), voters_now(s)
        hands = yield from self.before(voters, at_risk)
        at_risk, voters = at_risk & s.living, voters & s.living
        asks = []
        for voter in seats_of(voters & ~mask_of(tuple(hands))):
            if at_risk & ~(1 << voter):
                asks.append(hands_ask(voter, at_risk & ~(1 << voter)))
        answers = (yield asks) if asks else {}
        hands |= {seat: tuple(map(int, pair)) for seat, pair in answers.items() if isinstance(pair, tuple)}
        hands = dict(sorted(hands.items()))
        totals = self.counted([target for pair in hands.values() for target in pair])
        s.emit(Hands(hands, {seat: half / HALVES for seat, half in sorted(totals.items())}))
        return at_risk & ~mask_of([seat for seat, half in totals.items() if half]) if hands else 0

    def before(self, voters: int, at_risk: int) -> Flow[dict[int, tuple[int, ...]]]:
        """Those who vote before the others, alone and openly."""
        hands: dict[int, tuple[int, ...]] = {}
        for hook in self.s.on.votes_first:
            for seat in seats_of(hook(voters) & ~mask_of(tuple(hands))):
                mask = at_risk & self.s.living & ~(1 << seat)
                pair = (yield [hands_ask(seat, mask)]).get(seat) if mask else None
                if isinstance(pair, tuple):
                    hands[seat] = tuple(map(int, pair))
                    for target in hands[seat]:
                        self.s.emit(OpenBallot(seat, target))
        return hands

    def counted(self, pointed: Sequence[int]) -> dict[int, int]:
        """Half-votes per seat, with the extra votes of the day; no ballot weighs more than another."""
        tally = Tally({})
        for hook in self.s.on.tallies:
            hook(tally)
        totals = dict(tally.extra)
        for target in pointed:
            totals[target] = totals.get(target, 0) + HALVES
        return totals


class OpenBallots(Card):
    """The day's first vote is cast openly, one seat at a time."""

    lasts = "now"
    slot = "ballot"

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.open = False

    def start(self) -> Flow[int]:
        """With whom it begins."""
        yield from ()
        return 1

    def procedure(self, first: bool) -> Flow[int | None]:
        """The ballot stands, in another order; so does a revote of it."""
        self.open = first
        if not first:
            return None
        self.s.first_open = yield from self.start()
        return BALLOT

    def votes_first(self, voters: int) -> int:
        return voters & at_home(self.s) if self.open else 0

    def over(self) -> None:
        self.s.first_open = 1


class Influences(OpenBallots):
    """The last dead says who begins."""

    id = "event.influences"

    @classmethod
    def playable(cls, s: State) -> bool:
        return last_dead(s) != 0

    def start(self) -> Flow[int]:
        """Asked of the last dead."""
        s, voters = self.s, voters_now(self.s)
        lowest = next(iter(seats_of(voters)), 1)
        if not voters or not last_dead(s):
            return lowest
        by = self.voice(last_dead(s))
        answer = (yield [seat_ask(by, "influences.first", voters, seen=EVERYONE)]).get(by)
        first = answer if isinstance(answer, int) else lowest
        s.emit(FirstVoter(first))
        return first


class Nightmare(OpenBallots):
    """No talk, no abstention: everybody points, from the left of the last dead."""

    id = "event.nightmare"

    def start(self) -> Flow[int]:
        yield from ()
        return left_of_the_dead(self.s) or 1

    def speakers(self, seats: int) -> int:
        return 0

    def talks(self) -> Flow[bool]:
        yield from ()
        return True

    def abstains(self, voters: int) -> int:
        return 0 if self.open else voters

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        return mask & ~(1 << seat) if ask == "day.vote" and seat else mask


class HeadsOrTails(Card):
    """A coin is thrown for whoever is voted out."""

    id = "event.heads-or-tails"
    lasts = "now"
    early = 50

    def condemned(self, death: Death) -> Flow[bool]:
        """Tails: released, and must say thank you."""
        s = self.s
        side = s.draw("coin", ("heads", "tails"))
        s.emit(Coin(death.seat, side))
        if side == "tails":
            s.emit(Thanks(death.seat))
        yield from ()
        return side == "tails"


class FurtherVote(Card):
    """After the day's first vote another follows at once, by whom it hit; once a day, whatever cards are in force."""

    lasts = "now"
    on_a_wolf = False

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.spent = False

    def again(self, deaths: Sequence[Death]) -> Flow[bool]:
        """Only the first vote of the day is looked at: without an elimination by vote the card is over."""
        yield from ()
        s = self.s
        voted = [death.seat for death in deaths if death.cause == "vote"]
        if self.spent or not voted or bool(s.wolf_seats >> voted[0] & 1) is not self.on_a_wolf:
            self.spent = True
            return False
        for rule in s.rules.values():
            if isinstance(rule, FurtherVote):
                rule.spent = True
        s.emit(SecondVote())
        return True


class Dissatisfaction(FurtherVote):
    """The village wants a wolf."""

    id = "event.dissatisfaction"


class Enthusiasm(FurtherVote):
    """The village wants more."""

    id = "event.enthusiasm"
    on_a_wolf = True
