"""`tianhei campaign …`: what is done."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena.campaign.crew import Executor, Job, Processes, conduct
from arena.campaign.ledger import Busy, Ended, Ledger, LedgerError, Totals
from arena.campaign.limits import Caps, GameCaps, Gate, Halt, Purse, Throttle
from arena.campaign.merge import merge
from arena.campaign.plan import PLAN, CampaignError, Plan, Table, code_hash, encode, read_plan, write_plan
from arena.campaign.run import PAUSED, OtherCode, Rate, Report, Runner, open_client, opened, retry, stops_softly
from arena.campaign.verify import verify
from cli.config import Settings
from cli.errors import BROKEN, DISK, FAILED, STOPPED, USAGE, Problem
from cli.progress import Progress
from cli.seats import Seater
from cli.table import make_setup
from cli.words import say
from engine.text import clean


class Limits(msgspec.Struct, frozen=True):
    """What the flags allow. requests, tokens: a minute. models: cost by model."""

    requests: float | None = None
    tokens: float | None = None
    total_tokens: int | None = None
    total_cost: float | None = None
    models: dict[str, float] = {}

    def caps(self, priced: bool) -> Caps:
        """The caps. priced: whether the model has prices. Raises Problem."""
        if not priced and (self.total_cost is not None or self.models):
            raise Problem(
                "a limit on the cost needs the model's prices in the config file",
                "限制花费需要在配置文件里写明该模型的单价",
            )
        return Caps(self.total_tokens, self.total_cost, {name: (None, cost) for name, cost in self.models.items()})


def model_cap(text: str) -> tuple[str, float]:
    """`MODEL=N`. Raises Problem."""
    name, _, amount = text.rpartition("=")
    try:
        cost = float(amount)
    except ValueError:
        cost = -1.0
    if not name or not 0 <= cost < float("inf"):
        raise Problem(
            f"--model-cost takes MODEL=N, for example gpt-5-mini=2.50, not {text!r}",
            f"--model-cost 的写法是 MODEL=N，如 gpt-5-mini=2.50，不是 {text!r}",
        )
    return name, cost


class Wish(msgspec.Struct, frozen=True):
    """What the flags say of a plan. named: flags about the table that were given."""

    number: int | None = None
    replicates: int = 1
    shard: str | None = None
    seed: int | None = None
    options: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def run_campaign(
    folder: Path, settings: Settings, wish: Wish, *, workers: int | None, limits: Limits, other_code: bool,
    again: bool, json_out: bool, far: Far,
) -> int:  # fmt: skip
    """Play a new or an old campaign. Returns 0 when all its games are done and ended by their rules.

    again: games that failed are tried again.
    """
    with told():
        plan = _planned(folder, settings, wish)
        (folder / PAUSED).unlink(missing_ok=True)
        seater = _seater(plan, settings)
        caps = limits.caps(seater is None or seater.endpoint().price is not None)
        with opened(folder, other_code=other_code) as ledger, Progress(ledger.totals().games) as progress:
            if again:
                retry(ledger)
            done = _teller(ledger, progress, json_out)
            if seater is not None:
                seater.check_server()
            if seater is not None and far.ray is not None:
                report = _with_far_models(ledger, seater, settings, far, workers, limits, caps, done)
            elif seater is not None:
                report = asyncio.run(_with_models(ledger, seater, settings, limits, caps, done))
            else:
                report = conduct(ledger, _executor(far, workers), done=done)
        lines = [msgspec.json.encode(report).decode()] if json_out else [*_totals(report.totals), *stopped(report)]
        print("\n".join(lines))
        if report.stopped:
            return DISK if "disk is full" in report.stopped else STOPPED if report.stopped == "paused" else FAILED
        return 0 if report.totals.finished == report.totals.games else FAILED


class Far(msgspec.Struct, frozen=True):
    """Workers elsewhere. ray: the cluster's address, None for none. listen: where they find the ledger."""

    ray: str | None = None
    listen: str = "127.0.0.1"


