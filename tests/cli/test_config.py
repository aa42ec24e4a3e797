"""Flags over the environment over the file over the defaults; every mistake names its place and never the key."""

from pathlib import Path

import pytest

from cli import words
from cli.config import config_path, load
from cli.errors import BROKEN, USAGE, Problem

KEY = "sk-quite-secret"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment that knows only a config file, which does not exist yet."""
    words.begin([], {})
    return {"TIANHEI_CONFIG": str(tmp_path / "config.toml"), "TIANHEI_HOME": str(tmp_path)}


def write(env: dict[str, str], text: str) -> Path:
    path = config_path(env)
    path.write_text(text, encoding="utf-8")
    return path


def refused(env: dict[str, str], **flags: object) -> Problem:
    with pytest.raises(Problem) as caught:
        load(flags, env)
    assert KEY not in caught.value.en + caught.value.zh
    assert "\n" not in caught.value.en + caught.value.zh
    return caught.value


def test_defaults(env: dict[str, str]) -> None:
    settings = load({}, env)
    assert (settings.lang, settings.ruleset, settings.seats, settings.seated) == ("en", "tournament", 9, "builtin")
    assert settings.key is None


def test_flag_over_environment_over_file_over_default(env: dict[str, str]) -> None:
    write(env, 'model = "from-file"\nseats = 10\nlang = "zh"\n')
    assert load({}, env).model == "from-file"
    env["TIANHEI_MODEL"] = "from-env"
    assert load({}, env).model == "from-env"
    assert load({"model": "from-flag"}, env).model == "from-flag"
    assert load({"model": None}, env).model == "from-env"
    assert load({}, env).seats == 10
    assert load({"seats": 12}, env).seats == 12


def test_language_of_file_beats_the_locale_and_is_spoken(env: dict[str, str]) -> None:
    env["LANG"] = "en_US.UTF-8"
    write(env, 'lang = "zh"\n')
    assert load({}, env).lang == "zh"
    assert words.current() == "zh"


def test_a_lang_before_the_command_counts(env: dict[str, str]) -> None:
    words.begin(["--lang", "zh", "games"], {})
    write(env, 'lang = "en"\n')
    assert load({"lang": None}, env).lang == "zh"


@pytest.mark.parametrize(
    ("locale", "lang"), [("zh_CN.UTF-8", "zh"), ("ja_JP.UTF-8", "ja"), ("de_DE", "en"), ("C", "en"), ("", "en")]
)
def test_locale(env: dict[str, str], locale: str, lang: str) -> None:
    assert load({}, {**env, "LANG": locale}).lang == lang


def test_naming_a_model_seats_models(env: dict[str, str]) -> None:
    assert load({"model": "m"}, env).seated == "model"
    assert load({"model": "m", "players": "builtin"}, env).seated == "builtin"


def test_key_is_never_shown(env: dict[str, str]) -> None:
    env["OPENAI_API_KEY"] = KEY
    settings = load({}, env)
    assert settings.key == KEY
    assert KEY not in repr(settings)
    assert KEY not in settings.model_dump_json()


@pytest.mark.parametrize(
    ("text", "line", "cure"),
    [
        ("seats = 9\nmodle = 'x'\n", 2, "did you mean 'model'"),
        ("seats = 'many'\n", 1, "seats"),
        ("\n\nseats = 0\n", 3, "seats"),
        ("players = 'dogs'\n", 1, "builtin, random, model"),
        ("base_url = 'localhost'\n", 1, "http://"),
        ("lang = 'fr'\n", 1, "zh, en, ja"),
    ],
)
def test_mistake_in_the_file_names_file_line_and_cure(env: dict[str, str], text: str, line: int, cure: str) -> None:
    path = write(env, text)
    problem = refused(env)
    assert f"{path}:{line}" in problem.en
    assert f"{path}:{line}" in problem.zh
    assert cure in problem.en
    assert problem.code == BROKEN


def test_broken_toml_names_file_and_line(env: dict[str, str]) -> None:
    path = write(env, f'api_key = "{KEY}"\nseats = = 9\n')
    problem = refused(env)
    assert str(path) in problem.en
    assert "line 2" in problem.en


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"x" * 70_000])
def test_a_file_that_is_no_config(env: dict[str, str], raw: bytes) -> None:
    config_path(env).write_bytes(raw)
    assert refused(env).code == BROKEN


def test_key_of_a_wrong_type_is_not_printed(env: dict[str, str]) -> None:
    write(env, f'api_key = ["{KEY}"]\n')
    assert "api_key" in refused(env).en


def test_mistake_in_the_environment_names_the_variable(env: dict[str, str]) -> None:
    env["OPENAI_BASE_URL"] = "ftp://x"
    problem = refused(env)
    assert "OPENAI_BASE_URL" in problem.en
    assert problem.code == USAGE


def test_mistake_in_a_flag_names_the_flag(env: dict[str, str]) -> None:
    assert refused(env, base_url="nowhere").en.startswith("--base-url ")
