"""One card that is asked: an answer, a look at the back or a rating comes in, a page goes out: (HTML, text).

One fact is kept for each visit: the first answer that is judged, or the rating after the back was seen.
"""

from ..cards import sentence
from ..due import lesson_here
from ..judge import judge
from ..memory import Fact, now, remember
from ..typed import Unreadable, kind_of
from .pages import back, joined, verdict

PREFIX = "card:"
RATINGS = {"knew": True, "partly": False, "not": False}
BUTTONS = {"yes": "knew", "no": "not"}  # what the buttons say
RATE = 'How well did you know it? `flashcards.rate("knew")`, `"partly"` or `"not"`.'
TRY = "Answer again, or see the answer: `flashcards.reveal()`."
FIRST = "Your first answer is the one that is remembered."
SURE = "`sure` is True or False, or left out: your answer was not counted."
NO_CHECK = "No program can judge this one: compare your answer with the one below."
NOT_SEEN = "See the answer first, then rate."
KEPT = "This card is answered, and that is kept."
NO_RATING = 'Rate with "knew", "partly" or "not"; {} came.'
RATED = {
    "knew": "Kept: it comes back later.",
    "partly": "Kept as one to see again soon: a half answer is what the follow-up finds.",
    "not": "Kept as one to see again soon.",
}
MORE = "`flashcards.next()` asks the next one."
LAST = "`flashcards()` asks others."


class Visit:
    """card: what is asked. kept: is there a fact of this visit? seen: was the back shown? then: the sentence
    on what comes next. more: is there another card after it?"""

    def __init__(self, card, then=LAST):
        self.card, self.then, self.more = card, then, then == MORE
        self.kept = self.seen = False

    def answer(self, typed=None, sure=None):
        """Judge what was typed; where nothing can judge it, show the back to compare with."""
        if not (sure is None or isinstance(sure, bool)):
            return sentence(SURE)
        if self.card.check is None:
            return joined(sentence(NO_CHECK), self.reveal())
        try:
            found = judge(self.card.check, typed)
        except Unreadable as unreadable:
            return sentence(in_our_words(str(unreadable), self.card.name))
        if self.seen and not self.kept:  # it was read off the back: only a rating says what was known
            return verdict(self.card, found)
        problem = self.keep(found.right, sure)
        if found.right:
            return joined(verdict(self.card, found, [problem]), self.reveal())
        return verdict(self.card, found, [FIRST, problem])

    def reveal(self):
        """The back of the card."""
        self.seen = True
        return back(self.card)

    def rate(self, word=None):
        """Keep how well it was known, unless an answer was judged already."""
        name = word.strip().lower() if isinstance(word, str) else None
        name = BUTTONS.get(name, name)
        if name not in RATINGS:
            return sentence(NO_RATING.format("nothing" if word is None else kind_of(word)))
        if self.kept or not self.seen:
            return sentence(KEPT if self.kept else NOT_SEEN)
        problem = self.keep(RATINGS[name])
        return sentence(*filter(None, [RATED[name], problem]))

    def keep(self, right, sure=None):
        """Remember the first result of this visit; "" or the sentence that says why that did not work."""
        if self.kept:
            return ""
        self.kept = True
        return remember(Fact(PREFIX + self.card.name, now(), right, sure, lesson_here())) or ""

    def what_now(self):
        """What to type next; "" while the question is open."""
        if self.seen and not self.kept:
            return RATE
        if self.kept and not self.seen:
            return TRY
        return self.then if self.kept else ""


def in_our_words(text, name):
    """A sentence of predict()'s, with the call that answers a card."""
    return text.replace(f'predict("{name}", ', "flashcards.answer(")
