"""What may change the game: roles, offices, bonds, variants, event cards and buildings are all rules.

A rule is one small class with only the hooks it needs. A table builds one instance of each rule in play and calls, at
each point of the procedure, just those rules that override that point's hook.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from functools import cache
from inspect import isfunction
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from engine.asks import Answer, Answers, Ask
from engine.options import Options, OptionSet, is_on

if TYPE_CHECKING:
    from engine.events import Event, Said
    from engine.facts import Act, Attack, Death, Tally
    from engine.setup import Piles, Setup
    from engine.state import State

T = TypeVar("T")
O = TypeVar("O", bound=Options)  # noqa: E741
Flow = Generator[Sequence[Ask], Answers, T]
"""A procedure: yields asks posed together, is sent their answers, returns T."""

RULES: list[type[Rule]] = []


class Rule:
    """Base of all rules. Hooks do nothing here and are called only where a subclass overrides them."""

    id: ClassVar[str] = ""
    steps: ClassVar[dict[str, str]] = {}
    """Night or setup steps this rule plays: step id -> method name."""
    early: ClassVar[int] = 0
    """Precedence within a hook: higher is called first."""
    takes_over: ClassVar[dict[str, str]] = {}
    """Steps this rule plays in another's place: only where a rule in force has the step at all."""
    silences: ClassVar[frozenset[tuple[str, str]]] = frozenset()
    """(rule, hook): hooks of other rules that rest while this one is in force."""
    in_place: ClassVar[bool] = False
    """Whether the camp with this rule's id wins in the place of another that has just won."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.id:
            RULES.append(cls)

    def __init__(self, state: State) -> None:
        self.s = state

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        """Whether this game has the rule."""
        return False

    @classmethod
    def rests(cls, options: OptionSet) -> frozenset[str]:
        """Of its hooks and steps those that have nothing to do at a table with these options."""
        return frozenset()

    @classmethod
    def refuses(cls, setup: Setup, options: OptionSet) -> str:
        """Why this table cannot be played, empty where it can; asked of every rule, in play or not."""
        return ""

    @classmethod
    def stacks(cls, piles: Piles, seats: int, options: OptionSet) -> Piles:
        """The cards to be dealt, as this rule makes them up. Asked only where `in_play`. Raises SetupError."""
        return piles

    def wakes(self, step: str) -> bool:
        """Whether this step has anybody to call, where a table calls no others."""
        return True

    def opt(self, options: type[O]) -> O:
        """The table's values of an option group."""
        return self.s.options[options]  # type: ignore[return-value]  # a Mapping cannot tie each key to the type of its value

    # -- hooks, in the order in which a game meets them

    def opens(self) -> Flow[None]:
        """Before the deal: what the judge settles openly (clans, the actor's cards)."""
        yield from ()

    def dealt(self) -> None:
        """After the deal, before the first step."""

    def setup_opens(self) -> Flow[None]:
        """Questions after the deal, before the setup's first step."""
        yield from ()

    def taken(self, seat: int) -> None:
        """The seat took this card after the deal."""

    def night_begins(self) -> None:
        """Marks of the last night go."""

    def night_opens(self) -> Flow[None]:
        """Questions before the night's first step."""
        yield from ()

    def pretends(self, step: str) -> bool:
        """Whether this step is called although nobody wakes in it, where a table calls no others."""
        return False

    def intends(self, act: Act) -> Act:
        """A night act as it is kept: it, or another in its place."""
        return act

    def sees(self, seer: int, target: int) -> Event | None:
        """What a seer is told of a check in place of the table's result."""
        return None

    def hunts(self) -> str:
        """The ask that the pack is posed in place of the bite."""
        return ""

    def wolves_wake(self, pack: int) -> Flow[None]:
        """In the wolves' step, before they talk."""
        yield from ()

    def wolves_done(self, pack: int) -> Flow[None]:
        """In the wolves' step, after the bite was chosen."""
        yield from ()

    def converts(self) -> Flow[None]:
        """Night resolution, before the attacks."""
        yield from ()

    def checked(self, seer: int, targets: Sequence[int]) -> None:
        """A seer has been shown these seats."""

    def lunges(self, seat: int, target: int) -> Flow[bool]:
        """A wolf that bites alone has named its prey: False, it does not come to it."""
        yield from ()
        return True

    def shields(self, attack: Attack) -> bool | None:
        """Night resolution of an attack: True it is void, False it kills whatever follows, None go on."""

    def resolves(self, deaths: list[Death]) -> None:
        """End of night resolution: add the night's other deaths (poison, curse, rust)."""

    def follows(self, wave: Sequence[Death]) -> Iterable[Death]:
        """Deaths that follow a wave at once (grief goes with it, see `partners`)."""
        return ()

    def partners(self, death: Death) -> Iterable[Death]:
        """Deaths that belong to the same wave, right after this one."""
        return ()

    def reacts(self, death: Death) -> Flow[None]:
        """A decision taken because of a death (a shot)."""
        yield from ()

    def faces(self, seat: int) -> tuple[str, ...]:
        """The cards that are turned when this seat is out, where it is not just its role."""
        return ()

    def shown_to(self, death: Death) -> int | None:
        """Who sees the card of a seat that is out: a mask, 0 nobody; None: as the table has it."""
        return None

    def buries(self, death: Death) -> bool:
        """Whether this seat has no last words, whatever the table grants."""
        return False

    def chain_over(self, deaths: Sequence[Death]) -> None:
        """After a whole chain and its reactions."""

    def dawn_breaks(self) -> None:
        """First of all at dawn, before the night's dead are told."""

    def dawns(self) -> None:
        """Announcements after the night's dead are told."""

    def day_over(self) -> None:
        """The day is over, however it ended."""

    def after_chain(self, deaths: Sequence[Death]) -> Flow[None]:
        """Decisions after a chain and the win check (a ban, the badge)."""
        yield from ()

    def instead(self, death: Death) -> Death | None:
        """Another death in this one's place."""
        return None

    def morning(self) -> Flow[None]:
        """The last step of dawn, after the news and last words."""
        yield from ()

    def picks(self, cards: Sequence[str]) -> Flow[str]:
        """Which of these event cards is turned, if it can be played; empty: chance decides."""
        yield from ()
        return ""

    def elects(self, barred: int) -> Flow[bool]:
        """An election in place of the table's: True when it was held."""
        yield from ()
        return False

    def elected(self) -> Flow[None]:
        """After an election."""
        yield from ()

    def day_opens(self) -> Flow[None]:
        """Before the day's first speech."""
        yield from ()

    def talks(self) -> Flow[bool]:
        """A discussion in place of the table's: True when it was held."""
        yield from ()
        return False

    def day_ends(self) -> Flow[None]:
        """Right before the vote's phase begins."""
        yield from ()

    def vote_opens(self) -> Flow[None]:
        """In the vote's phase, before its first ballot."""
        yield from ()

    def procedure(self, first: bool) -> Flow[int | None]:
        """A vote in place of the ballot: the mask of the condemned."""
        yield from ()
        return None

    def offers(self, pending: Sequence[Ask]) -> Iterable[Ask]:
        """Reactions that may be taken beside the pending asks."""
        return ()

    def reaction(self, ask: Ask, answer: Answer) -> Flow[None]:
        """A reaction of this rule is taken."""
        yield from ()

    def speakers(self, seats: int) -> int:
        """Who may speak by day, out of these."""
        return seats

    def answering(self, speaker: int) -> int:
        """Seats to which this speaker may put a question that is answered by gesture."""
        return 0

    def spoken(self, said: Said) -> Flow[None]:
        """After a speech in an election or by day."""
        yield from ()

    def votes(self, voters: int) -> int:
        """Who may vote, out of these."""
        return voters

    def votes_first(self, voters: int) -> int:
        """Who of these votes alone and openly before the others, in seat order."""
        return 0

    def abstains(self, voters: int) -> int:
        """Who may abstain, out of these."""
        return voters

    def narrows(self, ask: str, seat: int, mask: int) -> int:
        """Whom this seat may name in an ask of this kind, out of the mask."""
        return mask

    def tallies(self, tally: Tally) -> None:
        """Weights, void ballots and extra votes."""

    def tied(self, tied: int, tally: Tally) -> Flow[Death | None]:
        """A tie in the first ballot: the death that settles it, or None."""
        yield from ()
        return None

    def condemned(self, death: Death) -> Flow[bool]:
        """The vote condemns a seat: True when it is spared."""
        yield from ()
        return False

    def executed(self, deaths: Sequence[Death]) -> None:
        """The vote put seats out, their chain is over, no win has been looked for yet."""

    def again(self, deaths: Sequence[Death]) -> Flow[bool]:
        """After a vote and all it brought: True for another at once. deaths: the eliminations of this vote phase."""
        yield from ()
        return False

    def dusk(self, deaths: Sequence[Death]) -> Flow[None]:
        """After the day's last vote. deaths: the eliminations of this vote phase."""
        yield from ()

    def returned(self, seat: int) -> None:
        """A seat that was out lives again."""

    def ends(self, window: str) -> bool:
        """True: this rule looks for the end of the game itself, and no camp can win."""
        return False

    def claims(self, camp: str, window: str) -> bool | None:
        """Whether a camp has won, in place of the ruleset's condition; None: the ruleset's holds."""
        return None

    def finishes(self) -> None:
        """The game is over; what is told before the result."""

    def wins(self, window: str) -> bool:
        """Whether the camp with this rule's id has won."""
        return False

    def lost(self) -> bool:
        """Whether the camp with this rule's id can win no more, where camps are judged lost."""
        return False

    def result(self, seat: int, winners: Sequence[str]) -> bool | None:
        """Whether a seat is among the winners, where its own camp does not decide it."""
        return None


