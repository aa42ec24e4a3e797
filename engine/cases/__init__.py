"""Rule cases: small games that a person can read, played on the engine alone.

`parse_cases` takes the plain data of a case file, `play_case` plays one case and returns what did not hold.
"""

from engine.cases.model import Case, CaseError, parse_cases
from engine.cases.player import play_case
from engine.cases.record import Problem

__all__ = ["Case", "CaseError", "Problem", "parse_cases", "play_case"]
