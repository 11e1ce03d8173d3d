"""Flashcards: a few are asked one after the other; answers are recorded, and the cards come back. `deck.py`
reads the cards from `decks/`."""

from functools import partial
from pathlib import Path

from ...show.card import display_both
from ...show.tables import tag
from .. import log
from ..ask import Asked, show
from ..card import Card, Refusal, as_html, for_learners, kind_of, sentences, verdict
from ..questions import judge, words
from ..schedule import Kind, in_turn
from ..session import find_name
from .deck import PREFIX, decks

FEW = 5
MINUTES = 1
RATINGS = "knew", "partly", "not"
text = sentences(Path(__file__).with_name("sentences.toml"))


class Round(Asked):
    """A few cards, asked one after the other: each a Flashcard, or a Spoken of a mock interview.

    index: the number of the open card. recorded: is there a fact of it? seen: was its back shown? then: the
    sentence after the last card. One fact is recorded per card: the first answer that is judged, or the
    rating after the back was shown.
    """

    def __init__(self, cards, then=""):
        self.cards, self.then = cards, then or text("last")
        self.open(0)

    def open(self, number):
        self.index, self.recorded, self.seen = number, False, False
        self.card = card = self.cards[number]
        self.question = card.check
        place = f"{number + 1} of {len(self.cards)} · " if len(self.cards) > 1 else ""
        head = f"{place}{card.topic} · {card.title}"
        self.page = tag("div", "opacity:.75;font-size:90%", head) + as_html(card.prompt)
        self.text = f"{head}\n\n{card.prompt}"
        self.how = text("how", words(card.check.kind)["sample"]) if card.check else text("how_aloud")

    @property
    def more(self):
        return self.index + 1 < len(self.cards)

    @property
    def ways(self):
        ways = {}
        if not self.seen:
            ways["Show the answer"] = "flashcards.reveal()", self.reveal
        elif not self.recorded:
            for name in RATINGS:
                ways[text(name)] = f'flashcards.rate("{name}")', partial(self.rate, name)
        if self.recorded and self.more:
            ways["Next card"] = "flashcards.next()", partial(self.open, self.index + 1)
        return ways

    def answer(self, typed):
        """Judge a typed answer; for a card that no program can judge, show the back to compare with."""
        if self.question is None:
            return [Card().say(text("no_check")), *self.reveal()]
        judged = judge(self.question, typed, "flashcards.answer(")
        card = verdict(judged.right, self.card.title, f"you said {judged.answer}")
        card.say("" if judged.right else judged.reason, judged.axis)
        if self.seen and not self.recorded:  # the back was shown: only a rating is recorded
            return [card]
        self.record(judged.right)
        return [card, *self.reveal()] if judged.right else [card.say(text("first_counts"))]

    def reveal(self):
        self.seen = True
        return [self.card.back()]

    def rate(self, word):
        """Record how well the card was known, unless a result was recorded already."""
        name = word.strip().lower() if isinstance(word, str) else None
        if name not in RATINGS:
            raise Refusal(text("bad_rating", kind_of(word)))
        if self.recorded:
            raise Refusal(text("rated"))
        if not self.seen:
            raise Refusal(text("not_seen"))
        self.record(name == "knew")
        return [Card().say(text(f"saved_{name}"))]

    def record(self, right):
        """Record the first result."""
        if not self.recorded:
            self.recorded = True
            log.remember(log.Fact(self.card.fact, log.now(), right))


class Flashcards:
    """`flashcards()` asks a few; `answer`, `reveal`, `rate` and `next` are its other calls."""

    round = None  # it is not logged, and lasts until the kernel stops

    def __repr__(self):
        return " ".join(str(self.__doc__).split())

    @for_learners
    def __call__(self, name=None):
        """Ask a few cards. name: of one card, or of the topic to choose from."""
        self.ask([decks()[key] for key in names_of(name)])

    def ask(self, cards, then=""):
        """Ask these cards, one after the other. then: the sentence after the last one."""
        self.round = Round(cards, then)
        show(self.round)

    @for_learners
    def answer(self, typed=None):
        """Answer the open card, where a program can judge it."""
        self._show(self._open().answer(typed))

    @for_learners
    def reveal(self):
        """Show the open card's answer, the common wrong answer and the follow-up."""
        self._show(self._open().reveal())

    @for_learners
    def rate(self, word=None):
        """Say how well you knew it: "knew", "partly" or "not"."""
        self._show(self._open().rate(word))

    @for_learners
    def next(self):
        """Ask the next card. A card that was not answered is not recorded."""
        cards = self._open()
        if not cards.more:
            raise Refusal(cards.then)
        cards.open(cards.index + 1)
        show(cards)

    def _open(self):
        if self.round is None:
            raise Refusal(text("none"))
        return self.round

    def _show(self, cards):
        """Show cards, then what to type next."""
        asked = self._open()
        ways = " ".join(f"{words}: `{call}`." for words, (call, _) in asked.ways.items())
        cards = [*cards, Card().say(ways or asked.then)]
        display_both("".join(card.page for card in cards), "\n\n".join(card.text for card in cards))


def names_of(name):
    """The names of the cards to ask: the one that was named, or FEW of a topic or of all."""
    cards = decks()
    topics = list(dict.fromkeys(card.topic for card in cards.values()))
    if name is not None:
        name = find_name("card and no topic", name, [*topics, *cards], f"The topics are {', '.join(topics)}.")
    if name in cards:
        return [name]
    names = [key for key, card in cards.items() if name in (None, card.topic)]
    return in_turn(names, PREFIX, log.recall(), log.now())[:FEW]


flashcards = Flashcards()
KIND = Kind(
    prefix=PREFIX,
    head="Flashcards",
    minutes=lambda: dict.fromkeys(decks(), MINUTES),
    title=lambda name: decks()[name].title,
    ask=lambda names: flashcards.ask([decks()[name] for name in names]),
    desk="flashcards",
)
