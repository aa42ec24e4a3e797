"""From an exception to one clear line and an exit code, in one place.

Exit codes: 0 done; 1 something asked for did not come out right (a game without an end, a failed case); 2 a mistake in
what was typed; 3 a broken file or configuration; 4 the model's server; 5 the disk; 70 a fault of ours; 130 stopped.
"""

from __future__ import annotations

import errno
import json
import re
import sqlite3
from collections.abc import Callable
from typing import NamedTuple

from typer import exceptions as typing_error

from cli.words import say
from engine.text import clean

FAILED, USAGE, BROKEN, MODEL, DISK, FAULT, STOPPED = 1, 2, 3, 4, 5, 70, 130


class Problem(Exception):
    """Something that the person at the keyboard can put right: what is wrong and what to do, in both languages."""

    def __init__(self, en: str, zh: str, code: int = USAGE) -> None:
        super().__init__(en)
        self.en, self.zh, self.code = en, zh, code


class Verdict(NamedTuple):
    """One line for standard error (empty: say nothing), and the exit code."""

    line: str
    code: int


def explain(error: BaseException) -> Verdict:
    """What to tell the person, without control characters, and the exit code."""
    for kind, explained in _EXPLAINED:
        if isinstance(error, kind) and (verdict := explained(error)) is not None:
            return Verdict(clean(verdict.line), verdict.code)
    by_name = _by_name(error)
    return by_name if by_name is not None else _fault(error)


def kept() -> str:
    """The sentence that says that a stopped game, or a stopped series of games, can go on."""
    return say(
        "what was played is kept: `tianhei resume` goes on with a game, the same command with a simulation",
        "已经进行的部分都已保存：单局用 `tianhei resume` 继续，批量对局再运行同一条命令即可",
    )


def _problem(error: BaseException) -> Verdict:
    assert isinstance(error, Problem)
    return Verdict(say(error.en, error.zh), error.code)


def _stopped(error: BaseException) -> Verdict:
    return Verdict(say(f"stopped; {kept()}", f"已停止；{kept()}"), STOPPED)


def _pipe_closed(error: BaseException) -> Verdict:
    return Verdict("", 141)  # the reader (a pager, `head`) has seen enough: what a shell reports for SIGPIPE


def _typed(error: BaseException) -> Verdict:
    """A mistake in the command line itself, as typer reports it."""
    assert isinstance(error, typing_error.TyperException)
    message = error.format_message().splitlines()[0].rstrip(".").replace("Value error, ", "")
    ctx = getattr(error, "ctx", None)
    command = ctx.command_path if ctx is not None else "tianhei"
    return Verdict(
        say(f"{message}. See `{command} --help`.", f"{_typed_zh(error, message)}。用法见 `{command} --help`。"), USAGE
    )


def _typed_zh(error: typing_error.TyperException, message: str) -> str:
    """The commonest mistakes in Chinese. typer's own classes for them are private, so they are told by name."""
    near = re.search(r"[Dd]id you mean '?([^'?]+)|Possible options: ([^)]+)", message)
    hint = f"；是不是 {near[1] or near[2]}" if near else ""
    if type(error).__name__ == "NoSuchOption":
        return f"没有选项 {getattr(error, 'option_name', '')}{hint}"
    if type(error).__name__ == "MissingParameter":
        return f"缺少参数：{message.partition(' ')[2].partition(' ')[2]}"
    if found := re.match(r"No such command '([^']*)'", message):
        return f"没有命令 {found[1]}{hint}"
    if found := re.match(r"Invalid value for ([^:]+): (.*)", message):
        return f"{found[1]} 的值有误：{_bound_zh(found[2])}"
    return f"命令有误：{message}"


def _bound_zh(why: str) -> str:
    """What a value should have been, in Chinese."""
    if found := re.search(r"(greater|less) than or equal to ([\d.]+)", why):
        return f"应不{'小' if found[1] == 'greater' else '大'}于 {found[2]}"
    if "integer" in why:
        return "应为整数"
    return "应为数字" if "valid number" in why else why.replace("is not one of", "不在以下各项之中：")


def _os(error: BaseException) -> Verdict | None:
    assert isinstance(error, OSError)
    name = error.filename if isinstance(error.filename, str) else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _disk_full()
    if isinstance(error, FileNotFoundError):
        return Verdict(say(f"there is no file {name}", f"没有这个文件：{name}"), USAGE)
    if isinstance(error, ConnectionError | TimeoutError):
        return _unreachable(str(error))
    if name:
        why = error.strerror or type(error).__name__
        return Verdict(
            say(
                f"cannot use {name}: {why}; name another file or folder",
                f"无法使用 {name}：{why}；请换一个文件或文件夹",
            ),
            DISK,
        )
    return None


def _disk_full() -> Verdict:
    return Verdict(say(f"the disk is full; free some space; {kept()}", f"磁盘已满；请腾出空间；{kept()}"), DISK)


def _sqlite(error: BaseException) -> Verdict:
    text = str(error)
    if "full" in text:
        return _disk_full()
    if "locked" in text:
        return Verdict(
            say("this game is open in another window; close it first", "这局游戏已在另一个窗口打开；请先关闭那里"), DISK
        )
    return Verdict(
        say(
            f"the saved games cannot be read ({text}); move that file away or give another folder",
            f"无法读取存档（{text}）；请移走该文件或换一个文件夹",
        ),
        BROKEN,
    )


