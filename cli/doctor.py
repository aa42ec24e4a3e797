"""`tianhei doctor`: what the model's server can do, how fast it is, and how it will be asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from cli.config import Settings
from cli.errors import MODEL
from cli.words import say
from engine.text import clean

if TYPE_CHECKING:
    from players.model.probe import Report, Tried


def run_doctor(settings: Settings, *, json_out: bool) -> int:
    """Probe, remember, and print. Returns the exit code; raises Problem, EndpointError."""
    from cli.seats import Seater
    from players.model.probe import probe

    seater = Seater(settings.model_copy(update={"players": "model"}))
    report = asyncio.run(probe(seater.endpoint(), seater.memory()))
    if json_out:
        print(msgspec.json.encode(report).decode())
    else:
        print("\n".join(report_lines(report)))
    return 0 if any(one.works for one in report.tried) else MODEL


def report_lines(report: Report) -> list[str]:
    """The report in words."""
    from cli.columns import columns

    used = report.used
    rows = [(name(one.rung), _verdict(one), f"{one.seconds:.2f} s", _tokens(one)) for one in report.tried]
    lines = [clean(report.endpoint), *columns(rows, right=frozenset({2}))]
    lines += [f"    {name(one.rung)}: {clean(one.problem)}" for one in report.tried if one.problem]
    first = report.first_token
    lines.append(
        say("streams: no", "流式输出：不支持")
        if first is None
        else say(f"streams: yes, first piece after {first:.2f} s", f"流式输出：支持，首段 {first:.2f} 秒")
    )
    speed = report.speed
    lines.append(
        say(f"speed: {speed:.0f} tokens a second", f"速度：每秒 {speed:.0f} 个 token")
        if speed
        else say("speed: the server counts no tokens", "速度：服务器不报 token 数")
    )
    lines.append(say(f"will be used: {name(used.rung)}", f"将使用：{name(used.rung)}"))
    lines += [f"  {word}" for word in _habits(report)]
    return lines


def name(rung: str) -> str:
    """A method of output in words."""
    return {
        "schema": say("strict JSON Schema", "严格 JSON Schema"),
        "tool": say("tool call", "工具调用"),
        "json": say("any JSON object", "任意 JSON 对象"),
        "text": say("plain text", "纯文本"),
    }[rung]


def _verdict(one: Tried) -> str:
    if not one.works:
        return say("no", "不行")
    if one.enforced is None:
        return say("works", "可用")
    return say("works, enforced", "可用，强制遵守") if one.enforced else say("works, not enforced", "可用，不强制")


def _tokens(one: Tried) -> str:
    return say(f"{one.tokens_in} in, {one.tokens_out} out", f"入 {one.tokens_in}，出 {one.tokens_out}")


def _habits(report: Report) -> list[str]:
    """What is asked otherwise than usual."""
    used = report.used
    told = [
        (used.tokens_field != "max_tokens", say(f"with {used.tokens_field}", f"改用 {used.tokens_field}")),
        (not used.temperature, say("without temperature", "不发送 temperature")),
        (not used.system, say("without a system message", "不用 system 消息")),
        (used.alternate, say("with joined messages", "合并相邻消息")),
        (used.stream, say("as a stream only", "只用流式")),
        (used.no_thinking, say("with thinking off", "关闭思考")),
        (used.exact, say("with the exact choices of each ask in the schema", "schema 里只列当次的合法选项")),
        (used.context is not None, say(f"within {used.context} tokens", f"上下文限 {used.context} 个 token")),
    ]
    return [words for holds, words in told if holds]
