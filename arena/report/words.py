"""The words of a report, in both languages."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "title": ("Evaluation", "评测报告"),
    "games": ("games", "局"),
    "blocks": ("deals", "组牌"),
    "failed": ("without a result", "无结果"),
    "agent": ("agent", "玩家"),
    "village": ("village", "好人"),
    "wolves": ("wolves", "狼人"),
    "leaderboard": ("Skill by side", "分阵营实力"),
    "leaderboard.why": (
        "Role-split Bradley–Terry in log-odds; bars are 95 % intervals from redrawing deals, brackets the ranks they "
        "allow.",
        "分角色 Bradley–Terry，单位为对数胜率比；横线是按牌局重抽样的 95% 区间，方括号是名次区间。",
    ),
    "unidentified": (
        "These games cannot tell village and wolf skill apart (rank {rank} of {needed}): do not read the skills.",
        "这些对局无法区分好人与狼人实力（秩 {rank}，需要 {needed}）：以下实力不可解读。",
    ),
    "matrix": ("Village wins by pairing", "各对阵的好人胜率"),
    "matrix.why": (
        "Rows: who played the village. Columns: who played the wolves.",
        "行：好人由谁扮演；列：狼人由谁扮演。",
    ),
    "lift": ("Vote lift over chance", "投票高于随机的幅度"),
    "lift.why": (
        "How much more often than chance a village vote falls on a wolf; 0 is chance. Hollow: chance by what the voter "
        "knew for certain.",
        "好人的票投中狼人比随机高多少；0 为随机。空心点按投票者确知的信息计算随机值。",
    ),
    "calibration": ("Calibration of suspicion", "怀疑的校准"),
    "calibration.why": ("On the dashed line a probability means what it says.", "落在虚线上表示概率名副其实。"),
    "labels": ("What was claimed", "所述真伪"),
    "labels.why": (
        "Judged by the engine's truth and by what the speaker could know.",
        "依据引擎的真相与说话者可知的信息判定。",
    ),
    "scatter": ("Wolf against village skill", "狼人实力与好人实力"),
    "cost": ("Tokens against vote lift", "用量与投票质量"),
    "cost.why": ("Thousand tokens per game, both ways.", "每局千 token，收发合计。"),
    "seats": ("Seat bias", "座位偏差"),
    "seats.why": ("Share of games won by who sat there.", "坐在该座位者的胜率。"),
    "game": ("A game: {name}", "一局示例：{name}"),
    "heat": ("Belief over time", "怀疑随时间的变化"),
    "heat.why": ("The village's mean suspicion of each seat, day by day.", "好人对每个座位的平均怀疑，按天。"),
    "suspicion": ("Who suspected whom at the end", "终局时谁怀疑谁"),
    "suspicion.why": ("Rows suspect columns; wolves are marked.", "行怀疑列；狼人有标记。"),
    "flow": ("Where the votes went", "票的流向"),
    "claims": ("Claims in order", "发言声明时间线"),
    "claims.why": ("Each mark is a claim, coloured by its label.", "每个标记是一条声明，颜色为判定。"),
    "versus": ("Against {name}, same deals and seats", "与 {name} 在同牌同座下相比"),
    "win.v": ("wins, village", "好人胜率"),
    "win.w": ("wins, wolves", "狼人胜率"),
    "skill.v": ("skill, village", "好人实力"),
    "skill.w": ("skill, wolves", "狼人实力"),
    "auroc": ("AUROC", "AUROC"),
    "brier": ("Brier skill", "Brier 技巧"),
    "talk": ("talk gain, bits", "听言增益(bit)"),
    "lies": ("hard lies, wolves", "狼人硬谎率"),
    "stealth": ("stealth", "隐蔽"),
    "fallback": ("fallbacks", "代答率"),
    "gain": ("gain", "差值"),
    "day": ("day {n}", "第 {n} 天"),
    "seat": ("seat", "座位"),
    "chance": ("chance", "随机"),
    "nobody": ("nobody", "弃票"),
    "belief": ("believed", "所信概率"),
    "share": ("were wolves", "实为狼人"),
    "ktok": ("k tokens per game", "每局千 token"),
    "table": ("Headline numbers", "主要数字"),
    "table.why": (
        "With 95 % intervals; at chance AUROC is .5 and Brier skill 0.",
        "附 95% 区间；随机水平下 AUROC 为 .5，Brier 技巧为 0。",
    ),
    "by-lang": ("Vote lift by language", "各语言的投票提升"),
    "LIE": ("lie", "说谎"),
    "TRUTHFUL": ("truthful", "属实"),
    "MISTAKE": ("mistake", "误判"),
    "SOFT_LIE": ("soft lie", "违心之言"),
    "SINCERE": ("sincere, true", "真诚且对"),
    "ACCIDENTAL_TRUTH": ("true by accident", "误打误撞"),
    "UNPROBED_FALSE": ("false, belief unknown", "不实，信念未知"),
    "UNPROBED_TRUE": ("true, belief unknown", "属实，信念未知"),
    "NONE": ("not judged", "不判定"),
}


class Words:
    """The words in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = "zh" if lang == "zh" else "en"

    def __call__(self, key: str, **parts: object) -> str:
        text = WORDS[key][self.lang == "zh"]
        return text.format(**parts) if parts else text
