"""How often built-in players say the same: `python -m benchmarks.speech_variety [GAMES] [LANG]`.

Prints, for games of rulesets in turn, the share of speeches whose every word another speech has too, and how often a
seat used one line twice in a game.
"""

from __future__ import annotations

import sys
from collections import Counter

import msgspec

from arena.players_bench import FRESH, TABLES, Sides, play, seated
from engine.setup import deal
from players.builtin.lines import book, used


class Variety(msgspec.Struct, frozen=True):
    """speeches: made in all. repeated: those said before, word for word, in any game. twice: lines that a seat used
    again in its game. often: the speeches said most often."""

    speeches: int
    repeated: int
    twice: int
    often: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """Of the speeches, those said before."""
        return self.repeated / max(1, self.speeches)


def measure(games: int, lang: str, first: int = FRESH, tables: tuple[tuple[str, int], ...] = TABLES) -> Variety:
    """Play the games, all seats at the top level, the rulesets in turn."""
    said: Counter[str] = Counter()
    twice = 0
    templates = [used(template) for lines in book(lang).lines.values() for template in lines]
    for nth in range(games):
        ruleset, seats = tables[nth % len(tables)]
        setup = deal(ruleset, seats, seed=first + nth, lang=lang)
        own: dict[int, list[str]] = {}
        for event in play(setup, seated(setup, Sides())).public.said:
            if event.text and event.how != "gesture":
                said[event.text] += 1
                own.setdefault(event.seat, []).append(event.text)
        for speeches in own.values():
            twice += sum(max(0, sum(len(one.findall(text)) for text in speeches) - 1) for one in templates)
    return Variety(said.total(), said.total() - len(said), twice, tuple(said.most_common(12)))


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for lang in sys.argv[2:] or ["zh", "en"]:
        found = measure(games, lang)
        print(
            f"{lang}: {found.speeches} speeches, {100 * found.share:.1f} % said before, {found.twice} lines used twice"
        )
        for text, times in found.often:
            if times > 1:
                print(f"  {times}  {text}")


if __name__ == "__main__":
    main()
