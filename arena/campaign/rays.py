"""A campaign's workers as Ray tasks, on one machine or many. Ray is an extra: `pip install ray`.

Ray only starts the workers and notices their deaths. It is told to retry nothing: what a dead worker had is given out
again by the ledger, which knows what was paid for.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec

from arena.campaign.crew import Job, Played, play_job


class Rays:
    """An executor (arena.campaign.crew) on the Ray cluster that this process has joined with ray.init."""

    def __init__(self, slots: int, cpus: float = 1.0) -> None:
        """slots: jobs at once. cpus: that a job asks for; jobs with models mostly wait, and need a fraction."""
        self.slots = slots
        self._ray: Any = import_module("ray")
        self._task: Any = self._ray.remote(num_cpus=cpus, max_retries=0, max_calls=0)(_play)

    def submit(self, job: Job) -> object:
        """Begin a job."""
        return self._task.remote(msgspec.msgpack.encode(job))

    def wait(self, tickets: Sequence[object], seconds: float) -> list[tuple[object, tuple[Played, ...] | None]]:
        """The jobs that have ended; None for those whose worker or host died."""
        ready, _ = self._ray.wait(list(tickets), num_returns=1, timeout=seconds)
        ended: list[tuple[object, tuple[Played, ...] | None]] = []
        for ticket in ready:
            try:
                ended.append((ticket, msgspec.msgpack.decode(self._ray.get(ticket), type=tuple[Played, ...])))
            except self._ray.exceptions.RayError:
                ended.append((ticket, None))
        return ended

    def close(self) -> None:
        """Nothing of its own: the cluster belongs to whoever started it."""


def _play(job: bytes) -> bytes:
    return msgspec.msgpack.encode(play_job(msgspec.msgpack.decode(job, type=Job)))
