"""What model games take beside the least that they need: calls, waiting, tokens, cache, and our own time per call.

The board has nine seats and one speech round a day, without election, last words and talk among wolves, so that the
limit's rules are the game's. Prompts are counted as they were sent, with the o200k encoding.
"""

from __future__ import annotations

import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from arena.limits import Load, PrefixIndex, limit
from engine.game import Decision
from engine.setup import Setup, deal
from judge.record import read_record
from players.base import Player
from players.factory import make_players
from players.model import Endpoint, ModelClient

BOARD: dict[str, Any] = {
    "sheriff": False, "sheriff.summary": False, "last-words.vote": "no", "last-words.night": "no",
    "wolves.talk-rounds": 0, "wolves.ballots": 1, "wolves.disagree": "plurality", "wolves.explode": False,
    "wolves.pass": False, "wolves.bite": "non-wolf", "vote.tie": "nobody", "talk.order": "from-left-of-victim",
    "win.wolves": "parity",
}  # fmt: skip
BARE_CALLS = 150


class Sent(msgspec.Struct, frozen=True):
    """One request. began, ended: seconds."""

    body: dict[str, Any]
    began: float
    ended: float


class ModelBench(msgspec.Struct, frozen=True):
    """What was measured; ratios are measured over least, over all games together.

    latency: median seconds of a call. wall: wall time of the games one by one over chain x latency. cpu: CPU
    milliseconds of a call with everything that is ours; bare: of the same request by the client alone. rate: games a
    minute, `parallel` at once; rate_limit: what the latency alone would allow. memory: MB of resident memory for each
    game at once, at most; peak: MB of the process.
    """

    games: int
    failed: int
    latency: float
    calls: float
    least_calls: float
    chain: float
    least_chain: float
    wall: float
    prompt: float
    least_prompt: float
    uncached: float
    least_uncached: float
    cacheable: float
    cacheable_schema_first: float
    cpu: float
    bare: float
    parallel: int
    rate: float
    rate_limit: float
    rate_cpu: float
    memory: float
    peak: float
    substituted: int
    faults: dict[str, int]


def board(seed: int, lang: str = "en") -> Setup:
    """The table that is measured."""
    return deal("tournament", 9, seed=seed, lang=lang, options=BOARD)


def bench_models(
    endpoint: Endpoint,
    *,
    games: int = 6,
    many: int = 0,
    parallel: int = 64,
    lang: str = "en",
    told: Callable[[str], None] = lambda _: None,
) -> ModelBench:
    """Measure. games: played one by one. many: then so many side by side, `parallel` at once. told: hears of each game
    that has ended, one to warm up among them. Raises EndpointError."""
    return asyncio.run(_bench(endpoint, games, many, parallel, lang, told))


async def _bench(
    endpoint: Endpoint, games: int, many: int, parallel: int, lang: str, told: Callable[[str], None]
) -> ModelBench:
    from players.model.tokens import encoding

    tokenize: Callable[[str], list[int]] = _remembering(encoding("o200k_base").encode_ordinary)
    sent: list[Sent] = []
    client = ModelClient(endpoint, aiohttp=True, seen=lambda body, b, e: sent.append(Sent(body, b, e)))
    per_game: list[list[Sent]] = []
    lines: list[Any] = []
    least: list[Load] = []
    walls = cpu = 0.0
    try:
        await client.check()
        await _play(client, [board(0, lang)], 1, told)  # warms everything up
        bodies = [one.body for one in sent]
        bare = await _bare(endpoint, bodies)  # before and after, since a machine is not equally busy all the time
        for seed in range(1, games + 1):
            sent.clear()
            wall_0, cpu_0 = time.perf_counter(), time.process_time()
            ((line, decisions),) = await _play(client, [board(seed, lang)], 1, told)
            walls, cpu = walls + time.perf_counter() - wall_0, cpu + time.process_time() - cpu_0
            per_game.append(list(sent))
            lines.append(line)
            least.append(limit(board(seed, lang), decisions, tokenize))
    finally:
        await client.close()
    loads = [load_of(one, tokenize) for one in per_game]
    total, low, speeches = _sum(loads), _sum(least), sum(one.speeches for one in least)
    bare = (bare + await _bare(endpoint, bodies)) / 2
    latency = median(one.ended - one.began for game in per_game for one in game)
    rate = rate_cpu = memory = 0.0
    if many:
        rate, rate_cpu, memory, more = await _many(endpoint, many, parallel, lang, told)
        lines += more
    faults: dict[str, int] = {}
    for line in lines:
        for fault, count in line.faults.items():
            faults[fault] = faults.get(fault, 0) + count
    return ModelBench(
        games=len(lines),
        failed=sum(line.status != "finished" for line in lines),
        latency=latency,
        calls=total.calls / speeches,
        least_calls=low.calls / speeches,
        chain=total.chain / speeches,
        least_chain=low.chain / speeches,
        wall=walls / (total.chain * latency),
        prompt=total.prompt / speeches,
        least_prompt=low.prompt / speeches,
        uncached=total.uncached / speeches,
        least_uncached=low.uncached / speeches,
        cacheable=1 - total.uncached / total.prompt,
        cacheable_schema_first=1 - total.uncached_first / total.prompt,
        cpu=1000 * cpu / total.calls,
        bare=bare,
        parallel=parallel,
        rate=rate,
        rate_limit=60 * min(many, parallel) * games / (total.chain * latency),
        rate_cpu=rate_cpu,
        memory=memory,
        peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        substituted=sum(line.fallbacks for line in lines),
        faults=faults,
    )


