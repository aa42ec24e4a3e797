"""Event cards that change the talk: forbidden words, manners, backs turned (new-moon.md 15, 26, eclipse)."""

from __future__ import annotations

import re

from engine.asks import several_ask, text_ask
from engine.bits import circle_from, seats_of
from engine.events import Event, Said, Seats, registered
from engine.flow.talk import muted, once_round, spoken
from engine.new_moon.card import Card, at_home, left_of_the_dead
from engine.rule import Flow

FORBIDDEN = re.compile(
    r"[狼我]|オオカミ|おおかみ|私|わたし|僕|ぼく|ボク|俺|おれ|オレ"
    r"|(?<![A-Za-z])(?:wolf|wolves|werewolf|werewolves|i|me|my|mine|myself)(?![A-Za-z])",
    re.IGNORECASE,
)
"""Wolf and I, in all languages of the game: in Chinese and Japanese anywhere, in English as whole words."""


@registered
class Unseen(Event, frozen=True, tag="said.unseen"):
    """A speech whose speaker nobody saw."""

    text: str


@registered
class Manners(Event, frozen=True, tag="judge.manners"):
    """Who was rude, as the judge rules."""

    seats: Seats


class Banning(Card):
    """Offenders lose the vote of the day."""

    lasts = "now"

    def votes(self, voters: int) -> int:
        return voters & ~self.s.marked("no-vote")

    def over(self) -> None:
        self.s.unmark("no-vote")


class NotMeNorWolf(Banning):
    """Nobody may say wolf, or I."""

    id = "event.not-me-nor-wolf"

    def spoken(self, said: Said) -> Flow[None]:
        """The first slip costs the vote; what was said is said."""
        yield from ()
        s = self.s
        if s.phase == "day" and not s.marked("no-vote") >> said.seat & 1 and FORBIDDEN.search(said.text):
            self.bar(said.seat)


class GoodManners(Banning):
    """One round in turn, no interruption; then the judge names the rude."""

    id = "event.good-manners"
    slot = "talk"

    def talks(self) -> Flow[bool]:
        """From the left of the last dead."""
        s = self.s
        s.orderly = True
        yield from once_round(s, circle_from(at_home(s), left_of_the_dead(s) or 1, s.size))
        s.orderly = False
        mask = at_home(s)
        rude = (yield [several_ask(0, "judge.manners", mask, 0, mask.bit_count(), True)]).get(0)
        named = tuple(sorted(int(seat) for seat in rude)) if isinstance(rude, tuple) else ()
        s.emit(Manners(named))
        for seat in named:
            if not s.marked("no-vote") >> seat & 1:
                self.bar(seat)
        return True

    def over(self) -> None:
        self.s.orderly = False
        super().over()


class Eclipse(Card):
    """Backs turned: what is said is heard, and not who says it."""

    id = "event.eclipse"
    lasts = "now"
    full_only = True
    slot = "talk"

    def talks(self) -> Flow[bool]:
        """All speak unheard; then the speeches are read in a drawn order."""
        s = self.s
        speakers = [seat for seat in seats_of(at_home(s)) if not muted(s, seat)]
        answers = (yield [text_ask(seat, "day.speak") for seat in speakers]) if speakers else {}
        said = {seat: str(answers.get(seat) or "") for seat in speakers}
        for seat in s.shuffled("eclipse.order", speakers):
            s.emit(Unseen(said[seat]))
        for seat in speakers:
            yield from spoken(s, Said(seat, said[seat], "speech"))
        return True


__all__ = ["Eclipse", "GoodManners", "NotMeNorWolf"]
