"""Plays every rule case under tests/cases, and tests the player itself with cases that must fail."""

from pathlib import Path
from typing import Any

import pytest

from cli.casefile import Located, find_case_files, load_cases
from cli.check import run_check
from engine.cases import parse_cases, play_case, player

CASES = [located for file in find_case_files([Path(__file__).parent / "cases"]) for located in load_cases(file)]
NINE = ["werewolf", "werewolf", "werewolf", "villager", "villager", "villager", "seer", "witch", "hunter"]


def name_of(located: Located) -> str:
    return f"{located.path.stem}: {located.case.case}"


@pytest.mark.parametrize("located", CASES, ids=name_of)
def test_case(located: Located) -> None:
    assert "\n".join(map(str, play_case(located.case))) == ""


def fails(play: list[Any], **table: Any) -> str:
    """What is said about a case that must fail."""
    (case,) = parse_cases([{"case": "one", "ruleset": "tournament", "seats": NINE, **table, "play": play}])
    problems = play_case(case)
    assert problems, "this case should fail"
    return "; ".join(map(str, problems))


@pytest.mark.parametrize(
    ("play", "said"),
    [
        ([{"night 1": {"werewolf.bite": 5}, "expect": {"dead": []}}], "night 1: dead: expected []; happened: [5]"),
        ([{"night 1": {"guard.protect": 5}}], "guard.protect: expected somebody asked; happened: asked were []"),
        ([{"night 1": {"seer.check": {7: 1, 8: 1}}}], "seer.check: expected seats [8] asked"),
        ([{"night 1": {"seer.check": 7}}], "seer.check, seat 7: expected 7 to be legal; happened: 7 is not among"),
        ([{"day 1": {"werewolf.explode": {4: True}}}], "werewolf.explode, seat 4: expected to be offered"),
        ([{"election 1": None, "expect": {"absent": True}}], "expected that this phase never comes"),
        (
            [{"day 1": {"werewolf.explode": {1: True}}}, {"vote 1": None}, {"night 2": None}],
            "vote 1: phase: expected that this phase comes",
        ),
        ([{"vote 1": None}, {"day 1": None}], "phases: expected the order"),
        (
            [{"night 1": None, "refuse": [{"ask": "werewolf.bite", "seat": 1, "answer": 4}]}],
            "refuse werewolf.bite, seat 1: expected 4 refused; happened: it was accepted",
        ),
        (
            [{"night 1": None, "refuse": [{"ask": "guard.protect", "seat": 1, "answer": 4}]}],
            "refuse guard.protect, seat 1: expected to be tried; happened: never asked",
        ),
        ([{"night 1": None, "expect": {"cannot": {"seer.check": {4: [1]}}}}], "this seat was not asked"),
        (
            [{"vote 1": {"day.vote": {1: 4, 4: 1}, "werewolf.explode@day.vote:1": {2: True}}}],
            "werewolf.explode, seat 2: expected offered right after",
        ),
    ],
)
def test_a_case_that_does_not_hold_says_what_was_expected_and_what_happened(play: list[Any], said: str) -> None:
    assert said in fails(play)


def test_a_ruleset_or_a_key_that_is_not_played_yet_fails_the_case() -> None:
    assert "no event card 'event.eclips'" in fails([{"night 1": None}], **{"new-moon": ["event.eclips"]})
    assert "arsonist needs the option village" in fails([{"night 1": None}], seats=["arsonist", "werewolf"])


def test_a_draw_that_does_not_fit_is_an_error_of_the_case() -> None:
    table = {
        "ruleset": "homebrew",
        "seats": ["villager", "werewolf", "little-girl", "villager", "villager"],
        "draws": [{"coin": "heads"}],
    }
    said = fails([{"night 1": {"little-girl.peek": {3: True}, "werewolf.bite": 1}}], **table)
    assert "draws" in said
    assert "'coin'" in said


def test_a_case_that_goes_on_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "TURNS", 60)
    assert "the game goes on for ever" in fails([{"night 900": None}])


def test_check_prints_failures_and_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "two.yaml"
    table = f"  ruleset: tournament\n  seats: {NINE}\n  play:\n"
    file.write_text(
        f"- case: good\n{table}  - night 1:\n- case: bad\n{table}  - night 1:\n    expect: {{dead: [4]}}\n", "utf-8"
    )
    assert run_check([tmp_path]) == 1
    failing, counts = capsys.readouterr().out.splitlines()
    assert failing == f"{file}:6: bad: night 1: dead: expected [4]; happened: []"
    assert counts == "1 passed, 1 failed"
    assert run_check([file], json_out=True) == 1
    assert '"expected": "[4]"' in capsys.readouterr().out
