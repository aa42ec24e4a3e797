from __future__ import annotations

import re
from pathlib import Path

import tui
from tui.data import data
from tui.keys import KEYS
from tui.strings import catalogue

PACKAGE = Path(tui.__file__).parent


def test_languages_hold_the_same_keys_and_places() -> None:
    zh, en = catalogue("zh"), catalogue("en")
    assert zh.keys() == en.keys()
    for key in zh:
        assert set(re.findall(r"{(\w+)}", zh[key])) == set(re.findall(r"{(\w+)}", en[key])), key


def test_keys_written_in_the_code_exist() -> None:
    code = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    used = set(re.findall(r'(?:say|strings)\(\s*"([\w.-]+)"', code))
    assert used
    assert used - catalogue("zh").keys() == set()


def test_keys_of_the_tables_exist() -> None:
    named = {key.label for key in KEYS} | set(data().ballots.values())
    named |= {rule.mark for rule in data().marks.values() if rule.mark}
    assert named - catalogue("en").keys() == set()


def test_marks_and_ballots_are_event_kinds() -> None:
    from engine.events import KINDS
    from engine.rules.ruleset import roles

    roles()
    known = set(KINDS)
    assert {kind for kind in data().ballots if kind not in known} == set()
    for kind, rule in data().marks.items():
        assert rule.seats in KINDS[kind].__struct_fields__, kind