def _setup(error: BaseException) -> Verdict:
    return Verdict(say(str(error), f"牌局设置有误：{error}"), USAGE)


def _record(error: BaseException) -> Verdict:
    """A record or store that cannot be read or written; its message names the place."""
    cause = error.__cause__
    if (isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT)) or "disk is full" in str(error):
        return _disk_full()
    if isinstance(cause, OSError | sqlite3.Error):
        cure = say("name another file or folder, or move that one away", "请换一个文件或文件夹，或移走它")
        code = DISK if isinstance(cause, OSError | sqlite3.OperationalError) else BROKEN
        return Verdict(say(f"{error}; {cure}", f"存档或记录有问题：{error}；{cure}"), code)
    return Verdict(say(str(error), f"存档或记录有问题：{error}"), BROKEN)


def _in_use(error: BaseException) -> Verdict:
    game = getattr(error, "game", "")
    return Verdict(
        say(
            f"game {game} is being played in another window; close it there first",
            f"对局 {game} 正在另一个窗口进行；请先关闭那里",
        ),
        DISK,
    )


def _case(error: BaseException) -> Verdict:
    return Verdict(say(str(error), f"案例文件有误：{error}"), BROKEN)


def _json(error: BaseException) -> Verdict:
    return Verdict(say(f"broken JSON: {error}", f"JSON 有误：{error}"), BROKEN)


def _by_name(error: BaseException) -> Verdict | None:
    """Errors of libraries and packages that must not be imported merely to be recognised."""
    names = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(error).__mro__}
    for name, explained in _NAMED.items():
        if name in names:
            verdict = explained(error)
            return Verdict(clean(verdict.line), verdict.code)
    return None


def _wrong_key(error: BaseException) -> Verdict:
    return Verdict(
        say(
            "the server refuses the key; set OPENAI_API_KEY (or api_key in the config file) to a valid one",
            "服务器拒绝了密钥；请把 OPENAI_API_KEY（或配置文件里的 api_key）设为有效的密钥",
        ),
        MODEL,
    )


def _unreachable(detail: str) -> Verdict:
    return Verdict(
        say(
            f"the model's server cannot be reached ({detail}); check --base-url or OPENAI_BASE_URL; {kept()}",
            f"连不上模型服务器（{detail}）；请检查 --base-url 或 OPENAI_BASE_URL；{kept()}",
        ),
        MODEL,
    )


def _dead(error: BaseException) -> Verdict:
    return _unreachable(str(error) or type(error).__name__)


def _no_model(error: BaseException) -> Verdict:
    return Verdict(
        say(
            "the server knows no such model or address; check --model and --base-url",
            "服务器上没有这个模型或地址；请检查 --model 和 --base-url",
        ),
        MODEL,
    )


def _endpoint(error: BaseException) -> Verdict:
    """What the model client found out about its server; never holds the key."""
    detail = str(error)
    if "API key" in detail:
        return _wrong_key(error)
    cure = say("see --base-url, --model and OPENAI_API_KEY", "请检查 --base-url、--model 与 OPENAI_API_KEY")
    return Verdict(say(f"{detail}; {cure}", f"模型服务不可用：{detail}；{cure}"), MODEL)


def _busy(error: BaseException) -> Verdict:
    return Verdict(
        say(f"the server takes no more requests now; try later; {kept()}", f"服务器暂不接受请求；请稍后再试；{kept()}"),
        MODEL,
    )


def _server(error: BaseException) -> Verdict:
    return Verdict(say(f"the model's server failed: {error}; {kept()}", f"模型服务器出错：{error}；{kept()}"), MODEL)


def _fault(error: BaseException) -> Verdict:
    what = clean(f"{type(error).__name__}: {error}")[:300]
    return Verdict(
        say(
            f"a fault of Tianhei itself: {what}; TIANHEI_DEBUG=1 shows where; {kept()}",
            f"天黑自身出错：{what}；设 TIANHEI_DEBUG=1 可看到出错位置；{kept()}",
        ),
        FAULT,
    )


Explained = Callable[[BaseException], Verdict | None]

_EXPLAINED: tuple[tuple[type[BaseException], Explained], ...] = (
    (Problem, _problem),
    (KeyboardInterrupt, _stopped),
    (typing_error.Abort, _stopped),
    (typing_error.TyperException, _typed),
    (BrokenPipeError, _pipe_closed),
    (OSError, _os),
    (sqlite3.Error, _sqlite),
    (json.JSONDecodeError, _json),
)

_NAMED: dict[str, Callable[[BaseException], Verdict]] = {
    "engine.SetupError": _setup,
    "engine.OptionError": _setup,
    "judge.InUseError": _in_use,
    "judge.RecordError": _record,
    "cli.CaseFileError": _case,
    "players.SpecError": _setup,
    "players.EndpointError": _endpoint,
    "openai.AuthenticationError": _wrong_key,
    "openai.PermissionDeniedError": _wrong_key,
    "openai.NotFoundError": _no_model,
    "openai.RateLimitError": _busy,
    "openai.APIConnectionError": _dead,
    "openai.OpenAIError": _server,
}
