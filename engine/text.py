"""What people and models say is untrusted: one bounded line without control characters."""

import re
import unicodedata

TEXT_LIMIT = 2000  # characters in one utterance

_PLAIN = re.compile(r"[\x20-\x7e一-鿿　-〿！-～]*")
_SPACES = re.compile(r"\s+")


def clean(text: str) -> str:
    """One line of text: control, format and private characters removed, white space folded."""
    if not _PLAIN.fullmatch(text):
        text = "".join(" " if char.isspace() else "" if unicodedata.category(char)[0] == "C" else char for char in text)
    return _SPACES.sub(" ", text).strip()
