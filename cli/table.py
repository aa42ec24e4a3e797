"""From settings and flags to a dealt table; every mistake is told in the language of the person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from random import Random
from typing import Any, get_origin

from cli.config import Settings
from cli.errors import Problem
from cli.extras import NO_EXTRAS, Extras
from engine.options import OptionError, build, choices, flat, known_options
from engine.rules.ruleset import Ruleset, SetupError, load_ruleset, roles, ruleset_ids
from engine.setup import MOST_SEATS, Setup, deal

Me = int | None
FEWEST_SEATS = 3


def find_ruleset(name: str) -> Ruleset:
    """A ruleset by its id. Raises Problem."""
    ids = ruleset_ids()
    if name in ids:
        return load_ruleset(name)
    raise unknown("ruleset", "规则", name, ids)


def make_setup(
    settings: Settings,
    *,
    seed: int,
    overrides: Iterable[str] = (),
    wish: tuple[int, str] | None = None,
    extras: Extras = NO_EXTRAS,
) -> Setup:
    """The dealt table. overrides: ID=VALUE. wish: (seat, role). Raises Problem."""
    _check_sitter(settings.seated)
    rules = find_ruleset(settings.ruleset)
    options = read_overrides(rules, overrides)
    deck = _deck(rules, settings)
    if wish is not None and wish[1] not in roles():
        raise unknown("role", "角色", wish[1], roles())
    try:
        return deal(
            rules.id,
            settings.seats,
            deck=deck,
            seed=seed,
            lang=settings.lang,
            options=options,
            wish=wish,
            attributes=extras.attributes,
            new_moon=extras.events,
        )
    except SetupError as error:
        raise Problem(str(error), f"牌局设置有误：{error}") from None


def _check_sitter(spec: str) -> None:
    """Refuse a --players that names nobody, before anything begins. Raises Problem."""
    kind, _, rest = spec.partition(":")
    if not rest:
        return
    from players.builtin.persona import LEVELS, PERSONAS

    if kind == "python":
        from players.python import python_names

        if rest not in python_names():
            known = ", ".join(python_names())
            raise Problem(
                f"--players {spec}: there is no such Python player; "
                + (f"there are {known}" if known else "none is installed"),
                f"--players {spec}：没有这个 Python 玩家；" + (f"可用的有 {known}" if known else "一个也没有安装"),
            )
    if kind == "builtin" and not set(rest.split(":")) <= {"", *LEVELS, *PERSONAS}:
        raise Problem(
            f"--players {spec}: after builtin come a persona ({', '.join(PERSONAS)}) and a level ({', '.join(LEVELS)})",
            f"--players {spec}：builtin 之后可写性格（{'、'.join(PERSONAS)}）与水平（{'、'.join(LEVELS)}）",
        )


def my_seat(word: str, seats: int, seed: int) -> Me:
    """The seat that --me asks for: a number, `random` or `none` (watch only). Raises Problem."""
    if word == "none":
        return None
    if word == "random":
        return Random(f"{seed}:me").randint(1, seats)
    if word.isascii() and word.isdigit() and 1 <= int(word) <= seats:
        return int(word)
    raise Problem(
        f"--me takes a seat from 1 to {seats}, random or none, not {word!r}",
        f"--me 只能是 1 到 {seats} 的座位号、random 或 none，不能是 {word!r}",
    )


def read_overrides(rules: Ruleset, overrides: Iterable[str]) -> dict[str, Any]:
    """Options by id, as the ruleset keeps them. Raises Problem."""
    rules.options({})  # declares all option groups
    known, given = known_options(), dict[str, Any]()
    for override in overrides:
        option, sign, value = override.partition("=")
        if not sign:
            raise Problem(
                f"--option takes ID=VALUE, for example witch.self-save=yes, not {override!r}",
                f"--option 的写法是 ID=值，例如 witch.self-save=yes，不是 {override!r}",
            )
        if option not in known:
            raise unknown("option", "规则选项", option, known)
        group, field = known[option]
        several = get_origin(group.model_fields[field].annotation) is tuple
        given[option] = value.split(",") if several else value
        try:
            given[option] = flat(build({option: given[option]}))[option]
        except OptionError:
            raise Problem(
                f"option {option} takes {choices(option)}, not {value!r}",
                f"选项 {option} 可取 {choices(option)}，不能是 {value!r}",
            ) from None
    return given


def _deck(rules: Ruleset, settings: Settings) -> str | Mapping[str, int] | None:
    """The deck asked for, known to fit the seats. Raises Problem."""
    if not FEWEST_SEATS <= settings.seats <= MOST_SEATS:
        raise Problem(
            f"--seats takes {FEWEST_SEATS} to {MOST_SEATS}, not {settings.seats}",
            f"--seats 可取 {FEWEST_SEATS} 到 {MOST_SEATS}，不能是 {settings.seats}",
        )
    if settings.deck is not None and "=" in settings.deck:
        return _own_deck(settings.deck, settings.seats)
    if settings.deck is not None and settings.deck not in rules.decks:
        raise unknown("deck", "牌组", settings.deck, rules.decks)
    tables = rules.decks.values() if settings.deck is None else [rules.decks[settings.deck]]
    counts = sorted({int(seats) for table in tables for seats in table})
    if settings.seats not in counts:
        listed = ", ".join(map(str, counts))
        raise Problem(
            f"{rules.id} has no deck for {settings.seats} seats; choose --seats {listed}, or make one with --deck",
            f"{rules.id} 没有 {settings.seats} 人的牌组；--seats 可选 {listed}，或用 --deck 自己配",
        )
    return settings.deck


def _own_deck(text: str, seats: int) -> dict[str, int]:
    """Counts by role from `role=n,role=n`. Raises Problem."""
    counts: dict[str, int] = {}
    for part in text.split(","):
        role, _, number = (word.strip() for word in part.partition("="))
        if role not in roles():
            raise unknown("role", "角色", role, roles())
        if not (number.isascii() and number.isdigit() and len(number) < 4):
            raise Problem(
                f"--deck wants a number after {role}=, not {number!r}",
                f"--deck 里 {role}= 后面要写数字，不是 {number!r}",
            )
        counts[role] = counts.get(role, 0) + int(number)
    wolves = sum(count for role, count in counts.items() if roles()[role].wolf_card)
    if not 0 < wolves < sum(counts.values()):
        raise Problem("--deck needs a wolf card, and a card that is none", "--deck 至少要有一张狼牌和一张非狼牌")
    cards, thief = sum(counts.values()), 2 if counts.get("thief") else 0
    if cards != seats + thief:
        raise Problem(
            f"the deck holds {cards} cards, and {seats} seats need {seats + thief}; change --deck or --seats",
            f"牌组有 {cards} 张，而 {seats} 个座位需要 {seats + thief} 张；请改 --deck 或 --seats",
        )
    return counts


def unknown(what: str, what_zh: str, name: str, known: Iterable[str]) -> Problem:
    """There is no such thing; the nearest, or all that there are."""
    names = sorted(known)
    close = get_close_matches(name, names, 1)
    listed = ", ".join(names) if len(names) <= 40 else ""
    if close:
        return Problem(
            f"there is no {what} {name!r}; did you mean {close[0]!r}?", f"没有{what_zh} {name!r}；是不是 {close[0]!r}？"
        )
    if not listed:
        return Problem(
            f"there is no {what} {name!r}; see `tianhei rules`", f"没有{what_zh} {name!r}；见 `tianhei rules`"
        )
    return Problem(f"there is no {what} {name!r}; there are {listed}", f"没有{what_zh} {name!r}；可用的有 {listed}")
