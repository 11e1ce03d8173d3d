"""Finds the one student who fits everything that a part of a path, or a row of a list, says."""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from autograder.gradebook.standing import StudentInfo
from autograder.notes import LONGEST_QUOTATION as LONGEST
from autograder.notes import clean
from autograder.tables import first_of

from . import sentences
from .lms import contradict

MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
APOSTROPHES = str.maketrans("", "", "'’‘`´ʼ")
WORD = re.compile(r"[^\W_]+")
# letters that Unicode does not decompose into a letter and an accent
LETTERS = str.maketrans("øłđıðħŋ", "oldidhn") | str.maketrans({"æ": "ae", "œ": "oe", "þ": "th"})
SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


@dataclass
class Person:
    """A student, or what one row of a list says about one. lms_id, participant, texts: as in Claim. others:
    {kind: text} of further ids, such as a login."""

    id: str
    first: str = ""
    last: str = ""
    mail: str = ""
    lms_id: str = ""
    participant: str = ""
    others: dict = field(default_factory=dict)
    or_number = ()  # a list's numbers are certain

    def __post_init__(self):
        self.first, self.last = (clean(text, LONGEST).strip() for text in (self.first, self.last))

    @property
    def name(self):
        return f"{self.first} {self.last}".strip()

    @property
    def texts(self):
        return list(filter(None, [*self.others.values(), self.mail, self.name]))

    @property
    def about(self):
        return StudentInfo(self.first, self.last, self.mail, self.lms_id)

    @property
    def label(self):
        return f"{self.id} ({self.name})" if self.id and self.name else self.id or self.name


class People:
    """All known students. all: {id: Person}. ids: {(kind, text): ids} of every text that identifies one."""

    def __init__(self, people):
        self.all, self.ids = {}, defaultdict(set)
        for person in people:
            self.enter(person)

    def enter(self, person):
        self.all[person.id] = person
        ids, name = [person.id, *person.others.values()], person.name or person.id
        keys = [("id", exact(text)) for text in ids]
        keys += [("mail", exact(text)) for text in (person.mail, *ids) if "@" in text]
        keys += [("number", person.lms_id), ("participant", person.participant)]
        keys += [
            ("name", key) for text in (name, *(f"{name} {own}" for own in ids)) for key in keys_of(text, True)
        ]
        for key in keys:
            self.ids[key].add(person.id)

    def find(self, claim):
        """(Person, what identified them) if exactly one person fits all evidence; else (None, why not)."""
        pieces = self.evidence(claim)
        fitting, how = set.intersection(*(ids for _, ids in pieces)) if pieces else set(), [*dict(pieces)][:1]
        person = self.all[min(fitting)] if len(fitting) == 1 else None
        if person and contradict(person, claim):
            return None, sentences.other_number.format(person.label)
        if person and not self.is_contradicted(person, claim, dict(pieces)):
            return person, how[0]
        likely = fitting or set().union(*(ids for _, ids in pieces)) or self.similar(claim)
        return None, sentences.several.format(self.labels(likely)) if likely else sentences.nobody

    def is_contradicted(self, person, claim, pieces):
        """Does the claim say more than what identified the person, and something else? With a name, another
        mail address; with an address, words that are not the person's; with two numbers, no name."""
        (how, *_), mails = pieces, set(mails_in(claim))
        rest = words(" ".join(MAIL.sub(" ", text) for text in claim.texts if MAIL.search(text)))
        own = words(" ".join([person.id, *person.texts]))
        return {
            "name": bool(person.mail) and bool(mails - {exact(person.mail)}),
            "mail": not set(rest) <= set(own),
            "number": bool(claim.or_number and person.name) and "name" not in pieces,
        }.get(how, False)

    def labels(self, students):
        return first_of([self.all[student].label for student in sorted(students)], 5)

    def evidence(self, claim):
        """[(kind, ids that match)] for each thing that the claim says and somebody matches, the most certain
        first."""
        numbers = [claim.lms_id], *([number] for number in claim.or_number)
        keys = [*(("number", number) for number in numbers), ("participant", [claim.participant])]
        keys += [("id", [exact(text)]) for text in (claim.id, *claim.texts)]
        keys += [("mail", [mail]) for mail in mails_in(claim)]
        keys += [("name", keys_of(text)) for text in claim.texts]
        pieces = [
            (kind, set().union(*(self.ids.get((kind, t), ()) for t in texts if t))) for kind, texts in keys
        ]
        return [(kind, ids) for kind, ids in pieces if ids]

    def similar(self, claim):
        """Ids of people whose id is a word of the claim, or whose name has all of its words, or the reverse;
        only to suggest them."""
        parts = set(words(" ".join((claim.id, *claim.texts))))
        names = {person.id: set(words(person.name)) for person in self.all.values() if parts and person.name}
        near = {student for student, name in names.items() if parts <= name or name <= parts}
        return near.union(*(self.ids.get(("id", part), ()) for part in parts))

    def find_each(self, rows):
        """find() for each row, without a person whom two rows match."""
        matches = [self.find(row) for row in rows]
        counts = Counter(person.id for person, _ in matches if person)
        return [(person if person and counts[person.id] == 1 else None, how) for person, how in matches]


def person_of(student, about):
    name = about.first_name or "", about.last_name or ""
    return Person(student, *name, about.email or "", about.lms_user_id or "")


def mails_in(claim):
    return [exact(mail) for text in claim.texts for mail in MAIL.findall(text)]


def exact(text):
    """The text in one case and one Unicode form, without apostrophes."""
    return unicodedata.normalize("NFC", text).casefold().translate(APOSTROPHES)


def words(text):
    """The words of a text, in lower case and without accents."""
    letters = unicodedata.normalize("NFD", exact(text))
    return WORD.findall("".join(c for c in letters if not unicodedata.combining(c)).translate(LETTERS))


def keys_of(name, known=False):
    """Keys to look up a name: its words in sorted order, and joined as in Canvas, from any word on; of Müller
    also Mueller and Muller. Joined words match only a single word. known: is it a student's? A text with
    invisible characters has none."""
    keys = set()
    if not name.isprintable():
        return keys
    for parts in (words(name), words(exact(name).translate(SPELT_OUT))):
        joined = {"".join(parts[n:] + parts[:n]) for n in range(len(parts))}
        marked = {f"+{text}" for text in joined} if known or len(parts) == 1 else set()
        keys |= {" ".join(sorted(parts))} | marked | (set() if known else joined)
    return keys - {""}
