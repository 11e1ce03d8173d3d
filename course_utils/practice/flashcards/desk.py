"""flashcards(...): what a learner calls."""

from ...show.card import display_both
from ...show.tables import tag
from .. import log
from ..ask import show
from ..card import Card, Refusal, as_html, for_learners, say, verdict
from ..due import due_again, history
from ..judge import judge
from ..session import check_name
from ..typed import SAMPLES, Unreadable, kind_of
from .deck import back, decks, topics

PREFIX = "card:"
FEW = 5
LAST = "`flashcards()` asks others."
AFTER_RATING = {
    "knew": "Kept: it comes back later.",
    "partly": "Kept as one to see again soon: a half answer is what the follow-up exposes.",
    "not": "Kept as one to see again soon.",
}
RATINGS = {"I knew it": "knew", "partly": "partly", "I did not": "not"}  # what the buttons say
HOW = "To answer, type `flashcards.answer({})`. Or say it aloud, and `flashcards.reveal()` shows the answer."
HOW_ALOUD = "Say it aloud in two or three sentences. Then `flashcards.reveal()` shows the answer."
NO_CHECK = "No program can judge this one: compare your answer with the one below."
FIRST_COUNTS = "Your first answer is the one that is remembered."


class Round:
    """A few cards, asked one after the other, as an Asked (ask.py) that a form and typed calls share.

    at: the number of the open card. kept: is there a fact of it? seen: was its back shown? then: the sentence
    after the last card.
    One fact is kept for each card: the first answer that is judged, or the rating after the back was seen.
    """

    def __init__(self, names, then=LAST):
        self.cards, self.then = [decks()[name] for name in names], then
        self.open(0)

    def open(self, number):
        self.at, self.recorded, self.seen = number, False, False
        self.card = card = self.cards[number]
        self.question = card.check
        place = f"{number + 1} of {len(self.cards)}" if len(self.cards) > 1 else ""
        head = " · ".join(filter(None, [place, card.topic, card.title]))
        prompt = card.check.as_markdown() if card.check else card.question
        self.page = tag("div", "opacity:.75;font-size:90%", head) + as_html(prompt)
        self.text = f"{head}\n\n{prompt}"
        self.how = HOW.format(SAMPLES[card.check.kind]) if card.check else HOW_ALOUD

    @property
    def more(self):
        return self.at + 1 < len(self.cards)

    @property
    def ways(self):
        ways = {} if self.seen else {"Show the answer": self.reveal}
        if self.seen and not self.recorded:
            ways = {words: lambda name=name: self.rate(name) for words, name in RATINGS.items()}
        if self.recorded and self.more:
            ways["Next card"] = lambda: self.open(self.at + 1)
        return ways

    def answer(self, typed=None):
        """Judge what was typed; where nothing can judge it, show the back to compare with."""
        if self.question is None:
            return [Card().say(NO_CHECK), *self.reveal()]
        try:
            judged = judge(self.question, typed)
        except Unreadable as unreadable:
            raise Refusal(unreadable.in_call("flashcards.answer(")) from None
        card = verdict(judged.right, self.card.title, f"you said {judged.answer}")
        card.say("" if judged.right else judged.reason, judged.axis)
        if self.seen and not self.recorded:  # it was read off the back: only a rating says what was known
            return [card]
        card.say("" if judged.right else FIRST_COUNTS, self.keep(judged.right))
        return [card, *self.reveal()] if judged.right else [card]

    def reveal(self):
        self.seen = True
        return [back(self.card)]

    def rate(self, word=None):
        """Keep how well it was known, unless an answer was judged already."""
        name = word.strip().lower() if isinstance(word, str) else None

        if name not in AFTER_RATING:
            came = "nothing" if word is None else kind_of(word)
            raise Refusal(f'Rate with "knew", "partly" or "not"; {came} came.')
        if self.recorded:
            raise Refusal("This card is answered, and that is kept.")
        if not self.seen:
            raise Refusal("See the answer first, then rate.")
        return [Card().say(AFTER_RATING[name], self.keep(name == "knew"))]

    def keep(self, right):
        """Remember the first result; the sentence that says why that did not work, else None."""
        if self.recorded:
            return None
        self.recorded = True
        return log.remember(log.Fact(PREFIX + self.card.name, log.now(), right))

    def what_now(self):
        """What to type next; "" while the question is open."""
        if not self.recorded:
            rate = 'How well did you know it? `flashcards.rate("knew")`, `"partly"` or `"not"`.'
            return rate if self.seen else ""
        if not self.seen:
            return "Answer again, or see the answer: `flashcards.reveal()`."
        return "`flashcards.next()` asks the next one." if self.more else self.then


@for_learners
class Flashcards:
    """`flashcards()` asks a few; `answer`, `reveal`, `rate` and `next` are its other calls."""

    round = None

    def __call__(self, name=None):
        """Ask a few cards; with the name of a card that one, with the name of a topic some of its cards."""
        self.ask(names_of(name))

    def ask(self, names, then=LAST):
        """Ask the cards of these names, one after the other. then: the sentence after the last one."""
        self.round = Round(names, then)
        show(self.round)

    def answer(self, typed=None):
        """Answer the open card, where a program can judge it."""
        self._show(self._open().answer(typed))

    def reveal(self):
        """Show the answer of the open card, what is often said instead, and the follow-up."""
        self._show(self._open().reveal())

    def rate(self, word=None):
        """Say how well you knew it: "knew", "partly" or "not"."""
        self._show(self._open().rate(word))

    def next(self):
        """Ask the next of the cards; one that was not answered counts for nothing."""
        if self._open().more:
            self.round.open(self.round.at + 1)
            show(self.round)
        else:
            say(self.round.then)

    def _open(self):
        if self.round is None:
            raise Refusal("No card is open: `flashcards()` asks a few.")
        return self.round

    def _show(self, cards):
        """Cards, and what to type next."""
        now = self.round.what_now()
        cards += [Card().say(now)] if now else []
        display_both("".join(card.page for card in cards), "\n\n".join(card.text for card in cards))


def names_of(name):
    """The names of the cards that are asked for."""
    cards, listed = decks(), ", ".join(topics())
    if name is None:
        names = choose(list(cards))
        if not names:
            way = f"`flashcards({topics()[0]!r})` asks of one topic: {listed}."
            raise Refusal(f"All cards have been asked, and none is due now. {way}")
        return names
    name = name.strip().lower() if isinstance(name, str) else name
    check_name("card and no topic", name, [*topics(), *cards], f"The topics are {listed}.")
    of_topic = [key for key, card in cards.items() if card.topic == name]
    return choose(of_topic, with_later=True) if of_topic else [name]


def choose(names, with_later=False):
    """Up to FEW of these names: those that are due, the longest first, then new ones in their order.
    with_later: if these are not enough, the others too, in the order in which they will be due."""
    facts, now = history(log.recall()[0]), log.now()
    when = {name: due_again(facts[PREFIX + name], now) for name in names if PREFIX + name in facts}
    seen = sorted(when, key=when.get)
    due = [name for name in seen if when[name] <= now]
    new = [name for name in names if name not in when]
    return [*due, *new, *(seen[len(due) :] if with_later else [])][:FEW]
