"""A campaign with models on a Ray cluster of several node processes, whose workers and one node are killed.

Needs `pip install ray`. From the folder of the project: python -m benchmarks.campaign_ray --games 2000 --kills 10
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.campaign.rays import Rays
from tests.support.crews import crew_ordeal


def workers() -> list[int]:
    """The Ray workers below this process that play now."""
    parents, found = dict[int, int](), list[int]()
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            stat = Path(entry.path, "stat").read_text()
            command = Path(entry.path, "cmdline").read_bytes()
        except OSError:
            continue
        parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
        if command.startswith(b"ray::_play"):
            found.append(int(entry.name))
    return [pid for pid in found if _below(pid, os.getpid(), parents)]


def _below(pid: int, top: int, parents: dict[int, int]) -> bool:
    while pid > 1 and pid != top:
        pid = parents.get(pid, 0)
    return pid == top


async def _ordeal(given: argparse.Namespace, cluster: Any, victim: Any) -> dict[str, int]:
    per_kill = max(1, given.games * 16 // (given.kills + 1))
    gone, killed = [victim] if victim is not None else [], 0

    def pids() -> list[int]:
        nonlocal killed
        killed += 1
        if gone and killed > given.kills // 2:  # one whole node, in the middle
            cluster.remove_node(gone.pop(), allow_graceful=False)
        return workers()

    with tempfile.TemporaryDirectory() as folder:
        return await crew_ordeal(
            Path(folder), Rays(given.slots, cpus=1.0), pids, games=given.games, kills=given.kills, per_kill=per_kill,
            seed=given.seed, batch=given.batch,
        )  # fmt: skip


def main() -> None:
    """Read the numbers, run, print."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=2000)
    ask.add_argument("--kills", type=int, default=10, help="workers killed; one node is killed besides")
    ask.add_argument("--nodes", type=int, default=3)
    ask.add_argument("--slots", type=int, default=2, help="jobs at once")
    ask.add_argument("--batch", type=int, default=20, help="games of a job, side by side")
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    ray, utils = import_module("ray"), import_module("ray.cluster_utils")
    cluster = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(given.nodes - 1)]
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        began = time.monotonic()
        counted = asyncio.run(_ordeal(given, cluster, nodes[-1] if nodes else None))
        print(json.dumps(counted | {"nodes": given.nodes, "seconds": round(time.monotonic() - began)}, indent=1))
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    main()
