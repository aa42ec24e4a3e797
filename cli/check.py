"""`tianhei check`: plays rule cases on the engine alone and says which fail."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from cli.casefile import CaseFileError, Located, find_case_files, load_cases
from engine.cases import Problem, play_case
from engine.text import clean

PASSED, FAILED, INVALID = 0, 1, 2


def run_check(paths: Sequence[Path | str], json_out: bool = False) -> int:
    """Play the cases of these files and folders.

    Prints a line for each case that fails, with what was expected and what happened, then `N passed, M failed`; with
    json_out the same as one JSON object. Returns 0, 1 when a case failed, 2 when a file is not a valid case file (said
    on standard error; the other files are still played).
    """
    cases, broken = _load([Path(path) for path in paths])
    failed = [(located, problems) for located in cases if (problems := play_case(located.case))]
    if json_out:
        print(json.dumps(_report(len(cases) - len(failed), failed, broken), ensure_ascii=False, indent=1))
    else:
        for error in broken:
            print(clean(str(error)), file=sys.stderr)
        for located, problems in failed:
            said = "; ".join(map(str, problems))
            print(clean(f"{located.path}:{located.line}: {located.case.case}: {said}"))
        print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    return INVALID if broken else FAILED if failed else PASSED


def _load(paths: list[Path]) -> tuple[list[Located], list[CaseFileError]]:
    """All cases that can be read, and what is wrong with the files that cannot."""
    cases: list[Located] = []
    broken: list[CaseFileError] = []
    for path in paths:
        try:
            files = find_case_files([path])
        except CaseFileError as error:
            broken.append(error)
            continue
        for file in files:
            try:
                cases += load_cases(file)
            except CaseFileError as error:
                broken.append(error)
    return cases, broken


def _report(
    passed: int, failed: list[tuple[Located, tuple[Problem, ...]]], broken: list[CaseFileError]
) -> dict[str, object]:
    failures = [
        {
            "file": str(located.path),
            "line": located.line,
            "case": located.case.case,
            "problems": [
                {"phase": p.phase, "what": p.what, "expected": p.expected, "happened": p.happened} for p in problems
            ],
        }
        for located, problems in failed
    ]
    errors = [{"file": str(error.path), "line": error.line, "message": error.message} for error in broken]
    return {"passed": passed, "failed": len(failed), "failures": failures, "errors": errors}
