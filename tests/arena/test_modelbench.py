"""The bench of model games measures what was sent, closes what it opened, and tells how far it is."""

from __future__ import annotations

import socket

import pytest

from arena.limits import Load
from arena.modelbench import Sent, bench_models, load_of
from cli.modelbench import bench_lines
from players.model import Endpoint, EndpointError
from tests.support.stub_openai import Stub, threaded


def test_it_plays_one_by_one_and_side_by_side() -> None:
    told: list[str] = []
    with threaded(Stub()) as stub:
        numbers = bench_models(Endpoint(model="stub", base_url=stub.url), games=1, many=3, parallel=2, told=told.append)
    assert len(told) == 1 + 1 + 3
    assert (numbers.games, numbers.failed, numbers.substituted) == (4, 0, 0)
    assert numbers.calls >= numbers.least_calls > 1
    assert 1 < numbers.prompt / numbers.least_prompt < 1.6
    assert numbers.uncached > numbers.least_uncached
    assert numbers.rate_limit > 0
    assert any("88 %" in line for line in bench_lines(numbers))


def test_a_closed_port_is_told_and_nothing_stays_open() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        with pytest.raises(EndpointError, match="nothing listens"):
            bench_models(Endpoint(model="stub", base_url=url, backoff=0))


def test_the_chain_is_the_calls_that_waited_for_one_another() -> None:
    body = {"messages": [{"role": "user", "content": "a b c d"}], "response_format": {"x": 1}}
    sent = [Sent(body, 0.0, 1.0), Sent(body, 0.1, 1.1), Sent(body, 1.2, 2.0)]
    load = load_of(sent, lambda words: [ord(char) for char in words])
    assert isinstance(load, Load)
    assert (load.calls, load.chain) == (3, 2)
    assert load.uncached == load.prompt / 3, "the same prompt again is served from the cache"
