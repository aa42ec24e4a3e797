"""What a speech claims: a small rules-first reader of Chinese and English table talk.

It understands the built-in players' own phrases and common human phrasing. What it cannot read it leaves out: a missed
claim is silence, a wrong one a lie somebody never told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from players.base import Claim

MOST = 12  # claims read from one speech
READ = 600  # characters of a speech that are read

T = r"<(\d+)>"
TS = r"((?:<\d+>[、和跟与及 ]*)+)"
ROLES = {
    "预言家": "seer", "先知": "seer", "女巫": "witch", "猎人": "hunter", "守卫": "guard", "丘比特": "cupid",
    "村民": "villager", "平民": "villager", "民牌": "villager", "闭眼玩家": "villager", "狼人": "werewolf",
    "seer": "seer", "witch": "witch", "hunter": "hunter", "guard": "guard", "cupid": "cupid",
    "villager": "villager", "werewolf": "werewolf", "wolf": "werewolf",
}  # fmt: skip
_ZH_ROLE = "(预言家|先知|女巫|猎人|守卫|丘比特|村民|平民|民牌|闭眼玩家|狼人)"
_EN_ROLE = "(seer|witch|hunter|guard|cupid|villager|werewolf|wolf)"
_DIGITS = {char: str(value) for value, char in enumerate("一二三四五六七八九十", 1)} | {"十一": "11", "十二": "12"}


def _re(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_SEAT = re.compile(
    r"(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*号(?:玩家)?"
    r"|\b(?:seats?|players?|number|no\.?|p)\s*#?(\d{1,2})\b|#(\d{1,2})\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(查杀|金水|银水|归票|全票|票|归|出|投|踩|保|站边|站|验了?|查验?)(\d{1,2})(?![\d号票天晚夜个轮])")
_BARE_FIRST = re.compile(r"(?<![\d第])(\d{1,2})(?=是?(?:我的)?(?:查杀|金水|银水))")
_PAIR = re.compile(r"(<\d+>)\s*(?:,\s*)?(?:and|or)\s+(?=<)", re.IGNORECASE)
_CLAUSE = re.compile(r"[，。；！？,;!?:：\n]|\.(?!\d)|\b(?:and|but|because|so)\b|但是?|所以|因为", re.IGNORECASE)
_UNREAL = _re(
    "为什么",
    r"\bwhy\b",
    "如果",
    "要是",
    "假如",
    "假设",
    "万一",
    "的话",
    r"\bif\b",
    r"\bsuppose\b",
    r"\bwould\b",
    r"\bwhether\b",
)
_REPORTED = _re(
    r"<\d+>\s*(?:也|都|还|就|又|却|先)*(?:说|讲|报|称|声称|认为|觉得|给|发|对|的(?:查杀|金水|银水|验人))",
    r"(?:被|说|听)\s*<\d+>",
    r"<\d+>\s*(?:says?|said|claims?|claimed|thinks?|called|calls|told)\b",
    r"\bby <\d+>",
    r"说我",
)
_NOT_ME = _re(r"(?:我|本人)(?:真的?|绝对|肯定|可)?不是" + _ZH_ROLE, r"\bI(?:'m| am) not (?:the |an? )?" + _EN_ROLE)
_ME = _re(
    r"(?:我|这里)(?:的)?(?:底牌|身份|牌)?(?:才|就|真的?|其实|确实|也)*"
    r"(?:是|跳)(?:一?[张个名]|真的?|唯一的?|全场唯一的?)*" + _ZH_ROLE,
    r"(?:起跳|对?跳)(?:一?[张个])?" + _ZH_ROLE,
    r"(?<!是)" + _ZH_ROLE + "(?:起?跳|在此)",
    r"\bI(?:'m| am)(?: really| actually| truly)?(?: the| an?)?(?: real| true| only| plain)* " + _EN_ROLE,
    r"\bI claim(?: to be)?(?: the| an?)? " + _EN_ROLE,
    r"\bmy role is(?: the| an?)? " + _EN_ROLE,
    "^ *" + _EN_ROLE + " here",
)
_GOOD_ME = _re(
    "我(?:真的?|绝对|肯定|就|可)?(?:是(?:一?[张个])?好(?:人|牌)|不是狼(?!人??的))",
    r"\bI(?:'m| am) (?:innocent|good|not (?:a |the )?(?:were)?wolf|on the village)",
)

_NOT_WOLF = r"(?:不是狼|not (?:a )?(?:were)?wol(?:f|ves)|isn't a (?:were)?wolf)"
_IS_GOOD = _re(_NOT_WOLF, "金水", "好人", "好牌", r"\b(?:good|innocent|clear(?:ed)?|clean|village(?:r)?|human)\b")
_IS_BAD = _re("查杀", "狼", r"\b(?:were)?wol(?:f|ves)\b", r"\b(?:bad|evil|guilty)\b")
_CHECKED = _re(
    r"(?:验|查验|查(?!杀)|摸)(?:了|过|的是|到|的)*\s*" + TS,
    r"\b(?:checked|inspected|scried|looked at|my check (?:is|was|on))\s*" + TS,
    TS + r" (?:came (?:up|back|out)|showed(?: up)?|checked out|is checked)",
)
_CHECKED_ALONE = _re(
    "(?:我|昨晚|昨夜)(?:验|查)(?:的|过|了)",
    r"^\s*I (?:have )?(?:checked|inspected)(?: (?:it|him|her|them))?\s*$",
    r"\bmy check\s*$",
)
_RESULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "bad",
        _re(
            r"查杀(?:了|是|给)?" + TS,
            TS + r"(?:就?是|吃)?(?:我的?|第\d+[夜晚]的|一?[张个])*查杀",
            TS + r" is my (?:red|wolf|bad) check",
        ),
    ),
    (
        "good",
        _re(
            r"金水(?:是|给|发)?" + TS,
            TS + r"(?:就?是)?(?:我的?|第\d+[夜晚]的|一?[张个])*金水",
            TS + r" is my (?:good|green|clear) check",
        ),
    ),
    (
        "saved",
        _re(
            r"银水(?:是|给)?" + TS,
            TS + r"(?:就?是)?(?:我的?|第\d+[夜晚]的|一?[张个])*银水",
            r"救(?:了|的是|起了?)" + TS,
            r"\bI (?:have )?(?:saved|healed) " + TS,
        ),
    ),
    ("poisoned", _re(r"毒(?:了|的是|死了?|杀了?|走了)" + TS, r"\bI (?:have )?poisoned " + TS)),
    ("guarded", _re(r"守(?:了|护了|的是)" + TS, r"\bI (?:have )?(?:guarded|protected) " + TS)),
)
_SOFT: tuple[tuple[str, bool, re.Pattern[str]], ...] = (
    (
        "vouch",
        False,
        _re(
            TS + r"[^<]{0,4}不(?:太|大|会|可能)*[是像][^<]{0,2}狼",
            TS + r"(?: is| are|'s| does| do)?(?: not|n't)[^<]{0,12}wol(?:f|ves)",
        ),
    ),
    (
        "accuse",
        False,
        _re(
            TS + r"[^<]{0,4}不(?:太|大|会|可能)*[是像][^<]{0,2}好",
            TS + r"[^<不]{0,8}[是像铁](?:[^<不]{0,5})(?:狼|匪|悍跳)",
            TS + r"[^<不没]{0,8}(?:悍跳|可疑|有问题|不对劲|狼面|身份低|不做好|铁狼)",
            r"(?<!不)(?:怀疑|踩|盯(?:着|住)?|打)(?:的是)?" + TS,
            TS + r"(?: is| are|'s| looks?| seems?| must be| has to be| smells?| sounds?)"
            r"(?: like)?(?:(?! not|n't)[^<]){0,20}"
            r"(?:wol(?:f|ves)\b|evil|suspicious|lying|guilty|fake|shady|worst)",
            r"(?<!n't )(?<!not )\b(?:suspect|distrust|doubt|accuse) " + TS,
        ),
    ),
    (
        "vouch",
        False,
        _re(
            TS + r"[^<不没]{0,8}(?:[是像偏算]|做)(?:[^<不没]{0,4})好(?:人|牌|身份)?",
            r"(?<![不难担])(?:保|认下)(?:一?[手下])?" + TS,
            TS + r"(?: is| are|'s| looks?| seems?| reads?| sounds?)(?: like| as)?(?:(?! not|n't)[^<]){0,16}"
            r"\b(?:good|innocent|village|villager|clear|clean|human|honest)\b",
            r"\bI (?:will )?(?:vouch for|defend) " + TS,
        ),
    ),
    (
        "disagree",
        False,
        _re(
            r"(?:不信|不站边?|不相信|不认|不同意|反对)" + TS,
            r"\b(?:disagree with|(?:do not|don't|can't|cannot) (?:believe|buy|trust|follow)) " + TS,
        ),
    ),
    (
        "agree",
        False,
        _re(
            r"(?<!不)(?:相信|(?<!相)信|站边?|支持|同意|认可|跟着?)(?:的是)?" + TS,
            r"(?<!n't )(?<!not )\b(?:trust|believe|agree with|side with|support|follow) " + TS,
        ),
    ),
    (
        "vote-call",
        True,
        _re(
            r"(?:别|不要?|先不)(?:投|票|出|归票)(?:给|掉)?" + TS,
            r"\b(?:don't|do not) (?:vote(?: for| out)?|exile) " + TS,
        ),
    ),
    (
        "vote-call",
        False,
        _re(
            r"(?<![>别不])(?:归票|归|票(?:给|出|打)?|投(?:票)?(?:给)?|全票(?:打飞|出)?|出掉?|放逐)" + TS,
            r"(?<!n't )(?<!not )\b(?:vote(?: for| out| off| with me on)?|exile|lynch|eliminate) " + TS,
        ),
    ),
    ("plan:check", False, _re(r"今晚(?:我)?(?:会|要|先)?(?:验|查)" + TS, r"\bcheck " + TS + r" (?:tonight|next)")),
    ("plan:bite", False, _re(r"(?:刀|咬)" + TS, r"\b(?:bite|kill) " + TS)),
    (
        "ask",
        False,
        _re(
            T + r"[^<]{0,6}(?:怎么看|说说|表个?水|聊聊|解释)",
            r"\b(?:hear (?:more )?from|question for|words from|ask) " + T,
        ),
    ),
)


@lru_cache(maxsize=8192)
def listen(text: str, speaker: int, size: int, day: int = 0) -> tuple[Claim, ...]:
    """The claims in a speech. size: seats of the table; day: the current day, for "last night"."""
    claims: list[Claim] = []
    pending: tuple[tuple[int, ...], int | None] = ((), None)
    about: int | None = None
    for clause in _clauses(text[:READ], size):
        about = _night(clause, day) or about
        if pending[0] and "<" not in clause and (value := _good_or_bad(clause)):
            claims += [Claim("claim-result", speaker, seat, pending[1], value) for seat in pending[0]]
            pending = ((), None)
            continue
        found = list(_read(clause, speaker, about))
        checked = _CHECKED.search(clause)
        if checked and not any(claim.act == "claim-result" for claim in found) and not _skip(clause):
            pending = (_seats(checked), about)
        if _CHECKED_ALONE.search(clause) and "<" not in clause:
            claims = _now_checked(claims, about)
        claims += found
    seen = dict.fromkeys(c for c in claims if c.target != speaker or c.value == "saved")
    return tuple(claim for claim in seen if claim.target is None or 0 < claim.target <= size)[:MOST]


def _clauses(text: str, size: int) -> list[str]:
    """The speech in clauses, every mention of a seat as <n>."""

    def named(match: re.Match[str]) -> str:
        number = next(group for group in match.groups() if group)
        number = _DIGITS.get(number, number)
        return f"<{int(number)}>" if number.isdigit() and int(number) <= size else match.group()

    text = _SEAT.sub(named, text.replace("’", "'").replace("<", "(").replace(">", ")"))
    text = _BARE_FIRST.sub(r"<\1>", _BARE.sub(r"\1<\2>", text))
    return [clause for clause in _CLAUSE.split(_PAIR.sub(r"\1、", text)) if clause.strip()]


def _read(clause: str, speaker: int, about: int | None) -> Iterator[Claim]:
    """The claims of one clause."""
    if _UNREAL.search(clause):
        return
    if denied := _NOT_ME.search(clause):
        yield _of_self(speaker, _word(denied), negated=True)
    elif me := _ME.search(clause):
        yield _of_self(speaker, _word(me), negated=False)
    elif _GOOD_ME.search(clause):
        yield Claim("defend", speaker)
    if "<" not in clause:
        return
    if not _REPORTED.search(clause):
        results = list(_results(clause, speaker, about))
        yield from results
        if results:
            return
    taken: set[int] = set()
    for act, negated, pattern in _SOFT:
        for match in pattern.finditer(clause):
            fresh = [seat for seat in _seats(match) if seat not in taken]
            taken.update(fresh)
            kind, _, value = act.partition(":")
            yield from (Claim(kind, speaker, seat, None, value or None, negated) for seat in fresh)


def _results(clause: str, speaker: int, about: int | None) -> Iterator[Claim]:
    """What the speaker says it did in the night, and what came of it."""
    checked = _CHECKED.search(clause)
    if checked and (value := _good_or_bad(clause)):
        yield from (Claim("claim-result", speaker, seat, about, value) for seat in _seats(checked))
        return
    for value, pattern in _RESULTS:
        for match in pattern.finditer(clause):
            yield from (Claim("claim-result", speaker, seat, about, value) for seat in _seats(match))


def _of_self(speaker: int, role: str, negated: bool) -> Claim:
    if negated and role == "werewolf":
        return Claim("defend", speaker)
    return Claim("claim-role", speaker, None, None, role, negated)


def _now_checked(claims: list[Claim], about: int | None) -> list[Claim]:
    """ "Seat 3 is a wolf, I checked": the last opinion was a result."""
    if claims and claims[-1].act in ("accuse", "vouch"):
        last = claims[-1]
        value = "bad" if last.act == "accuse" else "good"
        return [*claims[:-1], Claim("claim-result", last.subject, last.target, about, value)]
    return claims


def _skip(clause: str) -> bool:
    return bool(_UNREAL.search(clause) or _REPORTED.search(clause)) or "今晚" in clause or "tonight" in clause


def _good_or_bad(clause: str) -> str | None:
    if _IS_GOOD.search(clause):
        return "good"
    return "bad" if _IS_BAD.search(clause) else None


_NIGHT = _re(r"第?\s*([一二三四五六七八九]|\d{1,2})\s*[晚夜]", r"\bnight (\d{1,2})\b", r"\bn(\d)\b")
_LAST_NIGHT = _re("昨[晚夜]", r"\blast night\b")


def _night(clause: str, day: int) -> int | None:
    if match := _NIGHT.search(clause):
        number = next(group for group in match.groups() if group)
        return int(_DIGITS.get(number, number))
    if "首夜" in clause or "first night" in clause:
        return 1
    return day or None if _LAST_NIGHT.search(clause) else None


def _seats(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(n) for group in match.groups() if group for n in re.findall(r"\d+", group))


def _word(match: re.Match[str]) -> str:
    return ROLES[next(group for group in match.groups() if group).lower()]


__all__ = ["ROLES", "listen"]
