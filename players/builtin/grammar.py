"""How claims are put in Chinese, English and Japanese table talk: the patterns that listen.py reads by.

Seats are written <n> by then. Patterns of one kind are tried together; those of SOFT in their order, and a seat that
one has taken in a clause is left alone by the later ones.
"""

from __future__ import annotations

import re

from engine.rules.ruleset import roles

T = r"<(\d+)>"
TS = r"((?:<\d+>[、和跟与及 ]*)+)"
SPOKEN = {
    "先知": "seer", "平民": "villager", "民牌": "villager", "闭眼玩家": "villager", "狩人": "bodyguard",
    "wolf": "werewolf", "狼人": "werewolf", "女孩": "little-girl",
}  # fmt: skip
"""Names of cards in talk, beside the cards' own."""


def _names() -> dict[str, str]:
    """Every name of every card, in all languages, longest first, so that none hides in another."""
    cards = roles()
    own = {name.lower(): id for id, card in cards.items() for name in card.names.values()}
    known = {**own, **{name: id for name, id in SPOKEN.items() if id in cards}}
    return dict(sorted(known.items(), key=lambda one: (-len(one[0]), one[0])))


ROLES = _names()
_ROLE = "(" + "|".join(map(re.escape, ROLES)) + ")"
DIGITS = {char: str(value) for value, char in enumerate("一二三四五六七八九十", 1)} | {"十一": "11", "十二": "12"}
_I_JA = "(?:私|僕|俺|自分|わたし)"


