"""The rules of a table in plain words, made from the data that the engine runs.

Every option of a ruleset has a sentence for each of its values in the catalogue (`options.<option>.<value>`), every
card a sentence (`roles.<card>.brief`); this module picks and orders them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.options import flat
from engine.rule import Role
from engine.rules.ruleset import Ruleset, SetupError, load_ruleset, roles
from engine.text import clean
from prompts.texts import catalogue, has, listed, raw, text
from prompts.words import camp_word, card_word, cause_word, deck_word, house_word, role_word, ruleset_word, step_word

DEATHS = ("reveal", "announce", "dead", "last-words", "judge")
TALK = ("talk", "vote")
SHERIFF = ("sheriff", "election")
MOON = ("new-moon", "deputy", "rascal", "touch", "events")
WIN = ("win",)
VARIANTS = ("in-any-case", "fascination", "harvest", "double-you")
VILLAGE = ("village", "school", "baker", "quack")
HOUSES = ("farm", "church", "hovel", "school", "bakery", "barbershop", "court", "inn", "castle", "vagabond")
OWNERS = {
    "wolves": ("werewolf",),
    "poison": ("witch",),
    "lovers": ("cupid",),
    "widow-knife": ("cupid",),
    "kin": ("sister", "brother"),
}
"""Option group -> the cards it belongs to, where the names differ."""
GOALS: dict[str, tuple[str, ...]] = {"piper": ("win.piper",), "cupid": ("win.lovers",)}
"""Card -> the options that say when the camp it brings about wins."""


def explain(ruleset: str, lang: str, role: str | None = None, options: Mapping[str, Any] | None = None) -> str:
    """The rules of a ruleset, or of one card in it, for a newcomer; plain text, a heading line starts with "# ".

    options: overrides by option id. Raises SetupError (unknown ruleset, card or option) and TextError (language).
    """
    catalogue(lang)
    rules = load_ruleset(ruleset)
    values = option_values(rules, options)
    if role is not None:
        rules.check_cards((role,))
        return explain_role(rules, values, role, lang, options)
    cards = roster(rules)
    parts = [
        (text(lang, "rulebook.title", ruleset=ruleset_word(ruleset, lang)), [raw(lang, "rulebook.goal.text")]),
        (raw(lang, "rulebook.decks.heading"), _decks(rules, lang)),
        (raw(lang, "rulebook.roles.heading"), [_role_line(card, values, lang) for card in cards]),
        (raw(lang, "rulebook.night.heading"), _night(rules, cards, values, lang, options)),
        (raw(lang, "rulebook.day.heading"), [day_order(values, lang), raw(lang, "rulebook.day.vote")]),
        (raw(lang, "rulebook.talk.heading"), sentences(values, TALK, lang)),
        (raw(lang, "rulebook.sheriff.heading"), sentences(values, SHERIFF, lang)),
        (raw(lang, "rulebook.deaths.heading"), sentences(values, DEATHS, lang)),
        *_village(values, lang),
        *_variants(values, lang),
        *_moon(values, lang),
        (raw(lang, "rulebook.win.heading"), [*winning(values, cards, lang), _classes(cards, lang)]),
    ]
    return "\n\n".join(f"# {heading}\n" + "\n".join(lines) for heading, lines in parts) + "\n"


def explain_role(
    rules: Ruleset, values: Mapping[str, Any], role: str, lang: str, options: Mapping[str, Any] | None = None
) -> str:
    """One card at this table: camp, power, this ruleset's details, when it wakes, advice."""
    card = roles()[role]
    least = min(
        (n for table in rules.decks.values() for n, deck in table.items() if role in deck), key=int, default=None
    )
    camp = _camp(role, lang)
    lines = [
        text(lang, "rulebook.role.card", camp=camp, n=least)
        if least
        else text(lang, "rulebook.role.card-none", camp=camp),
        text(lang, "rulebook.role.rule", brief=brief(role, lang)),
    ]
    goals = [option_sentence(goal, values[goal], lang) for goal in GOALS.get(role, ())]
    detail = raw(lang, "names.joint").join(words for words in (role_details(role, values, lang), *goals) if words)
    if detail:
        lines.append(text(lang, "rulebook.role.detail", text=detail))
    steps = steps_of(role, card)
    if any(step in rules.order.get("setup", ()) for step in steps):
        lines.append(raw(lang, "rulebook.role.setup"))
    if any(step in rules.order.get("night", ()) for step in steps):
        order = night_order(rules, "night", [*roster(rules), role], lang, options)
        lines.append(text(lang, "rulebook.night.order", order=order))
    lines.append(text(lang, "rulebook.role.play", play=advice(role, lang)))
    return f"# {text(lang, 'rulebook.role.title', r=role_word(role, lang))}\n" + "\n".join(lines) + "\n"


def steps_of(role: str, card: type[Role]) -> list[str]:
    """The steps in which a card wakes; wolves wake with the pack."""
    return [*card.steps, *(["wolves"] if card.wolf_card else [])]


