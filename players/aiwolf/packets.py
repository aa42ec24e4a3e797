"""AIWolf packets from one seat's View. Absent keys are left out, never null; roles and requests are closed sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.events import Ballots, Dawn, Said
from engine.roles.japanese import MediumResult
from engine.roles.seer import SeerResult
from engine.roles.werewolf import PackBallot, PackJoin, PackMeet, PackTalk
from engine.rules.ruleset import SetupError
from engine.setup import Setup
from engine.views import View

ROLES = {
    "werewolf": "WEREWOLF", "madman": "POSSESSED", "seer": "SEER", "bodyguard": "BODYGUARD", "guard": "BODYGUARD",
    "medium": "MEDIUM", "villager": "VILLAGER",
}  # fmt: skip
REQUESTS = {
    "werewolf.bite": "ATTACK",
    "seer.check": "DIVINE",
    "bodyguard.protect": "GUARD",
    "guard.protect": "GUARD",
    "day.vote": "VOTE",
    "day.speak": "TALK",
    "day.plea": "TALK",
    "dead.last-words": "TALK",
    "werewolf.talk": "WHISPER",
}
"""What the protocol can ask. Every other ask of such a seat is answered for it."""
TALK_LENGTH = 200  # characters of one talk that we ask for
DECKS = {
    5: {"werewolf": 1, "madman": 1, "seer": 1, "villager": 2},
    13: {"werewolf": 3, "madman": 1, "seer": 1, "medium": 1, "bodyguard": 1, "villager": 6},
}
"""The protocol's own boards, for ruleset `japanese`."""


def agent(seat: int) -> str:
    """A seat's name, the same all through the game."""
    return f"Agent[{seat:02d}]"


def seat_named(name: str) -> int | None:
    """The seat of a name as it was sent; None for anything else."""
    inside = name.removeprefix("Agent[").removesuffix("]")
    seat = int(inside) if inside.isascii() and inside.isdigit() and len(inside) == 2 else 0
    return seat if seat and agent(seat) == name else None


def check_board(setup: Setup, seats: Iterable[int]) -> None:
    """Refuse a board on which one of these seats holds a card that the protocol has no word for. Raises SetupError."""
    cards = sorted({setup.seats[seat - 1] for seat in seats} - ROLES.keys())
    if cards:
        raise SetupError(f"AIWolf agents cannot play {', '.join(cards)}; their cards are {', '.join(sorted(ROLES))}")


def day_of(phase: str, number: int) -> int:
    """The protocol's day: night n belongs to day n - 1."""
    return max(0, number - 1) if phase in ("night", "setup") else number


def setting(view: View, action: float, response: float) -> dict[str, Any]:
    """The game's settings. action, response: seconds."""
    counts: dict[str, int] = dict.fromkeys(sorted(set(ROLES.values())), 0)
    for card, count in view.deck.items():
        counts[ROLES.get(card, "VILLAGER")] += count
    talk = {
        "max_count": {"per_agent": 2, "per_day": 2 * view.size},
        "max_length": {"per_talk": TALK_LENGTH},
        "max_skip": 1,
    }
    return {
        "agent_count": view.size,
        "role_num_map": counts,
        "vote_visibility": True,
        "talk": talk,
        "whisper": talk,
        "vote": {"max_count": 2, "allow_self_vote": False},
        "attack_vote": {"max_count": 2, "allow_self_vote": False, "allow_no_target": False},
        "timeout": {"action": int(action * 1000), "response": int(response * 1000)},
    }


def info(view: View, game: str, day: int, *, profile: bool = False) -> dict[str, Any]:
    """What the seat knows at the start of a day, or in it."""
    assert view.seat is not None
    told: dict[str, Any] = {
        "game_id": game,
        "day": day,
        "agent": agent(view.seat),
        "status_map": {agent(s): "ALIVE" if s in view.alive else "DEAD" for s in range(1, view.size + 1)},
        "role_map": role_map(view),
    }
    if profile:
        told["profile"] = agent(view.seat)
    return told | _results(view, day) | _yesterday(view, day)


def role_map(view: View) -> dict[str, str]:
    """The cards this seat knows: all of them when the game is over."""
    if view.over is not None:
        return {agent(s): ROLES.get(card, "VILLAGER") for s, card in view.roles.items()}
    known = {view.seat: view.role} if view.seat and view.role else {}
    for event in view.private:
        if isinstance(event, PackMeet | PackJoin):
            known |= dict.fromkeys(event.seats, "werewolf")
    return {agent(s): ROLES.get(card, "VILLAGER") for s, card in sorted(known.items())}


def _results(view: View, day: int) -> dict[str, Any]:
    """What the night that ended yesterday told this seat."""
    found: dict[str, Any] = {}
    for event, at in zip(view.events, view.at, strict=True):
        if day_of(*at) != day - 1 or at[0] != "night" or not isinstance(event, SeerResult | MediumResult):
            continue
        wolf = event.result in ("wolf", "bad", "werewolf")
        result = {
            "day": day - 1,
            "agent": agent(view.seat or 0),
            "target": agent(event.seat),
            "result": "WEREWOLF" if wolf else "HUMAN",
        }
        found["divine_result" if isinstance(event, SeerResult) else "medium_result"] = result
    return found


def _yesterday(view: View, day: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for event, at in zip(view.events, view.at, strict=True):
        if isinstance(event, Dawn) and at[1] == day and event.seats:
            found["attacked_agent"] = agent(event.seats[0])
        if isinstance(event, PackBallot) and day_of(*at) == day - 1:
            found["attack_vote_list"] = _votes(event.ballots, day - 1)
        if isinstance(event, Ballots) and at[1] == day - 1:
            found["vote_list"] = _votes(event.ballots, day - 1)
    for out in view.out.values():
        if out.day == day - 1 and out.cause == "vote":
            found["executed_agent"] = agent(out.seat)
    return found


def _votes(ballots: Mapping[int, int | None], day: int) -> list[dict[str, Any]]:
    return [{"day": day, "agent": agent(by), "target": agent(to)} for by, to in sorted(ballots.items()) if to]


def talks(view: View, start: int, *, whisper: bool) -> list[dict[str, Any]]:
    """What was said since event number `start`; whisper: in the pack."""
    found: list[dict[str, Any]] = []
    counts: dict[tuple[int, int], int] = {}
    number: dict[int, int] = {}
    for n, (event, at) in enumerate(zip(view.events, view.at, strict=True)):
        if not isinstance(event, PackTalk if whisper else Said):
            continue
        day, seat, text = day_of(*at), event.seat, event.text
        turn = counts[day, seat] = counts.get((day, seat), -1) + 1
        idx = number[day] = number.get(day, -1) + 1
        if n >= start:
            found.append(
                {
                    "idx": idx,
                    "day": day,
                    "turn": turn,
                    "agent": agent(seat),
                    "text": text or "Over",
                    "skip": False,
                    "over": not text,
                }
            )
    return found
