"""Broken case files: each gives one line that names the file, the line and what is wrong."""

from pathlib import Path

import pytest

from cli.casefile import CaseFileError, load_cases
from cli.check import run_check

GOOD = """\
- case: a quiet night
  ruleset: tournament
  options: {vote.abstain: yes}
  seats: [werewolf, villager, seer]
  play:
    - night 1:
        werewolf.bite: 2
      refuse:
        - {ask: seer.check, seat: 3, answer: 3}
      expect:
        dead: [2]
        told: {3: [{kind: witch.victims, seats: []}]}
"""

BROKEN = [
    ("werewolf, villager, seer]", "werewolf, villager, seer", 5, "not valid YAML"),
    ("  ruleset: tournament", "\truleset: tournament", 2, "not valid YAML"),
    ("  ruleset: tournament", "  rulesett: tournament", 2, "there is no key 'rulesett' here; did you mean 'ruleset'?"),
    ("  ruleset: tournament\n", "", 1, "the key 'ruleset' is missing"),
    ("  ruleset: tournament", "  ruleset: turnament", 2, "there is no ruleset 'turnament'; did you mean 'tournament'?"),
    ("  ruleset: tournament", "  case: once more", 2, "the key 'case' stands here twice"),
    ("vote.abstain: yes", "vote.abstane: yes", 3, "there is no option 'vote.abstane'; did you mean 'vote.abstain'?"),
    ("vote.abstain: yes", "vote.abstain: perhaps", 3, "option vote.abstain takes yes, no, not 'perhaps'"),
    ("villager, seer]", "vilager, seer]", 4, "there is no role 'vilager'; did you mean 'villager'?"),
    ("[werewolf, villager, seer]", "werewolf", 4, "seats: this should be a valid list"),
    ("    - night 1:", "    - nihgt 1:", 6, "'nihgt 1' is no phase"),
    ("    - night 1:", "    - night 0:", 6, "'night 0' is no phase"),
    ("werewolf.bite: 2", "werewolf.bitte: 2", 7, "there is no ask 'werewolf.bitte'; did you mean 'werewolf.bite'?"),
    ("werewolf.bite: 2", "werewolf.bite: 1.5", 7, "an answer is a seat"),
    ("werewolf.bite: 2", "werewolf.bite: {two: 2}", 7, "play, 1, werewolf.bite"),
    ("werewolf.bite: 2", "werewolf.bite@day.speek:3: {1: true}", 7, "there is no ask 'day.speek'"),
    ("seat: 3, answer: 3", "seat: three, answer: 3", 9, "this should be a valid integer, not 'three'"),
    ("      expect:", "      expct:", 10, "there is no key 'expct' here; did you mean 'expect'?"),
    ("        dead: [2]", "        ded: [2]", 11, "there is no key 'ded' here; did you mean 'dead'?"),
    ("        dead: [2]", "        dead: 2", 11, "dead: this should be a valid list"),
    ("        dead: [2]", "        dead: [two]", 11, "this should be a valid integer, not 'two'"),
    ("        dead: [2]", "        causes: {2: byte}", 11, "there is no cause 'byte'; did you mean 'bite'?"),
    ("kind: witch.victims", "kind: witch.victim", 12, "there is no event 'witch.victim'"),
    (
        "{kind: witch.victims, seats: []}",
        "{kind: witch.victims, seat: 2}",
        12,
        "no field of the event witch.victims 'seat'",
    ),
    ("{kind: witch.victims, seats: []}", "{seats: []}", 12, "name the event's `kind`"),
]


@pytest.mark.parametrize(("good", "bad", "line", "said"), BROKEN, ids=[said for *_, said in BROKEN])
def test_one_line_names_file_line_and_fault(tmp_path: Path, good: str, bad: str, line: int, said: str) -> None:
    assert good in GOOD
    file = tmp_path / "broken.yaml"
    file.write_text(GOOD.replace(good, bad, 1), "utf-8")
    with pytest.raises(CaseFileError) as caught:
        load_cases(file)
    assert str(caught.value).startswith(f"{file}:{line}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"case: one\n", ":1: a case file is a list of cases"),
        (b"- one\n", ":1: "),
        (b"\n\xff\n", ":2: not UTF-8 text"),
        (b"- case: \x07\n", ":1: not valid YAML: it holds a control character"),
        (b"- &a [*a]\n", "nested too deeply"),
        (b"[" * 5000, "nested too deeply"),
        (b"- !!python/object:os.system {}\n", "case"),
        (b"- case: one\n  seed: 2024-99-99\n", ":2: "),
        (GOOD.encode() + GOOD.encode(), ":13: the name 'a quiet night' is used twice in this file"),
        (GOOD.encode() + b"    - night 1:\n", ":5: play: the phase 'night 1' is listed twice"),
    ],
)
def test_files_that_hold_no_cases(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_bytes(content)
    with pytest.raises(CaseFileError) as caught:
        load_cases(file)
    assert said in str(caught.value)


def test_check_says_so_and_still_plays_the_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("- case: [\n", "utf-8")
    (tmp_path / "b.yaml").write_text(
        GOOD.replace("        told: {3: [{kind: witch.victims, seats: []}]}\n", ""), "utf-8"
    )
    assert run_check([tmp_path, tmp_path / "none.yaml"]) == 2
    printed = capsys.readouterr()
    assert printed.out == "1 passed, 0 failed\n"
    assert [line.split(": ")[-1] for line in printed.err.splitlines()][1:] == ["there is no such file or folder"]
    assert f"{tmp_path / 'a.yaml'}:" in printed.err
    assert run_check([tmp_path / "b.yaml"]) == 0
