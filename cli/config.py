"""Settings: flags over the environment over the config file over the defaults. A mistake names its place and its cure.

The key is read from the environment or the file only, never from a flag (process lists show flags), and never printed.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from cli.errors import BROKEN, USAGE, Problem
from cli.options import SEATED, SEATED_WORDS
from cli.words import Lang, asked, locale_lang, use

ENVIRONMENT = {
    "OPENAI_API_KEY": "api_key",
    "OPENAI_BASE_URL": "base_url",
    "TIANHEI_MODEL": "model",
    "TIANHEI_LANG": "lang",
    "TIANHEI_HOME": "home",
}
RULES = ("ge", "gt", "le", "max_length")
FILE_LIMIT = 64 * 1024  # bytes; a config file is a page of text


class Settings(BaseModel):
    """What holds for a run.

    players: who sits in the seats that no person takes; None: models where a model is named, else the built-in
    players. parallel: games with models that are under way at once. home: the folder of saved games. strict: a reply
    that cannot be used stops the game. max_tokens, max_cost: what one game may take. prices: by model, what a million
    tokens cost (input, output, cached). context: tokens that the model can take.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    lang: Lang
    ruleset: str = Field("tournament", max_length=80)
    seats: int = Field(9, ge=1, le=40)
    deck: str | None = Field(None, max_length=80)
    players: str | None = Field(None, pattern=f"^{SEATED}$")
    model: str | None = Field(None, min_length=1, max_length=200)
    base_url: str | None = Field(None, max_length=2000)
    api_key: SecretStr | None = None
    parallel: int = Field(4, ge=1, le=1024)
    strict: bool = False
    max_tokens: int | None = Field(None, ge=1)
    max_cost: float | None = Field(None, gt=0)
    prices: dict[str, dict[str, float]] = {}
    context: int | None = Field(None, ge=512)
    home: Path

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, given: str | None) -> str | None:
        if given is None:
            return None
        parts = urlsplit(given)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must look like http://127.0.0.1:8080/v1")
        return given

    @field_validator("home")
    @classmethod
    def _tilde(cls, given: Path) -> Path:
        return given.expanduser()

    @property
    def records(self) -> Path:
        """Where simulations put their records unless told otherwise."""
        return self.home / "records"

    @property
    def seated(self) -> str:
        """Who sits in the seats that no person takes."""
        return self.players or ("model" if self.model else "builtin")

    @property
    def needs_server(self) -> bool:
        """Whether those seats cannot do without a model's server."""
        return self.seated.partition(":")[0] in ("model", "hybrid")

    @property
    def key(self) -> str | None:
        """The key in clear, for the model client alone."""
        return self.api_key.get_secret_value() if self.api_key else None


def config_path(env: Mapping[str, str] | None = None) -> Path:
    """Where the config file is: TIANHEI_CONFIG, or the platform's config folder."""
    named = (os.environ if env is None else env).get("TIANHEI_CONFIG")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_config_path

    return user_config_path("tianhei", appauthor=False) / "config.toml"


def load(flags: Mapping[str, object], env: Mapping[str, str] | None = None) -> Settings:
    """The settings of a run, whose language is spoken from now on. Raises Problem.

    flags: those given, by setting; None is not given. A --lang before the command counts too.
    """
    env = os.environ if env is None else env
    path = config_path(env)
    text = _read(path)
    from_file = _parsed(path, text)
    from_env = {field: env[name] for name, field in ENVIRONMENT.items() if env.get(name)}
    given = {
        field: value for field, value in {**flags, "lang": flags.get("lang") or asked()}.items() if value is not None
    }
    merged = {"lang": locale_lang(env), "home": _home(), **from_file, **from_env, **given}
    try:
        settings = Settings.model_validate(merged)
        use(settings.lang)
        return settings
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = str(first["loc"][0])
        raise _complaint(field, given, from_env, path, text) from None


def _home() -> Path:
    from platformdirs import user_data_path

    return user_data_path("tianhei", appauthor=False)


