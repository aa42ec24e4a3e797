"""What a speech claims: a small rules-first reader of Chinese, English and Japanese table talk.

It understands the built-in players' own phrases and common human phrasing (grammar.py). What it cannot read it leaves
out: a missed claim is silence, a wrong one a lie somebody never told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from players.base import Claim
from players.builtin.grammar import (
    BARE,
    BARE_FIRST,
    CHECKED,
    CHECKED_ALONE,
    CLAUSE,
    DIGITS,
    GOOD_ME,
    IS_BAD,
    IS_GOOD,
    LAST_NIGHT,
    ME,
    NIGHT,
    NOT_ME,
    PAIR,
    REPORTED,
    RESULTS,
    ROLES,
    SEAT,
    SOFT,
    THIRD,
    TONIGHT,
    UNREAL,
)

COMMON_WORDS = frozenset({"werewolf", "villager"})
_CARD = re.compile("|".join(map(re.escape, ROLES)), re.IGNORECASE)
MOST = 12  # claims read from one speech
READ = 600  # characters of a speech that are read


@lru_cache(maxsize=8192)
def listen(text: str, speaker: int, size: int, day: int = 0) -> tuple[Claim, ...]:
    """The claims in a speech. size: seats of the table; day: the current day, for "last night"."""
    claims: list[Claim] = []
    pending: tuple[tuple[int, ...], int | None] = ((), None)
    about: int | None = None
    for clause in _clauses(text[:READ], size):
        about = _night(clause, day) or about
        if pending[0] and "<" not in clause and (value := _good_or_bad(clause)):
            claims += [Claim("claim-result", speaker, seat, pending[1], value) for seat in pending[0]]
            pending = ((), None)
            continue
        found = list(_read(clause, speaker, about))
        checked = CHECKED.search(clause)
        if checked and not any(claim.act == "claim-result" for claim in found) and not _skip(clause):
            pending = (_seats(checked), about)
        if CHECKED_ALONE.search(clause) and "<" not in clause:
            claims = _now_checked(claims, about)
        claims += found
    seen = dict.fromkeys(c for c in claims if c.target != speaker or c.value == "saved")
    return tuple(claim for claim in seen if claim.target is None or 0 < claim.target <= size)[:MOST]


def named_seats(text: str, size: int) -> frozenset[int]:
    """Every seat that a text speaks of."""
    return frozenset(int(n) for clause in _clauses(text[:READ], size) for n in re.findall(r"<(\d+)>", clause))


def named_cards(text: str) -> frozenset[str]:
    """Every card that a text speaks of, but for those whose names are common words at the table."""
    return frozenset(ROLES[name.lower()] for name in _CARD.findall(text[:READ])) - COMMON_WORDS


def _clauses(text: str, size: int) -> list[str]:
    """The speech in clauses, every mention of a seat as <n>."""

    def named(match: re.Match[str]) -> str:
        number = next(group for group in match.groups() if group)
        number = DIGITS.get(number, number)
        return f"<{int(number)}>" if number.isdigit() and int(number) <= size else match.group()

    text = SEAT.sub(named, text.replace("’", "'").replace("<", "(").replace(">", ")"))
    text = BARE_FIRST.sub(r"<\1>", BARE.sub(r"\1<\2>", text))
    return [clause for clause in CLAUSE.split(PAIR.sub(r"\1、", text)) if clause.strip()]


def _read(clause: str, speaker: int, about: int | None) -> Iterator[Claim]:
    """The claims of one clause."""
    if UNREAL.search(clause):
        return
    if denied := NOT_ME.search(clause):
        yield _of_self(speaker, _word(denied), negated=True)
    elif me := ME.search(clause):
        yield _of_self(speaker, _word(me), negated=False)
    elif GOOD_ME.search(clause):
        yield Claim("defend", speaker)
    if "<" not in clause:
        return
    if not REPORTED.search(clause):
        results = list(_results(clause, speaker, about))
        yield from results
        if results:
            return
    if THIRD.search(clause):
        return
    taken: set[int] = set()
    for act, negated, pattern in SOFT:
        for match in pattern.finditer(clause):
            fresh = [seat for seat in _seats(match) if seat not in taken]
            taken.update(fresh)
            kind, _, value = act.partition(":")
            yield from (Claim(kind, speaker, seat, None, value or None, negated) for seat in fresh)


def _results(clause: str, speaker: int, about: int | None) -> Iterator[Claim]:
    """What the speaker says it did in the night, and what came of it."""
    checked = CHECKED.search(clause)
    if checked and (value := _good_or_bad(clause)):
        yield from (Claim("claim-result", speaker, seat, about, value) for seat in _seats(checked))
        return
    for value, pattern in RESULTS:
        for match in pattern.finditer(clause):
            yield from (Claim("claim-result", speaker, seat, about, value) for seat in _seats(match))


def _of_self(speaker: int, role: str, negated: bool) -> Claim:
    if negated and role == "werewolf":
        return Claim("defend", speaker)
    return Claim("claim-role", speaker, None, None, role, negated)


def _now_checked(claims: list[Claim], about: int | None) -> list[Claim]:
    """ "Seat 3 is a wolf, I checked": the last opinion was a result."""
    if claims and claims[-1].act in ("accuse", "vouch"):
        last = claims[-1]
        value = "bad" if last.act == "accuse" else "good"
        return [*claims[:-1], Claim("claim-result", last.subject, last.target, about, value)]
    return claims


def _skip(clause: str) -> bool:
    return bool(UNREAL.search(clause) or REPORTED.search(clause)) or any(word in clause for word in TONIGHT)


def _good_or_bad(clause: str) -> str | None:
    if IS_GOOD.search(clause):
        return "good"
    return "bad" if IS_BAD.search(clause) else None


def _night(clause: str, day: int) -> int | None:
    if match := NIGHT.search(clause):
        number = next(group for group in match.groups() if group)
        return int(DIGITS.get(number, number))
    if "首夜" in clause or "first night" in clause:
        return 1
    return day or None if LAST_NIGHT.search(clause) else None


def _seats(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(n) for group in match.groups() if group for n in re.findall(r"\d+", group))


def _word(match: re.Match[str]) -> str:
    return ROLES[next(group for group in match.groups() if group).lower()]


__all__ = ["ROLES", "listen", "named_cards", "named_seats"]
