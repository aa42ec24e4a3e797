"""The catalogues agree with each other and with what the engine declares."""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

import engine
from engine.events import KINDS
from engine.options import known_options
from engine.rules.ruleset import load_ruleset, roles, ruleset_ids
from engine.text import clean
from prompts.narrate import narrated
from prompts.rulebook import explain, option_values
from prompts.texts import TextError, catalogue, fill, has, places, raw, text
from prompts.words import role_word

ENGINE = Path(str(files(engine)))


def ask_kinds() -> set[str]:
    """The kinds of all asks that the engine's source builds."""
    kinds = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            kind = node.args[1]
            if (name.endswith("_ask") or name == "Ask") and isinstance(kind, ast.Constant):
                kinds.add(str(kind.value))
    return kinds


def test_chinese_and_english_hold_the_same_keys() -> None:
    assert set(catalogue("zh")) == set(catalogue("en"))
    assert set(catalogue("ja")) <= set(catalogue("en"))


@pytest.mark.parametrize("lang", ["zh", "ja"])
def test_sentences_need_the_same_values_in_every_language(lang: str) -> None:
    here, english = catalogue(lang), catalogue("en")
    assert {k: places(v) for k, v in here.items()} == {k: places(english[k]) for k in here}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_sentences_are_one_clean_line(lang: str) -> None:
    odd = [k for k, v in catalogue(lang).items() if clean(v) != v.strip() and not k.startswith("model.")]
    assert odd == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_ask_of_the_engine_has_words(lang: str) -> None:
    kinds = ask_kinds()
    assert len(kinds) > 20
    here = catalogue(lang)
    assert [k for k in kinds if f"asks.{k}.title" not in here or f"asks.{k}.hint" not in here] == []


def test_every_event_of_the_engine_is_told_or_declared_silent() -> None:
    roles()
    told = {key.removeprefix("lines.") for key in catalogue("zh") if key.startswith("lines.")}
    by_field = {key.rpartition(".")[0] for key in told}
    assert [kind for kind in KINDS if kind not in narrated() and kind not in told | by_field] == []


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
def test_every_card_has_a_name_and_a_rule(lang: str) -> None:
    assert [r for r in roles() if role_word(r, lang) == r and lang != "en"] == []
    assert [r for r in roles() if not has(lang, f"roles.{r}.brief")] == []


def test_every_value_of_every_option_has_a_sentence() -> None:
    roles()
    missing = []
    for option, (group, field) in known_options().items():
        kind = group.model_fields[field].annotation
        values = list(map(str, get_args(kind))) if get_origin(kind) is Literal else []
        values = ["yes", "no"] if kind is bool else values
        keys = [f"options.{option}.{value}" for value in values] or [f"options.{option}"]
        missing += [key for key in keys if not has("zh", key)]
    assert missing == []


def test_a_missing_key_and_a_missing_value_say_so() -> None:
    with pytest.raises(TextError, match=r"the zh catalogue has no 'lines\.nonsense'"):
        raw("zh", "lines.nonsense")
    with pytest.raises(TextError, match=r"en lines\.reveal needs a value for \{r\}; given: s"):
        text("en", "lines.reveal", s=3)
    with pytest.raises(TextError, match="no language 'xx'"):
        raw("xx", "lines.dark")


def test_values_are_never_read_for_placeholders() -> None:
    assert fill("{a} {b}", {"a": "{b}", "b": "{a.__class__}"}, "here") == "{b} {a.__class__}"


def test_japanese_falls_back_to_english() -> None:
    assert raw("ja", "options.vote.self.no") == raw("en", "options.vote.self.no")


@pytest.mark.parametrize("lang", ["zh", "en", "ja"])
@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_the_rulebook_explains_every_ruleset_and_card(ruleset: str, lang: str) -> None:
    whole = explain(ruleset, lang)
    assert whole.count("\n# ") == 8
    assert "{" not in whole
    for role in roles():
        page = explain(ruleset, lang, role)
        assert len(page.splitlines()) >= 3
        assert "{" not in page


def test_the_rulebook_follows_options() -> None:
    assert option_values(load_ruleset("tournament"))["witch.self-save"] == "no"
    assert "不能自救。" in explain("tournament", "zh", "witch")
    changed = explain("tournament", "zh", "witch", {"witch.self-save": "first-night"})
    assert "只有首夜可以自救。" in changed
    assert "不能自救。" not in changed
    assert "没有警长。" in explain("tournament", "zh", options={"sheriff": False})
    assert "上警" not in explain("tournament", "zh", options={"sheriff": False})
