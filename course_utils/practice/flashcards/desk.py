"""flashcards(...): what a learner calls."""

from ...show.card import display_both
from .. import log
from ..ask import show_with_form
from ..card import Card, Refusal, for_learners, say
from ..due import due_again, history
from ..session import check_name
from ..typed import SAMPLES
from .deck import decks, topics
from .round import LAST, PREFIX, Round

FEW = 5


@for_learners
class Flashcards:
    """`flashcards()` asks a few; `answer`, `reveal`, `rate` and `next` are its other calls."""

    round = None

    def __call__(self, name=None):
        """Ask a few cards; with the name of a card that one, with the name of a topic some of its cards."""
        self.ask(names_of(name))

    def ask(self, names, then=LAST):
        """Ask the cards of these names, one after the other. then: the sentence after the last one."""
        self.round = Round([decks()[name] for name in names], then)
        self._show()

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
        if self._open().more:
            self.round.at += 1
            self._show()
        else:
            say(self.round.then)

    def _open(self):
        if self.round is None:
            raise Refusal("No card is open: `flashcards()` asks a few.")
        return self.round

    def _show(self):
        """Show the open card, with widgets in a notebook."""
        check = self.round.visit.card.check
        how = "Say it aloud in two or three sentences. Then `flashcards.reveal()` shows the answer."
        if check:
            how = f"To answer, type `flashcards.answer({SAMPLES[check.kind]})`. Or say it aloud, and "
            how += "`flashcards.reveal()` shows the answer."
        show_with_form(*self.round.front(), how, "CardForm", self.round)

    def _act(self, action, *arguments):
        """Do this with the open card, and show what comes of it and what to type next."""
        cards = getattr(self._open().visit, action)(*arguments)
        now = self.round.what_now()
        cards += [Card().say(now)] if now else []
        display_both("".join(card.page for card in cards), "\n\n".join(card.text for card in cards))


def names_of(name):
    """The names of the cards that are asked for."""
    cards, listed = decks(), ", ".join(topics())
    if name is None:
        names = choose(list(cards))
        if not names:
            one = f"`flashcards({topics()[0]!r})` asks of one topic: {listed}."
            raise Refusal(f"All cards have been asked, and none is due now. {one}")
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
    in_order = sorted(when, key=when.get)
    due = [name for name in in_order if when[name] <= now]
    new = [name for name in names if name not in when]
    return [*due, *new, *([name for name in in_order if when[name] > now] if with_later else [])][:FEW]
