"""Every form of ask, by keyboard and by mouse."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from engine.asks import NAMES, Answer, Ask, Question, choice_ask, flag_ask, mask_of, seat_ask, several_ask, text_ask
from tests.tui.tables import ask_app, table_of, to_ask, until
from tui.screens.dialogs import ConfirmScreen
from tui.widgets.picker import Picker

MASK = mask_of([1, 2, 5, 7])
SEAT = seat_ask(3, "day.vote", MASK, can_pass=True)
FORMS: list[tuple[Ask, list[str], Answer]] = [
    (SEAT, ["5", "enter"], 5),
    (SEAT, ["0", "enter"], None),
    (SEAT, ["right", "right", "enter"], 2),
    (SEAT, ["left", "left", "enter"], 7),
    (SEAT, ["3", "4", "enter", "7", "enter"], 7),
    (seat_ask(3, "day.vote", mask_of([1, 11, 12])), ["1", "2", "enter"], 12),
    (seat_ask(3, "day.vote", mask_of([1, 11, 12])), ["1", "enter"], 1),
    (flag_ask(3, "election.stand"), ["1", "enter"], True),
    (flag_ask(3, "election.stand"), ["0", "enter"], False),
    (choice_ask(3, "sheriff.side", ("left", "right")), ["2", "enter"], "right"),
    (several_ask(3, "piper.charm", MASK, 2, 2), ["5", "1", "enter"], (5, 1)),
    (several_ask(3, "piper.charm", MASK, 2, 2), ["enter", "5", "7", "7", "2", "enter"], (5, 2)),
    (several_ask(3, "piper.charm", MASK, 1, 2), ["right", "space", "enter"], (1,)),
    (several_ask(3, "piper.charm", MASK, 1, 2, can_pass=True), ["5", "0", "enter"], None),
    (Ask(3, "any.list", NAMES, 0, ("seer", "witch", "guard"), least=1, most=3), ["3", "1", "enter"], ("guard", "seer")),
    (Ask(3, "any.twice", "seats", MASK, least=2, most=2, repeats=True), ["5", "5", "enter"], (5, 5)),
    (Ask(3, "any.twice", "seats", MASK, least=2, most=2, repeats=True), ["5", "7", "backspace", "1", "enter"], (5, 1)),
    (Ask(3, "sheriff.break-tie", "seat", MASK, ("void",)), ["a", "enter"], "void"),
    (text_ask(3, "day.speak"), ["h", "i", "space", "1", "enter"], "hi 1"),
    (text_ask(3, "day.speak"), ["enter", "enter"], None),
    (text_ask(3, "day.speak", question_to=MASK), [*"@5", "space", "w", "h", "y", "enter"], Question("why", 5)),
    (text_ask(3, "day.speak", question_to=MASK), [*"@3", "space", "w", "enter", "backspace", "enter"], None),
]


@pytest.mark.parametrize(
    ("ask", "keys", "answer"), FORMS, ids=lambda value: value.kind if isinstance(value, Ask) else None
)
async def test_by_keyboard(ask: Ask, keys: list[str], answer: Answer) -> None:
    app = ask_app(ask)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        await pilot.press(*keys)
        if answer is None and ask.seats and ask.form == "text":
            assert not table_of(app).answers, "a question to a seat that may not be asked"
            return
        await until(pilot, lambda: table_of(app).answers)
        assert table_of(app).answers == [(ask.kind, answer)]


@pytest.mark.parametrize(
    ("ask", "clicks", "answer"),
    [
        (SEAT, [2, 2], 5),
        (SEAT, [4, 4], None),
        (flag_ask(3, "election.stand"), [0, 0], True),
        (several_ask(3, "piper.charm", MASK, 1, 2), [3, 0], (7, 1)),
    ],
)
async def test_by_mouse(ask: Ask, clicks: list[int], answer: Answer) -> None:
    app = ask_app(ask)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        picker = app.table.query_one(Picker)
        columns = picker.columns(picker.content_size.width)
        for at in clicks:
            await pilot.click(Picker, offset=(at % columns * picker.item_cells() + 2, at // columns))
        if ask.form == "seats":
            await pilot.press("enter")
        await until(pilot, lambda: table_of(app).answers)
        assert table_of(app).answers == [(ask.kind, answer)]


async def test_only_the_mask_is_offered() -> None:
    app = ask_app(SEAT)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        assert [item.value for item in app.table.query_one(Picker).items] == [1, 2, 5, 7, None]
        await pilot.press("3", "enter", "9", "enter")
        assert not table_of(app).answers


@pytest.mark.parametrize(
    ("keys", "answers"), [(["right", "enter"], [("witch.poison", 5)]), (["escape"], []), (["enter"], [])]
)
async def test_poison_is_confirmed(keys: list[str], answers: list[tuple[str, Answer]]) -> None:
    app = ask_app(seat_ask(3, "witch.poison", MASK, can_pass=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        await pilot.press("5", "enter")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press(*keys)
        await until(pilot, lambda: app.screen is app.table)
        assert table_of(app).answers == answers
        if not answers:
            await pilot.press("0", "enter")
            await until(pilot, lambda: table_of(app).answers == [("witch.poison", None)])


async def test_chinese_is_typed_and_spaces_do_not_pause() -> None:
    app = ask_app(text_ask(3, "day.speak"))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        await pilot.press("我", "是", "space", "好", "人", "question_mark", "enter")
        await until(pilot, lambda: table_of(app).answers)
        assert table_of(app).answers == [("day.speak", "我是 好人?")]
        assert not app.pace.paused


async def test_an_answer_is_bounded() -> None:
    app = ask_app(text_ask(3, "day.speak"))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_ask(app, pilot)
        app.table.query_one(Input).value = "字" * 2000
        await pilot.press("多", "enter")
        await until(pilot, lambda: table_of(app).answers)
        assert table_of(app).answers == [("day.speak", "字" * 2000)]
