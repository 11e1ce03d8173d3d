"""A Claim -> Match: the one student whom everything fits that a file, or a row, says of its student."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from .claim import Claim
from .names import exact, keys_of, without_accents, words

MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SEVERAL = "this is the name of several people"
NOBODY = "nobody of this name is known"
CONTRADICTION = "it names {}"
OTHER = "it looks like {}, but has another number or mail address"
PART = "part of name"
LIKELY, MOST = 70, 3  # of 100, for a suggestion


@dataclass
class Person:
    """One student. lms_id, participant: numbers in the LMS, everywhere and in one assignment. others: more
    ids, such as a login, {what it is: text}."""

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
    def label(self):
        number = self.id or self.participant or self.lms_id
        return f"{number} ({self.name})" if self.id and self.name else self.name or number

    @property
    def claim(self):
        """What a list says of this person, to be looked up in another one."""
        texts = filter(None, [self.id, *self.others.values(), self.mail, self.name])
        return Claim("list", list(texts), lms_id=self.lms_id, participant=self.participant)


@dataclass
class Match:
    """person: None where it is doubtful; then reason says why, and candidates are likely ones."""

    person: Person | None = None
    how: str = ""
    reason: str = ""
    candidates: list = field(default_factory=list)


class People:
    """All known students, to be looked up. ids: {(what it is, text): ids} of all by which they are known."""

    def __init__(self, people):
        self.all, self.ids = {}, defaultdict(set)
        for person in people:
            self.enter(person)

    def enter(self, person):
        self.all[person.id] = person
        keys = [("id", exact(text)) for text in (person.id, *person.others.values())]
        keys += [("mail", exact(person.mail)), ("lms", person.lms_id), ("participant", person.participant)]
        keys += [("name", key) for key in keys_of(person.name or person.id)]
        for kind, text in keys:
            if text:
                self.ids[kind, text].add(person.id)

    def ids_of(self, kind, text):
        return self.ids.get((kind, text), set())

    def of_id(self, text):
        return [self.all[student] for student in self.ids_of("id", exact(text))]

    def find(self, claim, may_be_part=True):
        """The one who is left when everything that it says has to fit."""
        pieces = [(how, ids) for how, ids in self.evidence(claim) if ids and (may_be_part or how != PART)]
        if not pieces:
            return Match(reason=NOBODY if claim.names else claim.nameless)
        how, left = pieces[0][0], set.intersection(*(ids for _, ids in pieces))
        if len(left) != 1:
            candidates = sorted(left or set.union(*(ids for _, ids in pieces)))
            reason = SEVERAL if left else CONTRADICTION.format(" and ".join(candidates))
            return Match(reason=reason, candidates=[self.all[student] for student in candidates])
        person = self.all[left.pop()]
        if is_other(person, claim, how):
            return Match(reason=OTHER.format(person.label), candidates=[person])
        return Match(person, how)

    def evidence(self, claim):
        """(how, ids of whom it fits) for all that it says, the surest first."""
        if claim.student is not None:
            return [("id", self.ids_of("id", exact(claim.student)))]
        numbers = ("lms", claim.lms_id), ("participant", claim.participant)
        pieces = [("id", self.ids_of(*number)) for number in numbers]
        pieces += [("id", self.ids_of("id", exact(text))) for text in claim.names]
        pieces += [("mail", self.ids_of("mail", mail)) for mail in mails_in(claim)]
        for text in claim.names:
            ids = self.of_name(text)
            pieces.append(("name", ids) if ids else (PART, self.of_part(text)))
        return pieces

    def of_name(self, text):
        """Whose whole name it is, in any order of its words. Moodle writes a group and - before a name."""
        rests = [text[n + 1 :] for n, c in enumerate(text) if c == "-"]
        names = [text, *(rest for rest in rests if len(words(rest)) > 1)]
        matches = (set().union(*(self.ids_of("name", key) for key in keys_of(name))) for name in names)
        return next(filter(None, matches), set())

    def of_part(self, text):
        """One of two names has further words: a second first name, or a word that is no name."""
        parts = set(words(text))
        pairs = [(person.id, set(words(person.name))) for person in self.all.values() if len(parts) > 1]
        return {student for student, own in pairs if len(own) > 1 and (parts <= own or own <= parts)}

    def find_each(self, claims):
        """[Match] of two lists: not by a part of the name, and nobody whom several of the claims fit."""
        matches = [self.find(claim, may_be_part=False) for claim in claims]
        counts = Counter(match.person.id for match in matches if match.person)
        return [match if match.person and counts[match.person.id] == 1 else Match() for match in matches]

    def likely(self, texts):
        """Whose name or id is nearly the same. They are shown, and decide nothing."""
        spellings = {
            (person.id, text): without_accents(text)
            for person in self.all.values()
            for text in (person.name, person.last + person.first, person.id)
        }
        scores = Counter()
        for text in map(without_accents, texts):
            near = process.extract(text, spellings, scorer=fuzz.WRatio, limit=3 * MOST, score_cutoff=LIKELY)
            for _, score, (student, _) in near:
                scores[student] = max(score, scores[student])
        return [self.all[student] for student, _ in scores.most_common(MOST)]


def person_of(student, about):
    """about: a row of nbgrader's gradebook."""
    texts = about.first_name, about.last_name, about.email, about.lms_user_id
    return Person(student, *(text or "" for text in texts))


def mails_in(claim):
    return [exact(mail) for text in claim.names for mail in MAIL.findall(text)]


def is_other(person, claim, how):
    """Has it a number of the LMS, or beside a mere name a mail address, that is not this person's?"""
    if person.lms_id and claim.lms_id and person.lms_id != claim.lms_id:
        return True
    return bool("name" in how and person.mail and set(mails_in(claim)) - {exact(person.mail)})