def _read(path: Path) -> str:
    """The file's text, empty if there is none."""
    try:
        with path.open("rb") as file:
            raw = file.read(FILE_LIMIT + 1)
        if len(raw) > FILE_LIMIT:
            raise Problem(
                f"{path} is too big for a config file; keep it under 64 KiB",
                f"{path} 太大，不像配置文件；请小于 64 KiB",
                BROKEN,
            )
        return raw.decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise Problem(
            f"{path} is not UTF-8 text; save it as UTF-8", f"{path} 不是 UTF-8 文本；请另存为 UTF-8", BROKEN
        ) from None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    """The file's settings. An unknown name is refused, or a misspelt one would be ignored in silence."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Problem(
            f"{path} is not valid TOML: {error}; mend it or move it away",
            f"{path} 不是有效的 TOML：{error}；请改正或移走该文件",
            BROKEN,
        ) from None
    for name in plain:
        if name not in Settings.model_fields:
            close = get_close_matches(name, Settings.model_fields, 1)
            known = ", ".join(Settings.model_fields)
            at = _place(path, text, name)
            raise Problem(
                f"{at}: there is no setting {name!r}; "
                + (f"did you mean {close[0]!r}?" if close else f"there are {known}"),
                f"{at}：没有设置项 {name!r}；" + (f"是不是 {close[0]!r}？" if close else f"可用的有 {known}"),
                BROKEN,
            )
    return plain


def _complaint(field: str, given: Mapping[str, object], from_env: Mapping[str, str], path: Path, text: str) -> Problem:
    """The one line about a value that is not taken: where it came from, and what is."""
    cure_en, cure_zh = _cure(field)
    if field in given:
        flag = "--" + field.replace("_", "-")
        return Problem(f"{flag} {cure_en}", f"{flag} {cure_zh}", USAGE)
    if field in from_env:
        name = next(name for name, target in ENVIRONMENT.items() if target == field)
        return Problem(f"the variable {name} {cure_en}", f"环境变量 {name} {cure_zh}", USAGE)
    at = _place(path, text, field)
    return Problem(f"{at}: {field} {cure_en}", f"{at}：{field} {cure_zh}", BROKEN)


def _cure(field: str) -> tuple[str, str]:
    """What a field takes, in words."""
    if field in ("lang", "players"):
        names = ", ".join(get_args(Lang)) if field == "lang" else SEATED_WORDS
        return f"must be one of {names}", f"只能是 {names} 之一"
    if field == "base_url":
        return "must look like http://127.0.0.1:8080/v1", "应当形如 http://127.0.0.1:8080/v1"
    info = Settings.model_fields[field]
    rules = {name: getattr(rule, name) for rule in info.metadata for name in RULES if hasattr(rule, name)}
    if "max_length" in rules:
        most = rules["max_length"]
        return f"must be text of 1 to {most} characters", f"应为 1 到 {most} 个字符的文字"
    low, above, high = rules.get("ge"), rules.get("gt"), rules.get("le")
    if low is not None or above is not None:
        whole = "float" not in str(info.annotation)
        en, zh = ("a whole number", "整数") if whole else ("a number", "数字")
        en += "" if low is None else f" from {low}" + (f" to {high}" if high is not None else " up")
        en += "" if above is None else f" above {above}"
        bound = (
            f"大于 {above} 的"
            if above is not None
            else f"{low} 到 {high} 的"
            if high is not None
            else f"不小于 {low} 的"
        )
        return f"must be {en}", f"应为{bound}{zh}"
    if info.annotation is bool:
        return "must be true or false", "应为 true 或 false"
    if "dict" in str(info.annotation):
        return "must be a table of numbers", "应为数字的表"
    return "must be text", "应为文字"


def _place(path: Path, text: str, name: str) -> str:
    """file:line of a setting."""
    pattern = re.compile(rf"""\s*["'\[]*{re.escape(name)}["'\]]*\s*(=|$)""")
    line = next((at for at, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
    return f"{path}:{line}"
