"""What the judge says: a short game word for word, and the corners of single lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.asks import Answer, Ask, choice_ask, flag_ask, seat_ask, several_ask, text_ask
from engine.events import Ballots, Dawn, Event, Over, Revealed, Said, Sheriff, Shot
from engine.game import Game
from engine.roles.seer import SeerResult
from engine.setup import Setup
from prompts.narrate import narrate, overheard
from prompts.texts import TextError
from prompts.words import answer_words, ask_title, call, option_words, seats_word
from tests.prompts.conftest import Walk

EXPECTED = Path(__file__).parent / "expected"
CARDS = ("werewolf",) * 3 + ("villager",) * 3 + ("seer", "witch", "hunter")
PLAN: dict[str, Answer] = {
    "werewolf.bite": 9,
    "seer.check": 1,
    "hunter.shoot": 1,
    "sheriff.side": "right",
    "sheriff.summary": 2,
    "day.vote": 2,
}


def planned(ask: Ask, day: int) -> Answer:
    """Wolves bite the hunter, who shoots a wolf; the seer is sheriff; wolf 2 is voted out; then nobody does a thing."""
    if day > 1 or (ask.kind == "day.vote" and ask.seat in (2, 3)):
        return ask.quiet()
    if ask.kind == "election.stand":
        return ask.seat == 7
    if ask.form == "text":
        return {2: "7号是悍跳，[/b] 出他。", 7: "我验了1号，查杀。"}.get(ask.seat)
    return PLAN.get(ask.kind, ask.quiet())


def told(lang: str) -> str:
    """The judge's log of the planned game, to the second morning."""
    game = Game(Setup("tournament", CARDS, lang=lang))
    while game.asks and game.public.day < 3:
        game.answer({ask.seat: planned(ask, game.public.day) for ask in game.asks})
    lines = [overheard(event, to, lang) for event, to in zip(game.events, game.audiences, strict=True)]
    return "\n".join(line for line in lines if line is not None) + "\n"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_short_game_word_for_word(lang: str) -> None:
    assert told(lang) == (EXPECTED / f"{lang}.txt").read_text("utf-8")


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
def test_whole_random_games_are_told(lang: str, table: Setup, random_walk: Walk) -> None:
    *_, game = random_walk(table, 4)
    for event, to in zip(game.events, game.audiences, strict=True):
        line = overheard(event, to, lang)
        assert line is None or ("\n" not in line and "{" not in line)


def test_ballots_are_a_table() -> None:
    ballots = Ballots({1: 3, 2: None, 4: 3, 5: 1, 6: 5}, (6,), {1: 1, 3: 3.5, 8: 2})
    assert narrate(ballots, "zh") == "得票：3号←1、4号（3.5票）；8号（2票）；1号←5号（1票）；弃权：2号；作废：6号。"
    assert narrate(ballots, "en") == (
        "The count: seat 3 ← 1, 4 (3.5); seat 8 (2); seat 1 ← 5 (1); abstained: seat 2; void: seat 6."
    )
    assert narrate(Ballots({}, (), {}), "en") == "The count: no ballots."


@pytest.mark.parametrize(
    ("event", "zh", "en"),
    [
        (Dawn(()), "昨晚是平安夜，没有人出局。", "A peaceful night: nobody is out."),
        (Dawn((3, 5)), "昨晚出局的是3号、5号。", "Out last night: seats 3 and 5."),
        (
            Dawn((3, 5), ((5, 3),)),
            "昨晚出局的是3号、5号。5号是3号的情侣，随之出局。",
            "Out last night: seats 3 and 5. Seat 5, the lover of seat 3, follows.",
        ),
        (Shot((4,)), "4号没有开枪。", "Seat 4 does not shoot."),
        (Revealed(4, "witch"), "4号的身份是女巫。", "Seat 4 turns the card: witch."),
        (Sheriff(None), "现在没有警长。", "There is no sheriff now."),
        (SeerResult(4, "bad"), "4号：拇指向下（狼人）。", "Seat 4: thumb down (wolf)."),
        (SeerResult(4, "guard"), "4号的身份是守卫。", "Seat 4's card: guard."),
        (SeerResult(4, "not-village"), "4号不属于村民阵营。", "Seat 4 is not of the village camp."),
        (Said(4, "", "speech"), "4号没有发言。", "Seat 4 says nothing."),
        (Said(4, "nod", "gesture"), "4号：点头", "Seat 4: nods"),
        (Over((), (), ("seer", "witch"), ("village", "village")), "游戏结束，无人获胜。身份如下：1号预言家、2号女巫。",
         "The game is over; nobody wins. The roles: 1: seer, 2: witch."),
    ],
)  # fmt: skip
def test_single_lines(event: Event, zh: str, en: str) -> None:
    assert (narrate(event, "zh"), narrate(event, "en")) == (zh, en)


def test_speech_is_one_bounded_line() -> None:
    line = narrate(Said(2, "a\nb\x1b[31m\u202ec" + "x" * 5000, "speech"), "zh") or ""
    assert line.startswith("2号：a b[31mcx")
    assert len(line) < 2100


def test_an_unknown_kind_is_an_error() -> None:
    class Strange(Event, frozen=True, tag="strange"):
        """Not registered."""

    Strange.kind = "strange"
    with pytest.raises(TextError, match="no line tells events of kind 'strange'"):
        narrate(Strange(), "zh")


def test_answers_in_words() -> None:
    vote = seat_ask(2, "day.vote", 0b11110, can_pass=True)
    assert [option_words(vote, option, "zh") for option in vote.options()] == ["1号", "2号", "3号", "4号", "弃权"]
    assert option_words(flag_ask(1, "witch.antidote"), True, "zh") == "使用解药"
    assert option_words(flag_ask(1, "witch.antidote"), False, "en") == "keep it"
    assert option_words(choice_ask(1, "sheriff.side", ("left", "right")), "right", "en") == "right"
    assert answer_words(several_ask(1, "cupid.link", 0b1110, 2, 2), (1, 3), "en") == "seats 1 and 3"
    assert answer_words(text_ask(1, "day.speak"), "hint", "en") == "hint"
    assert seats_word((), "zh") == "无人"


def test_titles_use_what_the_seat_was_told() -> None:
    game = Game(Setup("tournament", CARDS))
    titles: dict[str, str] = {}
    while game.public.day < 2:
        for ask in game.asks:
            titles.setdefault(ask.kind, ask_title(ask, game.view(ask.seat), "zh"))
        spread = {ask.seat: ask.seat if ask.kind == "werewolf.bite" else ask.quiet() for ask in game.asks}
        titles |= {
            f"{ask.kind}#2": ask_title(ask, game.view(ask.seat), "zh")
            for ask in game.asks
            if any(event.kind == "pack.ballot" for event in game.view(ask.seat).private)
        }
        game.answer(spread)
    assert titles["werewolf.bite"] == "狼人请杀人，请统一意见。"
    assert titles["werewolf.bite#2"] == "意见不一致，请再选一次。"
    game = Game(Setup("tournament", CARDS))
    while "witch.antidote" not in {ask.kind for ask in game.asks}:
        game.answer({ask.seat: planned(ask, 1) for ask in game.asks})
    assert ask_title(game.asks[0], game.view(8), "zh") == "今晚死的是9号。要用解药吗？"
    assert call(game.asks[0], "zh") is None
    assert call(text_ask(3, "day.speak"), "en") == "Seat 3, speak."
