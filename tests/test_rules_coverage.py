"""Every item of the rulebook and every option value is held by a rule case or a test, and the page says so."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "rules_coverage.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rules_coverage", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its structs look up their annotations there
    spec.loader.exec_module(module)
    return module


def test_everything_is_covered_and_the_page_is_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    code = load().main(["--check"])
    assert capsys.readouterr().err == ""
    assert code == 0


def test_what_is_not_covered_or_does_not_exist_is_named() -> None:
    script = load()
    items = [
        script.Item("a.b", "roles.md 1", "One."),
        script.Item("a.c", "roles.md 1", "Two.", test="tests/none.py::x"),
    ]
    found = script.coverage(items, [("f.yaml: one", ["a.d", "witch.both=no", "witch.both=maybe"])])
    assert found.missing[0] == "a.b"
    assert "witch.both=no" not in found.missing
    assert "witch.both=yes" in found.missing
    assert found.wrong == (
        "a.c: there is no test tests/none.py::x",
        "f.yaml: one: there is no item 'a.d'",
        "f.yaml: one: there is no option value 'witch.both=maybe'",
    )
