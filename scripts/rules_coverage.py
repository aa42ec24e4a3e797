"""Which rule case holds which item of the rulebook and which value of which option.

Reads docs/rulebook/*.toml (the rulebook's items as data) and every case under tests/cases, and writes
docs/rules-coverage.md. A case names what it holds in its `source`: a comma-separated list of item ids and of option
values written `option.id=value`. An item that a test of the suite holds instead names it (`test`), one that a later
part of the game brings says so (`later`).

    python scripts/rules_coverage.py            write the page
    python scripts/rules_coverage.py --check    exit 1 if the page is stale or anything is uncovered
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, get_args, get_origin

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cli.casefile import find_case_files, load_cases  # noqa: E402
from engine.options import known_options  # noqa: E402

BOOK = ROOT / "docs" / "rulebook"
CASES = ROOT / "tests" / "cases"
PAGE = ROOT / "docs" / "rules-coverage.md"
LATER = frozenset(
    """
    judge.rule judge.manners seer.aloud
    """.split()  # noqa: SIM905
)
"""Options, or groups of them, of parts of the game that are still being built: listed, and not missed yet."""
ANY = "any value"
"""Stands for the values of an option that takes numbers or lists: one case of any value is asked for."""


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the rulebook. page: where it stands. test: `file::name` of a test that holds it instead of a case."""

    id: str
    page: str
    text: str
    test: str = ""
    later: str = ""


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One page of the rulebook."""

    item: tuple[Item, ...]


class Coverage(msgspec.Struct, frozen=True):
    """What is held by what.

    items: with the cases of each, in the order of the pages. values: (option, value) -> cases. wrong: what names
    something that does not exist.
    """

    items: tuple[tuple[Item, tuple[str, ...]], ...]
    values: Mapping[tuple[str, str], tuple[str, ...]]
    wrong: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """Items and option values that nothing holds."""
        return [
            *(item.id for item, cases in self.items if not (cases or item.test or item.later)),
            *(f"{option}={value}" for (option, value), cases in self.values.items() if not (cases or _later(option))),
        ]


def _later(option: str) -> bool:
    return option in LATER or option.partition(".")[0] in LATER


def book(folder: Path = BOOK) -> tuple[Item, ...]:
    """All items, page by page. Raises msgspec.ValidationError for a page of another shape."""
    pages = sorted(folder.glob("*.toml"), key=lambda path: path.stem)
    return tuple(item for page in pages for item in msgspec.convert(tomllib.loads(page.read_text("utf-8")), Book).item)


def option_values() -> list[tuple[str, str]]:
    """Every option with each of its values, in words; ANY where they cannot be listed."""
    found: list[tuple[str, str]] = []
    for option, (group, field) in known_options().items():
        kind = group.model_fields[field].annotation
        if get_origin(kind) is Literal:
            found += [(option, str(value)) for value in get_args(kind)]
        else:
            found += [(option, value) for value in (("yes", "no") if kind is bool else (ANY,))]
    return found


def sources(folder: Path = CASES) -> list[tuple[str, list[str]]]:
    """Each case with a source: `file: case`, and the names in it."""
    return [
        (f"{file.relative_to(folder).as_posix()}: {located.case.case}", names)
        for file in find_case_files([folder])
        for located in load_cases(file)
        if (names := [name.strip() for name in (located.case.source or "").split(",") if name.strip()])
    ]


def coverage(items: Iterable[Item], cases: Iterable[tuple[str, list[str]]]) -> Coverage:
    """Match the cases with the items and the option values."""
    listed = list(items)
    ids = [item.id for item in listed]
    held: dict[str, list[str]] = {item.id: [] for item in listed}
    values: dict[tuple[str, str], list[str]] = {pair: [] for pair in option_values()}
    wrong = [f"the item {item.id} is listed twice" for n, item in enumerate(listed) if item.id in ids[:n]]
    wrong += [f"{item.id}: there is no test {item.test}" for item in listed if item.test and not _is_test(item.test)]
    for case, names in cases:
        for name in names:
            option, equals, value = name.partition("=")
            key = (option, ANY) if (option, ANY) in values else (option, value)
            if equals and key in values:
                values[key].append(case)
            elif not equals and name in held:
                held[name].append(case)
            else:
                wrong.append(f"{case}: there is no {'option value' if equals else 'item'} {name!r}")
    matched = tuple((item, tuple(dict.fromkeys(held[item.id]))) for item in listed)
    return Coverage(matched, {pair: tuple(dict.fromkeys(by)) for pair, by in values.items()}, tuple(wrong))


def _is_test(name: str) -> bool:
    path, _, function = name.partition("::")
    file = ROOT / path
    return file.is_file() and f"def {function.partition('[')[0]}(" in file.read_text("utf-8")


def page(found: Coverage) -> str:
    """The coverage page as Markdown."""
    lines = [
        "# What holds the rules",
        "",
        "Written by `scripts/rules_coverage.py`; do not edit. Cases are under tests/cases.",
        "",
        f"{len(found.items)} items of the rulebook, {len(found.values)} option values, {len(found.missing)} uncovered.",
    ]
    section = ""
    for item, cases in found.items:
        if item.page != section:
            section = item.page
            lines += ["", f"## {section}", "", "| item | says | held by |", "| --- | --- | --- |"]
        by = [*cases, *([item.test] if item.test else []), *([f"later: {item.later}"] if item.later else [])]
        lines.append(f"| `{item.id}` | {_cell(item.text)} | {_cells(by)} |")
    lines += ["", "## Options", "", "| option | value | held by |", "| --- | --- | --- |"]
    for (option, value), cases in found.values.items():
        lines.append(f"| `{option}` | {value} | {_cells(cases or (['later'] if _later(option) else []))} |")
    return "\n".join(lines) + "\n"


def _cells(by: Iterable[str]) -> str:
    return "<br>".join(map(_cell, by)) or "**nothing**"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare it and name what is uncovered. Returns the exit code."""
    found = coverage(book(), sources())
    text = page(found)
    problems = [*found.wrong, *(f"nothing holds {name}" for name in found.missing)]
    if "--check" not in arguments:
        PAGE.write_text(text, "utf-8")
    elif not PAGE.is_file() or PAGE.read_text("utf-8") != text:
        problems.append(f"{PAGE.name} is stale; run python scripts/rules_coverage.py")
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
