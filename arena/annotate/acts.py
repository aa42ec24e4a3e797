"""Acts of an utterance, several at once, and what AIWolf and the persuasion literature call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from players.base import Claim

ACTS = (
    "CLAIM_ROLE", "COUNTER_CLAIM", "CLAIM_RESULT", "PLAN", "ESTIMATE", "ACCUSE", "VOUCH", "VOTE_CALL", "DEFEND", "ASK",
    "AGREE", "DISAGREE", "CITE", "PASS",
)  # fmt: skip
PERSUASION: Mapping[str, str] = {
    "CLAIM_ROLE": "Identity Declaration", "COUNTER_CLAIM": "Identity Declaration", "CLAIM_RESULT": "Evidence",
    "PLAN": "Call for Action", "ESTIMATE": "Accusation", "ACCUSE": "Accusation", "VOUCH": "Defense",
    "VOTE_CALL": "Call for Action", "DEFEND": "Defense", "ASK": "Interrogation", "CITE": "Evidence",
    "PASS": "No Strategy",
}  # fmt: skip
"""The labels of "Werewolf Among Us" (Lai et al. 2023); AGREE and DISAGREE have none."""


def acts_of(text: str, claims: Iterable[Claim], claimed: Mapping[int, str]) -> tuple[str, ...]:
    """The acts in the order of ACTS. claimed: by seat, the card it claimed before and may still hold alone."""
    found: set[str] = set()
    for claim in claims:
        name = claim.act.upper().replace("-", "_")
        if name in ACTS:
            found.add(name)
        if claim.act == "claim-role" and not claim.negated:
            others = {card for seat, card in claimed.items() if seat != claim.subject}
            if claim.value in others and claim.value != "villager":
                found.add("COUNTER_CLAIM")
    if not text:
        found.add("PASS")
    return tuple(act for act in ACTS if act in found)
