"""flashcards(...): what a learner calls. Each call shows something and returns nothing; none raises."""

from difflib import get_close_matches

from ...show.card import display_both, in_notebook
from ..ask import show_form
from ..cards import sentence
from ..memory import now, recall
from ..typed import shown
from .choose import choose
from .deck import decks
from .pages import front, how_to_answer, joined
from .round import Round
from .visit import LAST

NONE_OPEN = "No card is open: `flashcards()` asks a few."
NONE_DUE = (
    "All cards have been asked, and none is to be asked again now. `flashcards({!r})` asks of one topic: {}."
)
NO_CARDS = "There are no flashcards here."
NOT_A_NAME = "flashcards takes the name of a card or of a topic, and {} came. The topics are {}."
UNKNOWN = "There is no card and no topic called {}.{} The topics are {}."


class Flashcards:
    """`flashcards()` asks a few; `answer`, `reveal`, `rate` and `next` are its other calls."""

    round = None

    def __call__(self, name=None):
        """Ask a few cards; with the name of a card that one, with the name of a topic some of its cards."""
        cards, said = decks()
        names, problem = wanted(name, cards)
        if problem:
            display_both(*sentence(problem, *said))
            return
        ask_cards(self, [cards[one] for one in names])

    def answer(self, typed=None, sure=None):
        """Answer the open card, where a program can judge it."""
        self.act("answer", typed, sure)

    def reveal(self):
        """Show the answer of the open card, what is often said instead, and the follow-up."""
        self.act("reveal")

    def rate(self, word=None):
        """Say how well you knew it: "knew", "partly" or "not"."""
        self.act("rate", word)

    def next(self):
        """Ask the next of the cards; one that was not answered counts for nothing."""
        if self.round and self.round.go_on():
            show_card(self.round)
        else:
            display_both(*sentence(self.round.visit.last if self.round else NONE_OPEN))

    def act(self, action, *given):
        """Do this with the open card, and show what comes of it and what to type next."""
        if self.round is None:
            display_both(*sentence(NONE_OPEN))
            return
        page = getattr(self.round.visit, action)(*given)
        hint = self.round.visit.what_now()
        display_both(*(joined(page, sentence(hint)) if hint else page))

    def __repr__(self):
        return f"flashcards() asks a few cards; the topics: {', '.join(topics(decks()[0]))}"


def ask_cards(asked, cards, last=LAST):
    """Ask these cards, as the Flashcards' open ones; `last` says what to type after them."""
    asked.round = Round(cards, last)
    show_card(asked.round)


def wanted(name, cards):
    """([names of cards], None), or (None, the sentence that says what is wrong)."""
    if not cards:
        return None, NO_CARDS
    every = topics(cards)
    if name is None:
        few = chosen(list(cards))
        return (few, None) if few else (None, NONE_DUE.format(every[0], ", ".join(every)))
    if not isinstance(name, str):
        return None, NOT_A_NAME.format(shown(type(name).__name__), ", ".join(every))
    plain = name.strip().lower()
    if plain in cards:
        return [plain], None
    if plain in every:
        return chosen([one for one, card in cards.items() if card.topic == plain], all_of_them=True), None
    near = get_close_matches(plain, [*every, *cards], n=2, cutoff=0.5)
    near = f" Did you mean {' or '.join(near)}?" if near else ""
    return None, UNKNOWN.format(shown(name) or '""', near, ", ".join(every))


def chosen(names, all_of_them=False):
    return choose(names, recall()[0], now(), all_of_them)


def topics(cards):
    return list(dict.fromkeys(card.topic for card in cards.values()))


def show_card(round_):
    """Show the open card, with widgets in a notebook."""
    card = round_.visit.card
    page, text = joined(front(card, round_.place), sentence(how_to_answer(card)))
    form = make_form(round_) if in_notebook() else None
    if form is not None:
        show_form(form, text)
    else:
        display_both(page, text)


def make_form(round_):
    """The cards' form; None where ipywidgets is missing or does not work."""
    try:
        from .form import Form

        return Form(round_)
    except Exception:  # an ipywidgets that does not fit: the typed way works everywhere
        return None


flashcards = Flashcards()
