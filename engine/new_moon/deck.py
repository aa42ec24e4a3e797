"""The deck of event cards (new-moon.md 2): what is turned in the event step of a dawn, and when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from engine.flow import victory
from engine.new_moon.attributes import Declared, declared
from engine.new_moon.card import Card, EventCard, EventOver, cards
from engine.new_moon.options import NewMoonOptions
from engine.options import OptionSet
from engine.rule import Flow, Rule
from engine.setup import Setup
from engine.state import State


class NewMoon(Rule):
    """One card each morning, or when it was called for; cards made standing besides, every morning."""

    id = "new-moon"
    early = -100

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.deck: list[str] = []
        self.standing: list[str] = []
        self.played: dict[str, int] = {}
        """The cards in force with the day on which each was played."""
        self.calls = self.opt(NewMoonOptions).by == "gypsy"
        """Whether a card is turned only when somebody called for it in the night."""
        self.called = False
        self.seer_found = False
        """Whether a seer has ever checked a seat that was a wolf seat then."""

    @classmethod
    def in_play(cls, deck: frozenset[str], options: OptionSet) -> bool:
        group = options[NewMoonOptions]
        return isinstance(group, NewMoonOptions) and group.on

    @classmethod
    def refuses(cls, setup: Setup, options: OptionSet) -> str:
        group = options[NewMoonOptions]
        assert isinstance(group, NewMoonOptions)
        if setup.new_moon and not group.on:
            return "an order of event cards needs the option new-moon"
        listed = group.deck if isinstance(group.deck, tuple) else ()
        for card in (*setup.new_moon, *listed, *group.standing):
            if card not in cards():
                close = get_close_matches(card, cards(), 1)
                return f"there is no event card {card!r}" + (f"; did you mean {close[0]!r}?" if close else "")
        try:
            declared(setup)
        except ValueError as error:
            return str(error)
        return ""

    def opens(self) -> Flow[None]:
        """The deck is made up; what the seats have declared is seen by all."""
        s, opt = self.s, self.opt(NewMoonOptions)
        known = cards()
        if s.setup.new_moon:
            chosen = list(s.setup.new_moon)
        elif isinstance(opt.deck, tuple):
            chosen = list(dict.fromkeys(opt.deck))
        else:
            chosen = [card for card, kind in known.items() if opt.deck == "full" or not kind.full_only]
        usable = [card for card in (*chosen, *opt.standing) if known[card].variant not in s.rules]
        self.standing = [card for card in dict.fromkeys(opt.standing) if card in usable]
        self.deck = [card for card in chosen if card in usable and card not in self.standing]
        for seat, facts in declared(s.setup).items():
            s.emit(Declared(seat, facts.gender, facts.black_clothes, facts.glasses, facts.jewellery, facts.age))
        yield from ()

    def night_begins(self) -> None:
        """A call whose morning never came is void."""
        self.called = False

    def checked(self, seer: int, targets: Sequence[int]) -> None:
        """The spirits remember."""
        if self.s.seats[seer].power == "seer":
            self.seer_found |= any(self.s.wolf_seats >> target & 1 for target in targets)

    # -- the event step

    def morning(self) -> Flow[None]:
        """Cards of the last round end; standing cards, then the card of the day; a look at wins if anything changed."""
        s = self.s
        self.end("round", s.day)
        before = s.living, s.wolf_seats, dict(s.camps)
        for card in self.standing:
            if card not in self.played and cards()[card].playable(s):
                yield from self.play(card)
        if self.called or not self.calls:
            yield from self.turn_one()
        self.called = False
        if before != (s.living, s.wolf_seats, dict(s.camps)):
            s.stirred = True
            victory.check(s, "event")

    def turn_one(self) -> Flow[None]:
        """The first playable card in the shuffled order, or the one that somebody has the right to pick.

        Who picks is not told what only the judge knows: a pick that cannot be played goes back as any drawn card would.
        """
        s, known = self.s, cards()
        offered = [card for card in self.deck if not known[card].open_condition or known[card].playable(s)]
        chosen = ""
        for hook in s.on.picks if offered else ():
            chosen = chosen or (yield from hook(offered))
        playable = [card for card in self.deck if known[card].playable(s)]
        if not playable:
            return
        if chosen not in playable:
            # Shuffling and passing over what is not playable is an even draw among the playable.
            chosen = playable[0] if s.setup.new_moon else s.draw("new-moon.card", playable)
        self.deck.remove(chosen)
        yield from self.play(chosen)

    def play(self, card: str) -> Flow[None]:
        """Read to all, put in force, done."""
        s, kind = self.s, cards()[card]
        if kind.slot:
            for other in [one for one in self.played if cards()[one].slot == kind.slot]:
                self.close(other)
        rule = kind(s)
        s.enforce(rule)
        self.played[card] = s.day
        s.emit(EventCard(card))
        yield from rule.play()
        if kind.lasts == "once":
            self.close(card)

    # -- the end of cards

    def dawns(self) -> None:
        """The night is over."""
        self.end("night", self.s.day)

    def day_over(self) -> None:
        """Cards of today; and a round whose next event step never came, since the day was cut short before it."""
        self.end("now", self.s.day + 1)
        self.end("round", self.s.day)

    def end(self, lasts: str, before: int) -> None:
        """End the cards of a class that were played before this day."""
        for card in [card for card, day in self.played.items() if day < before and cards()[card].lasts == lasts]:
            self.close(card)

    def close(self, card: str) -> None:
        """One card is over."""
        rule = self.s.rules[card]
        assert isinstance(rule, Card)
        del self.played[card]
        rule.over()
        self.s.take_out(card)
        if rule.ends_aloud:
            self.s.emit(EventOver(card))


__all__ = ["NewMoon"]
