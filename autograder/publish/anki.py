"""Export the flashcards as a deck for Anki: one .apkg file, which is a zip with a database in it.

The ids of the deck, the note type and the notes never change, so importing a newer file updates the texts and
keeps the learner's schedule. A note type whose fields change needs a new id.
"""

import tomllib
from pathlib import Path

import genanki

from course_utils.practice.card import as_html
from course_utils.practice.flashcards.deck import decks

DECK, NOTE_TYPE = 1754049306, 1298473651  # random ids, drawn once
NAME = "Attention"
FIELDS = ("Name", "Title", "Question", "Answer", "Wrong", "Why", "Then", "ThenAnswer", "Place")
CARD = tomllib.loads(Path(__file__).with_name("anki.toml").read_text(encoding="utf-8"))


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
    sides = {"name": "Card", "qfmt": CARD["front"], "afmt": CARD["back"]}
    fields = [{"name": name} for name in FIELDS]
    return genanki.Model(NOTE_TYPE, NAME, fields, [sides], CARD["css"], sort_field_index=1)
