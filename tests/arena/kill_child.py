"""Plays a campaign with a stubbed model and kills its own process at a model call: run by test_crash."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from arena.design import stub
from arena.design.config import Config
from arena.design.run import Evaluation

CONFIG = {
    "name": "crash",
    "deals": 1,
    "seed": 5,
    "parallel": 2,
    "options": {"sheriff": False, "wolves.talk-rounds": 0},
    "agents": [{"id": "stub", "player": "stub"}, {"id": "random", "player": "random"}],
}


def main() -> None:
    """argv: folder, the call at which to die (0: never). Prints how many calls were answered."""
    folder, dies = Path(sys.argv[1]), int(sys.argv[2])
    calls = 0
    answer = stub._answer

    def counted(request: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(request)

    stub._answer = counted
    Evaluation(Config.model_validate(CONFIG), folder).run(lambda _: None, other_code=True)
    print(json.dumps({"calls": calls}))


if __name__ == "__main__":
    main()