def _re(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


SEAT = re.compile(
    r"(\d{1,2}|十[一二]?|[一二三四五六七八九])\s*号(?:玩家)?|(\d{1,2})\s*番(?:さん)?"
    r"|\b(?:seats?|players?|number|no\.?|p)\s*#?(\d{1,2})\b|#(\d{1,2})\b",
    re.IGNORECASE,
)
BARE = re.compile(r"(查杀|金水|银水|归票|全票|票|归|出|投|踩|保|站边|站|验了?|查验?)(\d{1,2})(?![\d号票天晚夜个轮])")
BARE_FIRST = re.compile(r"(?<![\d第])(\d{1,2})(?=是?(?:我的)?(?:查杀|金水|银水))")
PAIR = re.compile(r"(<\d+>)\s*(?:,\s*)?(?:and|or)\s+(?=<)", re.IGNORECASE)
CLAUSE = re.compile(
    r"[，。；！？,;!?:：\n]|\.(?!\d)|\b(?:and|but|because|so)\b|但是?|所以|因为|だから|しかし", re.IGNORECASE
)
UNREAL = _re("为什么", "如果", "要是", "假如", "假设", "万一", "的话", "もし", r"\b(?:why|if|suppose|would|whether)\b")
REPORTED = _re(
    r"<\d+>\s*(?:也|都|还|就|又|却|先)*(?:说|讲|报|称|声称|认为|觉得|给|发|对|的(?:查杀|金水|银水|验人))",
    r"(?:被|说|听)\s*<\d+>",
    r"<\d+>\s*(?:says?|said|claims?|claimed|thinks?|called|calls|told)\b",
    r"\bby <\d+>",
    "说我",
    r"<\d+>(?:さん)?(?:が|は)[^<]*と言",
)
THIRD = _re(
    r"<\d+>[^<]{0,6}(?:打|踩|保|投|票|点|推|压)(?:的是|了|着|过)?<\d+>",
    r"<\d+>[^<]{0,4}翻(?:牌|出来|开)",
    r"<\d+>又是狼",
)
"""What others did, or a card that lies open: told, not claimed."""
NOT_ME = _re(
    r"(?:我|本人)(?:真的?|绝对|肯定|可)?不是" + _ROLE,
    r"\bI(?:'m| am) not (?:the |an? )?" + _ROLE,
    _I_JA + "は(?:絶対に?|決して)?" + _ROLE + "(?:では|じゃ)(?:ない|ありません)",
)
ME = _re(
    r"(?:我|这里)(?:的)?(?:底牌|身份|牌)?(?:才|就|真的?|其实|确实|也)*"
    r"(?:是|跳)(?:一?[张个名]|真的?|唯一的?|全场唯一的?)*" + _ROLE,
    r"(?:起跳|对?跳)(?:一?[张个])?" + _ROLE,
    r"(?<!是)" + _ROLE + "(?:起?跳|在此)",
    r"\bI(?:'m| am)(?: really| actually| truly)?(?: the| an?)?(?: real| true| only| plain)* " + _ROLE,
    r"\bI claim(?: to be)?(?: the| an?)? " + _ROLE,
    r"\bmy role is(?: the| an?)? " + _ROLE,
    "^ *" + _ROLE + " here",
    _I_JA + "(?:は|が|こそ)(?:本物の|ただの)?" + _ROLE + "(?:です|だ)",
    _ROLE + "(?:CO|を名乗)",
)
GOOD_ME = _re(
    "我(?:真的?|绝对|肯定|确实|就|可)?(?:是(?:一?[张个])?好(?:人|牌)|不是狼(?!人??的))",
    r"\bI(?:'m| am) (?:innocent|good|not (?:a |the )?(?:were)?wolf|on the village)",
    _I_JA + "は(?:村人側|村側|白|人間)(?:です|だ)",
)
_NOT_WOLF = r"(?:不是狼|not (?:a )?(?:were)?wol(?:f|ves)|isn't a (?:were)?wolf|人狼では(?:ない|ありません))"
IS_GOOD = _re(
    _NOT_WOLF, "金水", "好人", "好牌", r"\b(?:good|innocent|clear(?:ed)?|clean|village(?:r)?|human)\b",
    "(?:は|が)(?:白|人間|村人側)", "白(?:です|でした|判定)",
)  # fmt: skip
IS_BAD = _re(
    "查杀", "狼", r"\b(?:were)?wol(?:f|ves)\b", r"\b(?:bad|evil|guilty)\b", "(?:は|が)黒", "黒(?:です|でした|判定)"
)
CHECKED = _re(
    r"(?:验|查验|查(?!杀)|摸)(?:了|过|的是|到|的|出来?)*\s*" + TS,
    r"\b(?:checked|inspected|scried|looked at|my check (?:is|was|on))\s*" + TS,
    TS + r" (?:came (?:up|back|out(?! first))|showed(?: up)?|checked out|is checked)",
    TS + "を占(?:いまし|って|った)",
)
CHECKED_ALONE = _re(
    "(?:我|昨晚|昨夜)(?:验|查)(?:的|过|了)",
    r"^\s*I (?:have )?(?:checked|inspected)(?: (?:it|him|her|them))?\s*$",
    r"\bmy check\s*$",
)
RESULTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "bad",
        _re(
            r"查杀(?:了|是|给)?" + TS,
            TS + r"(?:就?是|吃)?(?:我的?|第\d+[夜晚]的|一?[张个])*查杀",
            "给" + TS + "发(?:了|一?[张个])*查杀",
            TS + r" is my (?:red|wolf|bad) check",
            TS + "は(?:人狼|黒)でした",
        ),
    ),
    (
        "good",
        _re(
            r"金水(?:是|给|发)?" + TS,
            TS + r"(?:就?是)?(?:我的?|第\d+[夜晚]的|一?[张个])*金水",
            "给" + TS + "发(?:了|一?[张个])*金水",
            TS + r" is my (?:good|green|clear) check",
            TS + "は(?:白|人間|村人側)でした",
            TS + "は人狼ではありませんでした",
        ),
    ),
    (
        "saved",
        _re(
            r"银水(?:是|给)?" + TS,
            TS + r"(?:就?是)?(?:我的?|第\d+[夜晚]的|一?[张个])*银水",
            r"救(?:了|的是|起了?)" + TS,
            r"\bI (?:have )?(?:saved|healed) " + TS,
            TS + "を(?:救い|助け)",
        ),
    ),
    ("poisoned", _re(r"毒(?:了|的是|死了?|杀了?|走了)" + TS, r"\bI (?:have )?poisoned " + TS, TS + "に毒を")),
    (
        "guarded",
        _re(r"守(?:了|护了|的是)" + TS, r"\bI (?:have )?(?:guarded|protected) " + TS, TS + "を(?:護衛|守り)"),
    ),
)
SOFT: tuple[tuple[str, bool, re.Pattern[str]], ...] = (
    (
        "vouch",
        False,
        _re(
            TS + r"[^<]{0,4}不(?:太|大|会|可能)*[是像][^<]{0,2}狼",
            TS + r"(?: is| are|'s| does| do)?(?: not|n't)[^<]{0,12}wol(?:f|ves)",
            TS + "は人狼(?:では|に見え)(?:ない|ありません|ません)",
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
            TS + "(?:は|が|こそ)(?:とても|一番|かなり|少し|どうも|やはり)*"
            "(?:怪しい|人狼(?:だ|です|っぽ|に見え(?!な)|で間違い)|黒(?:い|っぽ)|偽|嘘)",
            TS + "を疑(?:って|い|う)",
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
            TS + "は(?:とても|かなり|少し)*(?:白(?:い|っぽ)|信用でき(?!ま?せ|な)|村人側(?:だ|に見え|っぽ))",
        ),
    ),
    (
        "disagree",
        False,
        _re(
            r"(?:不信|不站边?|不相信|不认|不同意|反对)" + TS,
            r"\b(?:disagree with|(?:do not|don't|can't|cannot) (?:believe|buy|trust|follow)) " + TS,
            TS + "(?:は|を)(?:信じ(?:ません|られ|ない)|信用でき(?:ません|ない))",
            TS + "に(?:は)?(?:反対|(?:賛成|同意)でき)",
        ),
    ),
    (
        "agree",
        False,
        _re(
            r"(?<!不)(?:相信|(?<!相)信|站边?|支持|同意|认可|跟着?)(?:的是)?" + TS,
            r"(?<!n't )(?<!not )\b(?:trust|believe|agree with|side with|support|follow) " + TS,
            TS + "を信じ(?:ます|たい|る)",
            TS + "に(?:賛成|同意)(?!でき)",
        ),
    ),
    (
        "vote-call",
        True,
        _re(
            r"(?:别|不要?|先不)(?:投|票|出|归票)(?:给|掉)?" + TS,
            r"\b(?:don't|do not) (?:vote(?: for| out)?|exile) " + TS,
            TS + "(?:に投票しない|を吊らない)",
        ),
    ),
    (
        "vote-call",
        False,
        _re(
            r"(?<![>别不])(?:归票|归|票(?:给|出|打)?|投(?:票)?(?:给)?|全票(?:打飞|出)?|出掉?|放逐)" + TS,
            r"(?<!n't )(?<!not )\b(?:vote(?: for| out| off| with me on)?|exile|lynch|eliminate) " + TS,
            TS + "(?:に投票(?!しな)|を吊(?!らな)|を処刑)",
        ),
    ),
    (
        "plan:check",
        False,
        _re(
            r"今晚(?:我)?(?:会|要|先)?(?:验|查)" + TS,
            r"警徽流[^<]{0,4}" + TS,
            r"先[验查]" + TS,
            r"[再后][验查]" + TS,
            r"\bcheck " + TS + r" (?:tonight|next)",
            TS + "を占(?:います|う)",
        ),
    ),
    ("plan:bite", False, _re(r"(?:刀|咬)" + TS, r"\b(?:bite|kill) " + TS, TS + "を(?:襲|噛)")),
    (
        "ask",
        False,
        _re(
            T + r"[^<]{0,6}(?:怎么看|说说|表个?水|聊聊|解释)",
            r"\b(?:hear (?:more )?from|question for|words from|ask) " + T,
            T + "(?:の(?:意見|考え|話)を聞|はどう思)",
        ),
    ),
)
NIGHT = _re(
    r"第?\s*([一二三四五六七八九]|\d{1,2})\s*[晚夜]", r"\bnight (\d{1,2})\b", r"\bn(\d)\b", r"(\d{1,2})日目の夜"
)
LAST_NIGHT = _re("昨[晚夜]", "ゆうべ", r"\blast night\b")
TONIGHT = ("今晚", "今夜", "警徽流", "先验", "tonight")