def option_values(rules: Ruleset, overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Every option of a table by id, as plain data. Raises SetupError."""
    return flat(rules.options(overrides or {}))


def roster(rules: Ruleset) -> list[str]:
    """The cards of a ruleset's decks: wolves first, then plain villagers, then the others as they appear."""
    seen = {card: None for table in rules.decks.values() for deck in table.values() for card in deck}
    return in_order(seen)


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards as rules list them: wolf cards, plain ones, the rest; each group in the given order."""
    rank = {"wolf": 0, "plain": 1}
    known = roles()
    return sorted(cards, key=lambda card: rank.get(known[card].cls, 2) if card in known else 2)


# ---------------------------------------------------------------- options in words


def option_sentence(option: str, value: Any, lang: str) -> str:
    """What this value of an option means; empty where nothing need be said, or the catalogue has no sentence."""
    if isinstance(value, list | tuple):
        key, values = f"options.{option}", {"list": _words(option, value, lang)}
    elif isinstance(value, bool):
        key, values = f"options.{option}.{'yes' if value else 'no'}", {}
    elif isinstance(value, int | float):
        key, values = f"options.{option}", {"n": f"{value:g}"}
    else:
        key, values = f"options.{option}.{value}", {}
    return text(lang, key, **values) if has(lang, key) else ""


def _words(option: str, values: Iterable[Any], lang: str) -> str:
    names = [str(value) for value in values]
    if option.endswith("causes"):
        known = [key.removeprefix("names.cause.") for key in catalogue("en") if key.startswith("names.cause.")]
        missing = [cause for cause in known if cause not in names]
        if len(missing) > len(known) // 2:
            return listed(lang, [cause_word(name, lang) for name in names])
        but = listed(lang, [cause_word(name, lang) for name in missing])
        return text(lang, "names.any-cause-but", list=but) if missing else raw(lang, "names.any-cause")
    if option == "village.cards":
        return listed(lang, [raw(lang, "houses.auto") if name == "auto" else house_word(name, lang) for name in names])
    if option.startswith("new-moon."):
        return listed(lang, [card_word(name, lang) for name in names])
    if option == "win.check":
        return listed(lang, [raw(lang, f"names.window.{name}") for name in names])
    return listed(lang, [camp_word(name, lang) if has(lang, f"names.camp.{name}") else clean(name) for name in names])


def sentences(
    values: Mapping[str, Any], groups: tuple[str, ...], lang: str, without: frozenset[str] = frozenset()
) -> list[str]:
    """The sentences of whole option groups, without those that this table's other options make idle."""
    told = [
        option_sentence(option, value, lang)
        for group in groups
        for option, value in values.items()
        if option.partition(".")[0] == group and option not in without and applies(option, values)
    ]
    return [sentence for sentence in told if sentence]


def applies(option: str, values: Mapping[str, Any]) -> bool:
    """Whether an option has any effect beside the table's others."""
    group = option.partition(".")[0]
    if group in ("sheriff", "election") and option != "sheriff":
        if option == "election.withdraw":
            return values.get("sheriff") is True and values.get("election.candidates") == "volunteers"
        return values.get("sheriff") is True
    if option == "deputy.hand":
        return bool(values.get("sheriff") and values.get("deputy") and values[option])
    if group in VARIANTS and option != group:
        return values.get(group) is True and not (option == "harvest.extra-wolves" and not values[option])
    if option == "new-moon.standing":
        return bool(values[option])
    if option in ("vote.revotes", "vote.revote-voters"):
        tie = str(values.get("vote.tie"))
        return tie.startswith("revote") and not (option == "vote.revotes" and tie == "revote" and values[option] == 1)
    return True


def winning(values: Mapping[str, Any], cards: Iterable[str], lang: str, brief_only: bool = False) -> list[str]:
    """The conditions of the camps that these cards can bring about, then order and windows."""
    held = set(cards)
    idle = {"win.lovers": "cupid" not in held, "win.piper": "piper" not in held}
    if brief_only:
        idle |= {"win.priority": True, "win.check": True}
    else:
        camps = {"village", "wolves"} | ({"lovers"} if "cupid" in held else set())
        camps |= {roles()[card].camp for card in held if card in roles()}
        values = {**values, "win.priority": [camp for camp in values.get("win.priority", ()) if camp in camps]}
    told = [
        option_sentence(option, value, lang)
        for option, value in values.items()
        if option.startswith("win.") and not idle.get(option)
    ]
    return [sentence for sentence in told if sentence]


# ---------------------------------------------------------------- cards in words


def brief(role: str, lang: str) -> str:
    """A card's rule in one sentence."""
    return raw(lang, f"roles.{role}.brief")


def _camp(role: str, lang: str) -> str:
    """A card's camp; in its own words where the game may change it."""
    own = f"roles.{role}.camp"
    return raw(lang, own) if has(lang, own) else camp_word(roles()[role].camp if role in roles() else "village", lang)


def own_advice(role: str, lang: str) -> str:
    """How to play this very card well; empty where nothing is to be said of it."""
    return raw(lang, f"roles.{role}.play") if has(lang, f"roles.{role}.play") else ""


def advice(role: str, lang: str) -> str:
    """How to play a card well; its camp's advice where it has none of its own."""
    if own := own_advice(role, lang):
        return own
    card = roles().get(role)
    camp = card.camp if card is not None and card.camp in ("village", "wolves") else "other"
    return raw(lang, f"roles.camp.{camp}.play")


def role_details(role: str, values: Mapping[str, Any], lang: str, without: frozenset[str] = frozenset()) -> str:
    """This table's options of one card, as one paragraph."""
    groups = [group for group in _groups(values) if role in OWNERS.get(group, (group,))]
    return raw(lang, "names.joint").join(sentences(values, tuple(groups), lang, without))


def _groups(values: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(option.partition(".")[0] for option in values))


def _role_line(role: str, values: Mapping[str, Any], lang: str) -> str:
    words = {"r": role_word(role, lang), "camp": _camp(role, lang), "brief": brief(role, lang)}
    detail = role_details(role, values, lang)
    return "- " + text(lang, "rulebook.roles.line", **words) + (raw(lang, "names.joint") + detail if detail else "")


# ---------------------------------------------------------------- sections


def houses(values: Mapping[str, Any], lang: str) -> list[str]:
    """The Village's options and what each building does, at a table that has them."""
    if values.get("village") is not True:
        return []
    told = []
    for kind in HOUSES:
        words = {part: raw(lang, f"houses.{kind}.{part}") for part in ("person", "brief")}
        told.append("- " + text(lang, "rulebook.village.line", house=raw(lang, f"houses.{kind}.name"), **words))
    return [*sentences(values, VILLAGE, lang), *told]


def _village(values: Mapping[str, Any], lang: str) -> list[tuple[str, list[str]]]:
    told = houses(values, lang)
    return [(raw(lang, "rulebook.village.heading"), told)] if told else []


def _decks(rules: Ruleset, lang: str) -> list[str]:
    lines = []
    for name, table in rules.decks.items():
        lines += [f"{name}:"] if len(rules.decks) > 1 else []
        lines += [
            "- " + text(lang, "rulebook.decks.line", n=n, deck=deck_word(deck, lang)) for n, deck in table.items()
        ]
    return lines


def night_order(
    rules: Ruleset, part: str, cards: Iterable[str], lang: str, options: Mapping[str, Any] | None = None
) -> str:
    """The steps of a part (setup or night) that these cards call, in order; empty if there are none.

    options: overrides by option id.
    """
    known, held, chosen = roles(), set(cards), rules.options(options or {})
    called = {
        step
        for card in held
        if card in known
        for step in steps_of(card, known[card])
        if step not in known[card].rests(chosen)
    }
    called |= {"wolves", "pack"} | ({"lovers"} if "cupid" in held else set())
    own = {step for card in known.values() for step in card.steps}
    shown = [step for step in rules.order.get(part, ()) if step in called or (step not in own and step in held)]
    return raw(lang, "rulebook.order-separator").join(step_word(step, lang) for step in shown)


def _variants(values: Mapping[str, Any], lang: str) -> list[tuple[str, list[str]]]:
    """The section on whole-game variants, where the table plays one."""
    told = sentences(values, VARIANTS, lang)
    return [(raw(lang, "rulebook.variants.heading"), told)] if told else []


def _moon(values: Mapping[str, Any], lang: str) -> list[tuple[str, list[str]]]:
    """The section on event cards, where they are in use."""
    told = sentences(values, MOON, lang) if values.get("new-moon") is True else []
    return [(raw(lang, "rulebook.moon.heading"), told)] if told else []


def _night(
    rules: Ruleset, cards: list[str], values: Mapping[str, Any], lang: str, options: Mapping[str, Any] | None
) -> list[str]:
    first = night_order(rules, "setup", cards, lang, options)
    lines = [text(lang, "rulebook.night.setup", order=first)] if first else []
    lines.append(text(lang, "rulebook.night.order", order=night_order(rules, "night", cards, lang, options)))
    called = values.get("calls.dummy") is not False
    return [*lines, raw(lang, "rulebook.night.call") if called else option_sentence("calls.dummy", False, lang)]


def day_order(values: Mapping[str, Any], lang: str) -> str:
    """In which order announcement, election, talk and vote follow."""
    when = values.get("election.when") if values.get("sheriff") else "none"
    return raw(lang, f"rulebook.day.order.{when}")


def _classes(cards: Iterable[str], lang: str) -> str:
    known = roles()
    kinds = {cls: [role_word(c, lang) for c in cards if c in known and known[c].cls == cls] for cls in ("god", "plain")}
    return text(lang, "rulebook.win.class", gods=listed(lang, kinds["god"]), plains=listed(lang, kinds["plain"]))


__all__ = ["SetupError", "explain"]
