"""flashcards(...): what a learner calls. Each call shows something and returns nothing; none raises."""

from ...show.card import display_both
from .. import log
from ..ask import make_form, show_form
from ..card import Card, say
from ..due import due_again, history
from ..session import unknown
from ..typed import SAMPLES
from .deck import decks, topics
from .round import LAST, PREFIX, Round

FEW = 5
NONE_OPEN = "No card is open: `flashcards()` asks a few."
NONE_DUE = "All cards have been asked, and none is due now. `flashcards({!r})` asks of one topic: {}."
NO_CARDS = "There are no flashcards here."
CHECKED = (
    "To answer, type `flashcards.answer({})`. Or say it aloud, and `flashcards.reveal()` shows the answer."
)
RATED = "Say it aloud in two or three sentences. Then `flashcards.reveal()` shows the answer."


class Flashcards:
    """`flashcards()` asks a few; `answer`, `reveal`, `rate` and `next` are its other calls."""

    round = None

    def __call__(self, name=None):
        """Ask a few cards; with the name of a card that one, with the name of a topic some of its cards."""
        names, problem = wanted(name)
        if problem:
            say(problem, *decks()[1])
        else:
            self.ask(names)

    def ask(self, names, then=LAST):
        """Ask the cards of these names, one after the other. then: the sentence after the last one."""
        self.round = Round([decks()[0][name] for name in names], then)
        self.show()

    def show(self):
        """Show the open card, with widgets in a notebook."""
        check = self.round.visit.card.check
        how = Card().say(CHECKED.format(SAMPLES[check.kind]) if check else RATED)
        page, text = self.round.front()
        form = make_form("CardForm", self.round)
        if form is not None:
            show_form(form, f"{text}\n\n{how.text}")
        else:
            display_both(page + how.page, f"{text}\n\n{how.text}")

    def answer(self, typed=None, sure=None):
        """Answer the open card, where a program can judge it."""
        self._act("answer", typed, sure)

    def reveal(self):
        """Show the answer of the open card, what is often said instead, and the follow-up."""
        self._act("reveal")

    def rate(self, word=None):
        """Say how well you knew it: "knew", "partly" or "not"."""
        self._act("rate", word)

    def next(self):
        """Ask the next of the cards; one that was not answered counts for nothing."""
        if self.round and self.round.go_on():
            self.show()
        else:
            say(self.round.then if self.round else NONE_OPEN)

    def _act(self, action, *arguments):
        """Do this with the open card, and show what comes of it and what to type next."""
        if self.round is None:
            say(NONE_OPEN)
            return
        cards = getattr(self.round.visit, action)(*arguments)
        now = self.round.what_now()
        cards += [Card().say(now)] if now else []
        display_both("".join(card.page for card in cards), "\n\n".join(card.text for card in cards))

    def __repr__(self):
        return f"flashcards() asks a few cards; the topics: {', '.join(topics())}"


def wanted(name):
    """([names of cards], None), or (None, the sentence that says what is wrong)."""
    cards = decks()[0]
    if not cards:
        return None, NO_CARDS
    if name is None:
        few = choose(list(cards))
        return (few, None) if few else (None, NONE_DUE.format(topics()[0], ", ".join(topics())))
    plain = name.strip().lower() if isinstance(name, str) else ""
    if plain in cards:
        return [plain], None
    if plain in topics():
        return choose([key for key, card in cards.items() if card.topic == plain], with_later=True), None
    return None, unknown(
        "card and no topic", name, [*topics(), *cards], f"The topics are {', '.join(topics())}."
    )


def choose(names, with_later=False):
    """Up to FEW of these names: those that are due, the longest first, then new ones in their order.
    with_later: if these are not enough, the others too, in the order in which they will be due."""
    facts, now = history(log.recall()[0]), log.now()
    when = {name: due_again(facts[PREFIX + name], now) for name in names if PREFIX + name in facts}
    in_order = sorted(when, key=when.get)
    due = [name for name in in_order if when[name] <= now]
    new = [name for name in names if name not in when]
    return [*due, *new, *([name for name in in_order if when[name] > now] if with_later else [])][:FEW]
