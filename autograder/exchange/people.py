"""A Claim -> Match: whose the file is, by id, then by mail address, then by name."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain

from rapidfuzz import fuzz, process

from .names import FORMS, exact, keys_of, without_accents, words

MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SEVERAL = "this is the name of several people"
NOBODY = "nobody of this name is known"
TWO = "its number says {}, its name {}"
OTHER_NUMBER = "the LMS's number of this name is {} elsewhere, and {} here"
OTHER_MAIL = "its mail address is not {}, which belongs to this name"
BY_NAME = "name", "part of name"
LIKELY, MOST = 70, 3  # of 100, for a suggestion


@dataclass
class Person:
    """One student. lms_id, participants: numbers in the LMS, everywhere and in single assignments. others:
    more ids, such as a login."""

    id: str
    first: str = ""
    last: str = ""
    mail: str = ""
    lms_id: str = ""
    participants: set = field(default_factory=set)
    others: set = field(default_factory=set)

    @property
    def name(self):
        return f"{self.first} {self.last}".strip()

    @property
    def label(self):
        return f"{self.id} ({self.name})" if self.name else self.id


@dataclass
class Match:
    """person: None where it is doubtful; then reason says why, and candidates are likely ones."""

    person: Person | None = None
    how: str = ""
    reason: str = ""
    candidates: list = field(default_factory=list)


class People:
    """All known students, to be looked up."""

    def __init__(self, people):
        self.all = list(people)
        self.ids, self.mails, self.numbers = (defaultdict(list) for _ in range(3))
        self.names = {form: defaultdict(list) for form in FORMS}
        for person in self.all:
            self.enter(person)

    def enter(self, person):
        for text in {person.id, *person.others} - {""}:
            self.ids[exact(text)].append(person)
        self.mails[exact(person.mail)].append(person)
        for number in {("lms", person.lms_id), *(("participant", n) for n in person.participants)}:
            self.numbers[number].append(person)
        for form in FORMS:
            for key in keys_of(person.name or person.id, form):
                self.names[form][key].append(person)

    def find(self, claim):
        """By the number of the LMS, else by what the texts say; where the two disagree it is a doubt."""
        if claim.student is not None:
            return only(self.ids.get(exact(claim.student)), "id") or self.nobody([claim.student])
        numbers = {"lms": claim.lms_id, "participant": claim.participant}
        by_number = only(chain(*(self.numbers.get(pair, []) for pair in numbers.items() if pair[1])), "id")
        by_name = self.named(claim)
        person, whole_name = by_name.person, by_name.how == "name"
        if by_number and by_number.person:
            if person and whole_name and person is not by_number.person:
                both = [by_number.person, person]
                return Match(reason=TWO.format(*(p.id for p in both)), candidates=both)
            return by_number
        mails = {exact(mail) for text in claim.names for mail in MAIL.findall(text)}
        if by_name.how in BY_NAME and person.mail and mails - {exact(person.mail)}:
            return Match(reason=OTHER_MAIL.format(person.mail), candidates=[person])
        if person and person.lms_id and claim.lms_id and person.lms_id != claim.lms_id:
            return Match(reason=OTHER_NUMBER.format(person.lms_id, claim.lms_id), candidates=[person])
        return by_name

    def named(self, claim):
        """By id, mail address or name, in the first text that says one. Texts that name two are a doubt."""
        matches = [match for text in claim.names if (match := self.match_text(text))]
        people = {match.person.id: match.person for match in matches if match.person}
        if len(people) > 1:
            return Match(reason="it names " + " and ".join(people), candidates=list(people.values()))
        if matches:
            return next((match for match in matches if match.person), matches[0])
        if claim.names:
            return self.nobody(claim.names)
        return Match(reason=claim.nameless)

    def match_text(self, text):
        """The Match of one text; None when it says nobody. Moodle writes a group and - before a name."""
        mail = MAIL.search(text)
        by_mail = only(self.mails.get(exact(mail[0])), "mail") if mail else None
        match = only(self.ids.get(exact(text)), "id") or by_mail or self.by_name(text)
        rests = [text[n + 1 :] for n, c in enumerate(text) if c == "-"]
        by_rest = (self.by_name(rest) for rest in rests if len(words(rest)) > 1)
        return match or next(filter(None, by_rest), None) or self.by_part(text)

    def by_name(self, text):
        """The whole name, in any order of its words."""
        for form in FORMS:
            parts = words(text, form)
            for key in (" ".join(sorted(parts)), "".join(parts)):
                if people := self.names[form].get(key):
                    return only(people, "name")
        return None

    def by_part(self, text):
        """One of two names has further words: a second first name, or a word that is no name."""
        parts = set(words(text))
        pairs = [(person, set(words(person.name))) for person in self.all]
        people = [person for person, own in pairs if len(parts & own) >= 2 and (parts <= own or own <= parts)]
        return only(people, "part of name")

    def nobody(self, texts):
        """With whose name or id is nearly the same. They are shown, and decide nothing."""
        spellings = [
            (person, without_accents(text))
            for person in self.all
            for text in (person.name, person.last + person.first, person.id)
        ]
        scores = {}
        for text in texts:
            near = process.extract(
                without_accents(text), [text for _, text in spellings], scorer=fuzz.WRatio,
                limit=3 * MOST, score_cutoff=LIKELY,
            )  # fmt: skip
            for _, score, number in near:
                student = spellings[number][0].id
                scores[student] = max(score, scores.get(student, 0))
        best = sorted(scores, key=lambda student: (scores[student], student), reverse=True)[:MOST]
        return Match(reason=NOBODY, candidates=[self.ids[exact(student)][0] for student in best])


def only(people, how):
    """Of one person a Match with that person, of several a doubt, of none None."""
    different = list({person.id: person for person in people or ()}.values())
    if len(different) > 1:
        return Match(reason=SEVERAL, candidates=different)
    return Match(different[0], how) if different else None
