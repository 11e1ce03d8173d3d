"""Names of people -> keys that two spellings of one name have in common."""

import re
import unicodedata

APOSTROPHES = str.maketrans("", "", "'’‘`´ʼ")
WORD = re.compile(r"[^\W_]+")
# letters that Unicode does not take apart into a letter and an accent
LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ħ": "h", "ŋ": "n"}
)
SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def exact(text):
    """In one case and one form of Unicode; without apostrophes."""
    return unicodedata.normalize("NFC", text).casefold().translate(APOSTROPHES)


def without_accents(text):
    apart = unicodedata.normalize("NFKD", exact(text))
    return "".join(c for c in apart if not unicodedata.combining(c)).translate(LETTERS)


def words(text):
    return WORD.findall(without_accents(text))


def keys_of(name):
    """Its words in any order, and run together, as Canvas names files, whichever of them comes first; with
    Mueller for Müller, and with Muller."""
    keys = set()
    for parts in (words(name), words(exact(name).translate(SPELT_OUT))):
        keys |= {" ".join(sorted(parts)), *("".join(parts[n:] + parts[:n]) for n in range(len(parts)))}
    return keys - {""}