class Role(Rule):
    """A card. One class per id; twins may share one file."""

    camp: ClassVar[str] = "village"
    cls: ClassVar[str] = "god"
    """Class for kill-side wins: god, plain, wolf, or none."""
    wolf_card: ClassVar[bool] = False
    village_power: ClassVar[bool] = True
    names: ClassVar[dict[str, str]] = {}
    exactly: ClassVar[int] = 0
    """How many of this card a deck holds if it holds any (0: any number)."""
    at_most: ClassVar[int] = 0
    """The largest number of this card in a deck (0: any number)."""
    fewest_seats: ClassVar[int] = 0
    """The smallest table at which the card may be dealt."""
    setting: ClassVar[str] = ""
    """The option, and rule, without which the card has no meaning and may not be dealt."""
    once: ClassVar[bool] = False
    """Whether the power is one that is used up; the kit is what it has left."""
    brings: ClassVar[int] = 0
    """How many cards beyond the seats a deck with this card has."""

    @classmethod
    def must_be_dealt(cls, options: OptionSet) -> bool:
        """Whether the card may not be among those left over."""
        return False

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        return cls.id in deck

    @classmethod
    def refuses(cls, setup: Setup, options: OptionSet) -> str:
        dealt = cls.id in setup.seats or cls.id in setup.extra or cls.id in setup.second_cards
        if not cls.setting or not dealt or is_on(options, cls.setting):
            return ""
        return f"the card {cls.id} needs the option {cls.setting}"

    def wakes(self, step: str) -> bool:
        return bool(self.s.holders(self.id))

    def new_kit(self) -> object:
        """What the card carries unused: potions, lists, lives."""
        return None


NOT_HOOKS = frozenset({"in_play", "opt", "wakes"})


@cache
def hook_names() -> tuple[str, ...]:
    """Names of the methods that are hooks."""
    return tuple(n for n, m in vars(Rule).items() if isfunction(m) and not n.startswith("_") and n not in NOT_HOOKS)


Hook = Callable[..., Any]
