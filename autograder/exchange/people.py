"""Finds the one student who fits everything that a file's path says (a Claim)."""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field

MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
APOSTROPHES = str.maketrans("", "", "'’‘`´ʼ")
WORD = re.compile(r"[^\W_]+")
# letters that Unicode does not decompose into a letter and an accent
LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ħ": "h", "ŋ": "n"}
)
SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
NOBODY = "it names no known student; if the LMS hid the names, turn that off and download again"
SEVERAL = "its name, number and mail address do not fit exactly one student; likely: {}"
NAME, PART = "name", "part of name"


@dataclass
class Person:
    """A student, or what one row of a list says about one. lms_id, participant: as in Claim. others: {kind:
    text} of further ids, such as a login."""

    id: str
    first: str = ""
    last: str = ""
    mail: str = ""
    lms_id: str = ""
    participant: str = ""
    others: dict = field(default_factory=dict)

    @property
    def name(self):
        return f"{self.first} {self.last}".strip()

    @property
    def texts(self):
        """The texts that may identify the student, as in Claim.texts."""
        return list(filter(None, [*self.others.values(), self.mail, self.name]))

    @property
    def label(self):
        return f"{self.id} ({self.name})" if self.id and self.name else self.id or self.name


class People:
    """All known students. all: {id: Person}. ids: {(kind, text): ids} of every text that may identify one."""

    def __init__(self, people):
        self.all, self.ids = {}, defaultdict(set)
        for person in people:
            self.enter(person)

    def enter(self, person):
        self.all[person.id] = person
        keys = [("id", exact(text)) for text in (person.id, *person.others.values())]
        keys += [("mail", exact(person.mail)), ("number", person.lms_id), ("participant", person.participant)]
        keys += [(NAME, key) for key in keys_of(person.name or person.id)]
        for key in keys:
            self.ids[key].add(person.id)

    def find(self, claim, may_be_part=True):
        """(Person, what identified them) if exactly one person fits all evidence; else (None, why not)."""
        pieces = [(how, ids) for how, ids in self.evidence(claim) if ids and (may_be_part or how != PART)]
        if not pieces:
            return None, NOBODY
        how, fitting = pieces[0][0], set.intersection(*(ids for _, ids in pieces))
        likely = [self.all[student] for student in sorted(fitting or set.union(*(ids for _, ids in pieces)))]
        if len(fitting) == 1 and not is_other(likely[0], claim, how):
            return likely[0], how
        return None, SEVERAL.format(", ".join(person.label for person in likely))

    def evidence(self, claim):
        """[(kind, matching ids)] for each thing that the claim says, the most certain first."""
        keys = [("number", claim.lms_id), ("participant", claim.participant)]
        keys += [("id", exact(text)) for text in (claim.id, *claim.texts)]
        keys += [("mail", mail) for mail in mails_in(claim)]
        pieces = [(key[0], self.ids.get(key)) for key in keys if key[1]]
        for text in claim.texts:
            ids = set().union(*(self.ids.get((NAME, key), ()) for key in keys_of(text)))
            pieces.append((NAME, ids) if ids else (PART, self.of_part(text)))
        return pieces

    def of_part(self, text):
        """Ids of people whose name contains all words of the text, or the reverse (no middle name)."""
        parts = set(words(text))
        pairs = [(person.id, set(words(person.name))) for person in self.all.values() if len(parts) > 1]
        return {student for student, own in pairs if len(own) > 1 and (parts <= own or own <= parts)}

    def find_each(self, rows):
        """find() for each row, without matches by part of a name, and without a person whom two rows
        match."""
        matches = [self.find(row, may_be_part=False) for row in rows]
        counts = Counter(person.id for person, _ in matches if person)
        return [(person if person and counts[person.id] == 1 else None, how) for person, how in matches]


def mails_in(claim):
    return [exact(mail) for text in claim.texts for mail in MAIL.findall(text)]


def is_other(person, claim, how):
    """Is the claim's LMS number, or its mail address if only the name matched, another person's?"""
    numbers, mails = {person.lms_id, claim.lms_id} - {""}, set(mails_in(claim)) - {exact(person.mail)}
    return len(numbers) > 1 or bool(how in (NAME, PART) and person.mail and mails)


def exact(text):
    """The text in one case and one Unicode form, without apostrophes."""
    return unicodedata.normalize("NFC", text).casefold().translate(APOSTROPHES)


def words(text):
    """The words of a text, in lower case and without accents."""
    letters = unicodedata.normalize("NFKD", exact(text))
    return WORD.findall("".join(c for c in letters if not unicodedata.combining(c)).translate(LETTERS))


def keys_of(name):
    """Keys to look up a name: its words in sorted order, and joined as Canvas joins them, starting with any
    word; with Mueller for Müller, and with Muller."""
    keys = set()
    for parts in (words(name), words(exact(name).translate(SPELT_OUT))):
        keys |= {" ".join(sorted(parts)), *("".join(parts[n:] + parts[:n]) for n in range(len(parts)))}
    return keys - {""}
