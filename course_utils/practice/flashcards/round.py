"""A few flashcards are asked, one after the other: answers, looks at the back and ratings come in, Cards go
out."""

from ...show.tables import tag
from .. import log
from ..ask import check_sure
from ..card import Card, Refusal, as_html, verdict
from ..judge import judge
from ..typed import Unreadable, kind_of
from .deck import back

PREFIX = "card:"
BUTTONS = {"yes": "knew", "no": "not"}  # what the buttons say
AFTER_RATING = {
    "knew": "Kept: it comes back later.",
    "partly": "Kept as one to see again soon: a half answer is what the follow-up exposes.",
    "not": "Kept as one to see again soon.",
}
LAST = "`flashcards()` asks others."


class Visit:
    """One card that is asked. kept: is there a fact of this visit? seen: was the back shown?

    One fact is kept for each visit: the first answer that is judged, or the rating after the back was seen.
    Each call returns [Card], or raises a Refusal.
    """

    def __init__(self, card):
        self.card, self.kept, self.seen = card, False, False

    def answer(self, typed=None, sure=None):
        """Judge what was typed; where nothing can judge it, show the back to compare with."""
        check_sure(sure)
        if self.card.check is None:
            no_check = "No program can judge this one: compare your answer with the one below."
            return [Card().say(no_check), *self.reveal()]
        try:
            judged = judge(self.card.check, typed)
        except Unreadable as unreadable:
            raise Refusal(unreadable.in_call("flashcards.answer(")) from None
        card = verdict(judged.right, self.card.title, f"you said {judged.said}")
        card.say("" if judged.right else judged.reason, judged.axis)
        if self.seen and not self.kept:  # it was read off the back: only a rating says what was known
            return [card]
        first = "" if judged.right else "Your first answer is the one that is remembered."
        card.say(first, self.keep(judged.right, sure))
        return [card, *self.reveal()] if judged.right else [card]

    def reveal(self):
        self.seen = True
        return [back(self.card)]

    def rate(self, word=None):
        """Keep how well it was known, unless an answer was judged already."""
        name = word.strip().lower() if isinstance(word, str) else None
        name = BUTTONS.get(name, name)
        if name not in AFTER_RATING:
            came = "nothing" if word is None else kind_of(word)
            raise Refusal(f'Rate with "knew", "partly" or "not"; {came} came.')
        if self.kept:
            raise Refusal("This card is answered, and that is kept.")
        if not self.seen:
            raise Refusal("See the answer first, then rate.")
        return [Card().say(AFTER_RATING[name], self.keep(name == "knew"))]

    def keep(self, right, sure=None):
        """Remember the first result of this visit; the sentence that says why that did not work, else
        None."""
        if self.kept:
            return None
        self.kept = True
        return log.remember(log.Fact(PREFIX + self.card.name, log.now(), right, sure))


class Round:
    """A few cards; a form and typed calls share it. visits: one for each card. at: the number of the
    open one. then: the sentence after the last one."""

    def __init__(self, cards, then=LAST):
        self.then, self.visits, self.at = then, [Visit(card) for card in cards], 0

    @property
    def visit(self):
        return self.visits[self.at]

    @property
    def more(self):
        return self.at + 1 < len(self.visits)

    def front(self):
        """(HTML, text) of the open card's question, with what is chosen from."""
        card = self.visit.card
        place = f"{self.at + 1} of {len(self.visits)}" if len(self.visits) > 1 else ""
        head = " · ".join(filter(None, [place, card.topic, card.title]))
        prompt = card.check.as_markdown() if card.check else card.question
        return tag("div", "opacity:.75;font-size:90%", head) + as_html(prompt), f"{head}\n\n{prompt}"

    def what_now(self):
        """What to type next; "" while the question is open."""
        seen, kept = self.visit.seen, self.visit.kept
        if not kept:
            return (
                'How well did you know it? `flashcards.rate("knew")`, `"partly"` or `"not"`.' if seen else ""
            )
        if not seen:
            return "Answer again, or see the answer: `flashcards.reveal()`."
        return "`flashcards.next()` asks the next one." if self.more else self.then
