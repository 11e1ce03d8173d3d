"""The flashcards come in, a deck for Anki goes out: one .apkg file, which is a zip with a database in it.

Deck, note type and notes have ids that never change. So a newer file that is imported updates the texts, and
leaves a learner's schedule as it is. A note type whose fields change needs a new id.
"""

import genanki

from course_utils.practice.card import as_html
from course_utils.practice.flashcards.deck import decks

DECK, NOTE_TYPE = 1754049306, 1298473651  # drawn once
NAME = "Attention"
FIELDS = ("Name", "Title", "Question", "Answer", "Wrong", "Why", "Then", "ThenAnswer", "Place")
FRONT = '<div class="title">{{Title}}</div>\n<div class="question">{{Question}}</div>'
BACK = """{{FrontSide}}
<hr id="answer">
<div>{{Answer}}</div>
<h2>Often said</h2>
<div class="wrong">{{Wrong}}</div>
<div>{{Why}}</div>
<h2>Then</h2>
<div>{{Then}}</div>
<details><summary>Show the answer</summary>{{ThenAnswer}}</details>
<div class="title">{{Place}}</div>"""
CSS = """.card { font: 18px/1.5 system-ui, sans-serif; text-align: left;
  max-width: 38em; margin: 0 auto; padding: 0 .6em;
  color: #1a1a1a; background: #fff; overflow-wrap: anywhere; }
.card.nightMode { color: #e4e4e4; background: #1e1e1e; }
.title { font-size: 14px; opacity: .75; }
.question { font-size: 20px; }
h2 { font-size: 16px; margin: 1.1em 0 0; }
.wrong { border-left: 4px solid #c4622d; padding-left: .7em; }
summary { cursor: pointer; }
details { margin-bottom: 1em; }
p { margin: .35em 0; }"""


def write_deck(file):
    """Write the deck and return how many cards are in it."""
    cards = decks()
    deck = genanki.Deck(DECK, NAME)
    for card in cards.values():
        deck.add_note(note_of(card))
    file.parent.mkdir(parents=True, exist_ok=True)
    genanki.Package(deck).write_to_file(file)
    return len(cards)


def note_of(card):
    texts = (card.question, card.answer, card.wrong, card.why, card.then, card.then_answer)
    return genanki.Note(
        note_type(),
        [card.name, as_html(card.title), *map(as_html, texts), card.place.capitalize()],
        guid=genanki.guid_for("attention-course", card.name),
        tags=[card.topic],
    )


def note_type():
    template = {"name": "Card", "qfmt": FRONT, "afmt": BACK}
    return genanki.Model(
        NOTE_TYPE, NAME, [{"name": name} for name in FIELDS], [template], CSS, sort_field_index=1
    )