async def _play(
    client: ModelClient, setups: list[Setup], parallel: int, told: Callable[[str], None]
) -> list[tuple[Any, Any]]:
    """Whole games at real tables, with their records. Returns each game's line and its decisions."""
    from arena.simulate import simulate_models

    def seating(setup: Setup) -> Mapping[int, Player]:
        return make_players(setup, dict.fromkeys(range(1, setup.size + 1), "model"), client=client)

    lines: list[Any] = []

    def done(line: Any) -> None:
        lines.append(line)
        told(line.game)

    with tempfile.TemporaryDirectory() as folder:
        await simulate_models(setups, seating, Path(folder), parallel=parallel, done=done)
        return [(line, _decisions(Path(line.record)) if len(setups) == 1 else ()) for line in lines]


def _decisions(record: Path) -> list[Decision]:
    return [one.decision() for one in read_record(record).decisions]


async def _many(
    endpoint: Endpoint, many: int, parallel: int, lang: str, told: Callable[[str], None]
) -> tuple[float, float, float, list[Any]]:
    """Games a minute, CPU s a game, and MB for each game at once."""
    crowd = ModelClient(endpoint.model_copy(update={"parallel": max(endpoint.parallel, 9 * parallel)}), aiohttp=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall_0, cpu_0 = time.perf_counter(), time.process_time()
    try:
        played = await _play(crowd, [board(1000 + at, lang) for at in range(many)], parallel, told)
    finally:
        await crowd.close()
    wall, cpu = time.perf_counter() - wall_0, time.process_time() - cpu_0
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return 60 * many / wall, cpu / many, grown / min(many, parallel), [line for line, _ in played]


async def _bare(endpoint: Endpoint, bodies: list[dict[str, Any]]) -> float:
    """CPU milliseconds of a call by the client library alone, with the same requests."""
    from openai import AsyncOpenAI, DefaultAioHttpClient

    key = endpoint.api_key.get_secret_value() if endpoint.api_key else "none"
    client = AsyncOpenAI(
        api_key=key, base_url=endpoint.base_url, max_retries=0, timeout=60, http_client=DefaultAioHttpClient()
    )
    create: Any = client.chat.completions.create
    rounds = []
    bodies = (bodies * (BARE_CALLS // len(bodies) + 1))[:BARE_CALLS]
    for at in range(3):
        began = time.process_time()
        for body in bodies[at * BARE_CALLS // 3 : (at + 1) * BARE_CALLS // 3]:
            await create(**body)
        rounds.append(1000 * (time.process_time() - began) / (BARE_CALLS // 3))
    await client.close()
    return median(rounds)


def load_of(sent: list[Sent], tokenize: Callable[[str], list[int]]) -> Load:
    """What these requests took."""
    load = Load(calls=len(sent))
    plain, first = PrefixIndex(), PrefixIndex()
    for one in sorted(sent, key=lambda one: one.began):
        prompt = [
            token
            for message in one.body["messages"]
            for token in tokenize(f"<|{message['role']}|>\n") + tokenize(message["content"] + "\n")
        ]
        schema = tokenize(json.dumps(one.body.get("response_format") or one.body.get("tools") or ""))
        load.prompt += len(prompt)
        load.uncached += len(prompt) - plain.add(prompt)
        served = max(0, first.add([*schema, *prompt]) - len(schema))
        load.uncached_first += len(prompt) - min(served, len(prompt))
    end = -1.0
    for one in sorted(sent, key=lambda one: one.ended):
        if one.began >= end:
            load.chain, end = load.chain + 1, one.ended
    return load


def _sum(loads: list[Load]) -> Load:
    return Load(*(sum(getattr(load, name) for load in loads) for name in Load.__struct_fields__))


def _remembering(encode: Callable[[str], list[int]]) -> Callable[[str], list[int]]:
    from functools import lru_cache

    return lru_cache(maxsize=20_000)(encode)
