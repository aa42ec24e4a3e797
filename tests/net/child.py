"""One client in a process of its own: plays by a seed, and writes every byte it was sent to a file.

python child.py URL SEED FILE DROPS, the code on standard input.
"""

import asyncio
import sys
from pathlib import Path

from tests.net.clients import Bot


def main(url: str, seed: str, file: str, drops: str) -> int:
    """Exit code 0 when the game ended."""
    bot = Bot(url, sys.stdin.readline().strip(), int(seed), drops=float(drops), reacts=0.1)
    why = asyncio.run(bot.play())
    Path(file).write_text("\n".join(bot.raw), encoding="utf-8")
    return 0 if why == "over" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
