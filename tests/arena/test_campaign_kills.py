"""A campaign that is killed, meets a full disk and jumping clocks: nothing is lost, nothing is paid for twice."""

from pathlib import Path

from tests.support.ordeal import ordeal


async def test_killed_again_and_again_it_loses_nothing_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    counted = await ordeal(tmp_path, games=16, kills=3, full=1, seed=7, parallel=4, per_run=40)
    assert counted["kills"] == 3
    assert counted["full"] == 1
    # What was asked twice is what was under way when the process died: its answers had not arrived yet.
    assert counted["asked twice"] <= counted["lost in flight"]