def _executor(far: Far, workers: int | None) -> Executor:
    """What plays. Raises Problem."""
    if far.ray is None:
        return Processes(workers or os.cpu_count() or 1)
    from importlib import import_module

    from arena.campaign.rays import Rays

    try:
        ray = import_module("ray")
    except ImportError:
        raise Problem("--ray needs Ray: pip install ray", "--ray 需要 Ray：pip install ray") from None
    try:
        ray.init(address=far.ray, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise Problem(f"no Ray cluster at {far.ray}: {error}", f"{far.ray} 没有 Ray 集群：{error}") from None
    return Rays(workers or int(ray.cluster_resources().get("CPU", 1)))


def _with_far_models(
    ledger: Ledger, seater: Seater, settings: Settings, far: Far, workers: int | None, limits: Limits, caps: Caps,
    done: Callable[[Ended], None],
) -> Report:  # fmt: skip
    """Models on workers elsewhere; ledger and limits here. The key is in the workers' own environment."""
    from arena.campaign.wire import Authority

    executor = _executor(far, workers)
    share = max(1, settings.parallel // executor.slots)
    endpoint = seater.endpoint().model_copy(update={"outage": "pause", "parallel": 9 * share})
    given = endpoint.model_dump_json(exclude={"api_key"}).encode()
    gate = _gate(ledger, 9 * share * executor.slots, limits, caps)
    with Authority(ledger, gate, far.listen) as authority:
        kind = Job(encode(ledger.plan), (), given, authority.address, authority.word, _game_caps(seater))
        return conduct(ledger, executor, batch=share, kind=kind, done=done, halted=lambda: authority.halted)


def _planned(folder: Path, settings: Settings, wish: Wish) -> Plan:
    """The plan that is there, else the one that the flags describe."""
    if (folder / PLAN).exists():
        plan = read_plan(folder)
        if wish.number is not None or wish.named or wish.shard:
            fresh = _new_plan(settings, wish, plan)
            if fresh != plan:
                raise Problem(
                    f"{folder} holds a campaign with another plan; leave the flags about the table out to go on",
                    f"{folder} 已有另一份计划；若要继续它，请不要再写牌局选项",
                )
        return plan
    if wish.number is None:
        raise Problem(
            f"there is no campaign in {folder}; give -n to plan one", f"{folder} 里没有计划；请用 -n 新建", USAGE
        )
    plan = _new_plan(settings, wish, None)
    write_plan(folder, plan)
    return plan


def _new_plan(settings: Settings, wish: Wish, old: Plan | None) -> Plan:
    first = wish.seed if wish.seed is not None else old.first if old else 1
    setup = make_setup(settings, seed=first, overrides=wish.options)  # a mistake is told before anything begins
    named, deck = settings.deck or "", None
    if "=" in named:
        deck = {role.strip(): int(count) for role, _, count in (part.partition("=") for part in named.split(","))}
    paid = settings.seated == "model"
    table = Table(
        setup.ruleset, setup.size, deck or settings.deck, dict(setup.options), setup.lang, (settings.seated,),
        (settings.model or "") if paid else "",
    )  # fmt: skip
    number = wish.number if wish.number is not None else old.seeds if old else 1
    return Plan(table, first, number, wish.replicates, _shard(wish.shard), old.code if old else code_hash())


def _shard(text: str | None) -> tuple[int, int]:
    """`K/N`, K from 1 to N."""
    part, _, parts = (text or "1/1").partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise Problem(
            f"--shard takes K/N, for example 1/4, not {text!r}", f"--shard 的写法是 K/N，如 1/4，不是 {text!r}"
        )
    return int(part) - 1, int(parts)


def _seater(plan: Plan, settings: Settings) -> Seater | None:
    """Who makes the models' client; None for a campaign without models. Raises Problem."""
    if not plan.paid:
        return None
    if settings.model is not None and settings.model != plan.table.model:
        raise Problem(
            f"the campaign was planned with the model {plan.table.model}, not {settings.model}",
            f"这批对局计划使用的模型是 {plan.table.model}，不是 {settings.model}",
        )
    return Seater(settings.model_copy(update={"model": plan.table.model, "players": "model"}), many=True)


def _gate(ledger: Ledger, parallel: int, limits: Limits, caps: Caps) -> Gate:
    return Gate(
        Throttle(parallel, requests=limits.requests, tokens=limits.tokens), Purse(caps, ledger.spent())
    )  # fmt: skip


def _game_caps(seater: Seater) -> GameCaps:
    """What one game may take, as the settings say. Raises Problem for a limit on cost without prices."""
    budget = seater.budget()
    return GameCaps(budget.tokens, budget.cost) if budget is not None else GameCaps()


async def _with_models(
    ledger: Ledger, seater: Seater, settings: Settings, limits: Limits, caps: Caps, done: Callable[[Ended], None]
) -> Report:
    from arena.campaign.journal import Bench

    # A dead server stops the campaign: it goes on when the server does, and nothing is substituted meanwhile.
    endpoint = seater.endpoint().model_copy(update={"outage": "pause"})
    client, http = open_client(endpoint, seater.memory())
    try:
        bench = Bench(client, _gate(ledger, endpoint.parallel, limits, caps))
        runner = Runner(ledger, parallel=settings.parallel, benches={"": bench}, caps=_game_caps(seater), done=done)
        with stops_softly(runner):
            return await runner.run()
    finally:
        await client.close()
        await http.aclose()


def _teller(ledger: Ledger, progress: Progress, json_out: bool) -> Callable[[Ended], None]:
    """Tells of every game that ends: how fast, how many failed, what it cost, how long it will take."""
    rate, start = Rate(), ledger.totals()
    progress.done = start.done
    failed = start.failed + start.unfinished
    cost, looked = start.cost, 0

    def done(end: Ended) -> None:
        nonlocal failed, cost, looked
        rate.ended()
        failed += end.outcome != "finished"
        if json_out:
            progress.clear()
            print(msgspec.json.encode(end).decode(), flush=True)
        if progress.done >= looked:  # the sum over all answers is not for every game
            cost, looked = ledger.totals().cost, progress.done + 20
        left = rate.left(progress.total - progress.done - 1)
        ends = f"{left / 60:.0f} min" if left is not None else "?"
        progress.step(
            say(
                f"{rate.per_second():.2f}/s, {failed} failed, cost {cost:.2f}, {ends} left",
                f"{rate.per_second():.2f} 局/秒，失败 {failed}，花费 {cost:.2f}，还需 {ends}",
            )
        )

    return done


def show_status(folder: Path, *, json_out: bool) -> int:
    """How far a campaign is."""
    with told():
        ledger = Ledger(folder, write=False)
        try:
            totals = ledger.totals()
        finally:
            ledger.close()
    if json_out:
        print(msgspec.json.encode(totals).decode())
    else:
        paused = [say("  paused", "  已暂停")] if (folder / PAUSED).exists() else []
        print("\n".join([*_totals(totals), *paused]))
    return 0


def pause_campaign(folder: Path) -> int:
    """Leave the sign that the running process looks for."""
    with told():
        read_plan(folder)
        (folder / PAUSED).touch()
    print(
        say(
            f"it stops as soon as what is under way is kept; go on with `tianhei campaign resume {folder}`",
            f"待已发出的请求保存后即停；用 `tianhei campaign resume {folder}` 继续",
        )
    )
    return 0


def merge_campaigns(into: Path, parts: Sequence[Path], *, json_out: bool) -> int:
    """Bring parts together."""
    with told():
        came = merge(into, parts)
    print(
        msgspec.json.encode({"games": came}).decode()
        if json_out
        else say(f"{came} games came into {into}", f"{came} 局并入 {into}")
    )
    return 0


def verify_campaign(folder: Path, *, replay: bool, json_out: bool) -> int:
    """Print what is wrong with a campaign. Returns 0 if nothing is."""
    with told():
        ledger = Ledger(folder, write=False)
        try:
            findings, totals = list(verify(ledger, replay=replay)), ledger.totals()
        finally:
            ledger.close()
    if json_out:
        print(msgspec.json.encode({"findings": findings, "totals": totals}).decode())
    else:
        print("\n".join([clean(f"{one.game}: {one.what}") for one in findings] + _totals(totals)))
        if not findings:
            print(say("plan, ledger and records agree", "计划、账本与记录一致"))
    return FAILED if findings else 0


def _totals(t: Totals) -> list[str]:
    lines = [
        say(
            f"{t.done} of {t.games} games done: {t.finished} by their rules, {t.unfinished} unfinished, "
            f"{t.failed} failed",
            f"{t.games} 局中已完成 {t.done} 局：按规则结束 {t.finished}，未完 {t.unfinished}，失败 {t.failed}",
        )
    ]
    if t.answers:
        lines.append(
            say(
                f"  {t.answers:,} answers, {t.tokens_in:,} tokens sent, {t.tokens_out:,} received, cost {t.cost:.4f}, "
                f"{t.fallbacks} substitutes",
                f"  {t.answers:,} 个回答，发送 {t.tokens_in:,} 个 token，接收 {t.tokens_out:,} 个，花费 {t.cost:.4f}，"
                f"替代回答 {t.fallbacks}",
            )
        )
    return lines


def stopped(report: Report) -> list[str]:
    """Why it stopped, in a line; none if it did not."""
    if not report.stopped:
        return []
    why = clean(report.stopped)
    return [say(f"stopped: {why}; run it again to go on", f"已停止：{why}；再次运行即可继续")]


@contextmanager
def told() -> Iterator[None]:
    """What goes wrong with a campaign, in words of the command line."""
    try:
        yield
    except OtherCode as error:
        raise Problem(
            f"{error}; --other-code goes on all the same", f"{error}；加 --other-code 可照样继续", BROKEN
        ) from None
    except Busy as error:
        raise Problem(
            f"{error}; `tianhei campaign pause` stops it", f"{error}；可用 `tianhei campaign pause` 停下", BROKEN
        ) from None
    except LedgerError as error:
        raise Problem(str(error), str(error), DISK if error.full else BROKEN) from None
    except (CampaignError, Halt) as error:
        raise Problem(str(error), str(error), BROKEN) from None
