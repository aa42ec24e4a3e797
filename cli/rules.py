"""`tianhei rules`: the rulesets, and one of them in full."""

from __future__ import annotations

from cli.columns import columns
from cli.config import Settings
from cli.table import find_ruleset, unknown
from cli.words import current, say
from engine.options import choices, flat, known_options
from engine.rules.ruleset import Ruleset, load_ruleset, roles, ruleset_ids


def print_rules(settings: Settings, name: str | None, role: str | None) -> int:
    """Print one ruleset, or one card of it, or the list of all. Returns the exit code; raises Problem."""
    if name is None and role is None:
        for line in columns([_head(), *(_row(load_ruleset(id_)) for id_ in ruleset_ids())]):
            print(line)
        return 0
    rules = find_ruleset(name or settings.ruleset)
    if role is not None and role not in roles():
        raise unknown("role", "角色", role, roles())
    print(_explained(rules, role))
    if role is None:
        print()
        print("\n".join(_options(rules)))
    return 0


def _explained(rules: Ruleset, role: str | None) -> str:
    from prompts.rulebook import explain

    return explain(rules.id, current(), role=role)


def _head() -> list[str]:
    return [say("ruleset", "规则"), say("name", "名称"), say("seats", "人数"), say("decks", "牌组")]


def _row(rules: Ruleset) -> list[str]:
    counts = rules.seat_counts()
    seats = (
        f"{counts[0]}-{counts[-1]}" if counts == list(range(counts[0], counts[-1] + 1)) else ", ".join(map(str, counts))
    )
    name = rules.names.get(current()) or rules.names.get("en") or rules.id
    return [rules.id, name, seats, ", ".join(rules.decks)]


def _options(rules: Ruleset) -> list[str]:
    """Every option with its value here and what else it takes."""
    values = flat(rules.options({}))
    head = (say("option (--option ID=VALUE)", "选项（--option ID=值）"), say("here", "当前"), say("takes", "可取"))
    rows = [(option, _shown(values[option]), choices(option)) for option in known_options()]
    return columns([head, *rows])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
