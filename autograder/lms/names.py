"""Names of people -> keys by which two spellings of one name are found to be the same."""

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


def spelt_out(text):
    """Mueller for Müller."""
    return without_accents(exact(text).translate(SPELT_OUT))


FORMS = exact, without_accents, spelt_out


def words(text, form=without_accents):
    return tuple(WORD.findall(form(text)))


def in_any_order(text, form):
    """Ada Lovelace and Lovelace, Ada have the same."""
    return " ".join(sorted(words(text, form)))


def run_together(text, form):
    """{the words without spaces, whichever of them comes first}: Canvas names files so."""
    found = words(text, form)
    return {"".join(found[n:] + found[:n]) for n in range(max(1, len(found)))} - {""}
