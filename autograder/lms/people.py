"""A Claim -> Match: whose the file is, by id, then by mail address, then by name."""

from collections import defaultdict
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from .names import FORMS, exact, in_any_order, run_together, without_accents, words
from .naming import MAIL

SEVERAL = "this is the name of several people"
NOBODY = "nobody of this name is known"
NAMELESS = {
    "Canvas": "Canvas hid the name: turn off anonymous grading, and download again",
    "Moodle": "Moodle hid the name: reveal student identities in the assignment, and download again",
}
TWO = "its number says {}, its name {}"
OTHER_NUMBER = "Canvas' number of this name is {} elsewhere, and {} here"
OTHER_MAIL = "its mail address is not {}, which belongs to this name"
BY_NAME = "name", "part of name"
LIKELY, MOST = 70, 3  # of 100, for a suggestion


@dataclass
class Person:
    """One student. lms_id: Canvas' number. participants: Moodle's numbers, another one in each assignment.
    others: more ids, such as a login."""

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
        self.ids, self.mails, self.numbers, self.participants = (defaultdict(list) for _ in range(4))
        self.keys = {form: defaultdict(list) for form in FORMS}
        for person in self.all:
            self.enter(person)

    def enter(self, person):
        for text in {person.id, *person.others} - {""}:
            self.ids[exact(text)].append(person)
        if person.mail:
            self.mails[exact(person.mail)].append(person)
        if person.lms_id:
            self.numbers[person.lms_id].append(person)
        for number in person.participants:
            self.participants[number].append(person)
        for form in FORMS:
            name = person.name or person.id
            for key in {in_any_order(name, form), *run_together(name, form)} - {""}:
                self.keys[form][key].append(person)

    def find(self, claim):
        """The Match of a claim."""
        if claim.student is not None:
            return one_of(self.ids[exact(claim.student)], "id") or self.nobody([claim.student])
        by_number = one_of(self.numbered(claim), "id")
        by_name = self.named(claim)
        if by_number and by_name.person and by_name.how == "name" and by_name.person is not by_number.person:
            both = [by_number.person, by_name.person]
            return Match(reason=TWO.format(*(person.id for person in both)), candidates=both)
        if by_number and by_number.person:
            return by_number
        mails = {exact(mail) for text in claim.names for mail in MAIL.findall(text)}
        if by_name.how in BY_NAME and by_name.person.mail and mails - {exact(by_name.person.mail)}:
            return Match(reason=OTHER_MAIL.format(by_name.person.mail), candidates=[by_name.person])
        known = by_name.person.lms_id if by_name.person and claim.kind == "Canvas" else ""
        if known and claim.lms_id and known != claim.lms_id:
            return Match(reason=OTHER_NUMBER.format(known, claim.lms_id), candidates=[by_name.person])
        return by_name

    def numbered(self, claim):
        known = {"Canvas": self.numbers, "Moodle": self.participants}.get(claim.kind, {})
        return known.get(claim.lms_id, [])

    def named(self, claim):
        """By id, mail address or name, in the first text that says one. Texts that name two are a doubt."""
        matches = [match for text in claim.names if (match := self.says(text, claim.kind))]
        sure = [match for match in matches if match.person]
        if len({match.person.id for match in sure}) > 1:
            people = list({match.person.id: match.person for match in sure}.values())
            return Match(reason="it names " + " and ".join(p.id for p in people), candidates=people)
        if sure or matches:
            return (sure or matches)[0]
        return self.nobody(claim.names) if claim.names else Match(reason=nameless(claim))

    def says(self, text, kind):
        """The Match of one text; None when it says nobody."""
        found = one_of(self.ids[exact(text)], "id") if exact(text) in self.ids else None
        mail = MAIL.search(text)
        if mail and exact(mail[0]) in self.mails:
            found = found or one_of(self.mails[exact(mail[0])], "mail")
        found = found or self.by_name(text) or (self.behind_group(text) if kind == "Moodle" else None)
        return found or self.by_part(text)

    def by_name(self, text):
        """The whole name, in any order of its words."""
        for form in FORMS:
            for key in (in_any_order(text, form), "".join(words(text, form))):
                if key in self.keys[form]:
                    return one_of(self.keys[form][key], "name")
        return None

    def by_part(self, text):
        """One of two names has further words: a second first name, or a word that is no name."""
        said, found = set(words(text)), []
        if len(said) < 2:
            return None
        for person in self.all:
            own = set(words(person.name))
            if len(said & own) >= 2 and (said <= own or own <= said):
                found.append(person)
        return one_of(found, "part of name")

    def behind_group(self, text):
        """Moodle writes a group's name and a hyphen before the student's."""
        groups = [text[n + 1 :] for n, letter in enumerate(text) if letter == "-"]
        found = (self.by_name(rest) for rest in groups if len(words(rest)) > 1)
        return next(filter(None, found), None)

    def nobody(self, texts):
        return Match(reason=NOBODY, candidates=self.suggestions(texts))

    def suggestions(self, texts):
        """Whose name or id is nearly the same. They are shown, and decide nothing."""
        spellings = [
            (person, without_accents(text))
            for person in self.all
            for text in (person.name, person.last + person.first, person.id)
        ]
        ranked = {}
        for text in texts:
            near = process.extract(
                without_accents(text), [text for _, text in spellings], scorer=fuzz.WRatio,
                limit=3 * MOST, score_cutoff=LIKELY,
            )  # fmt: skip
            for _, score, number in near:
                person = spellings[number][0]
                ranked[person.id] = max((score, person.id), ranked.get(person.id, (0, "")))
        best = sorted(ranked, key=ranked.get, reverse=True)[:MOST]
        return [self.ids[exact(student)][0] for student in best]


def one_of(people, how):
    """Of one person a Match with that person, of several a doubt, of none nothing."""
    different = list({person.id: person for person in people}.values())
    if len(different) > 1:
        return Match(reason=SEVERAL, candidates=different)
    return Match(different[0], how) if different else None


def nameless(claim):
    return NAMELESS.get(claim.kind, "its name says no student")
