"""The Anki deck holds every card, under ids that never change."""

import json
import re
import sqlite3
import zipfile
from contextlib import closing

import pytest
from typer.testing import CliRunner

from autograder.__main__ import app
from autograder.publish import anki
from course_utils.practice.card import as_html
from course_utils.practice.flashcards.deck import decks

CARDS = decks()


QUERIES = {
    "note_types": "select models from col",
    "decks": "select decks from col",
    "notes": "select guid, mid, tags, flds from notes order by id",
    "cards": "select did, type, queue, reps from cards",
}


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The deck's content: {note_types, decks, notes, cards}."""
    folder = tmp_path_factory.mktemp("anki")
    result = CliRunner().invoke(app, ["anki", str(folder / "attention.apkg")])
    assert f"{len(CARDS)} cards" in result.output
    with zipfile.ZipFile(folder / "attention.apkg") as package:
        assert json.loads(package.read("media")) == {}
        database = package.extract("collection.anki2", folder)
    with closing(sqlite3.connect(database)) as base:
        return {table: base.execute(query).fetchall() for table, query in QUERIES.items()}


def test_every_card_is_in_one_deck_unchanged_and_unreviewed(content):
    for (_, _, tags, values), (name, card) in zip(content["notes"], CARDS.items(), strict=True):
        fields = dict(zip(anki.FIELDS, values.split("\x1f"), strict=True))
        assert fields["Name"] == name
        texts = (card.question, card.answer, card.wrong, card.why, card.then, card.then_answer)
        assert [fields[key] for key in anki.FIELDS[2:8]] == [as_html(text) for text in texts]
        assert card.section in fields["Place"]
        assert tags.split() == [card.topic]
    assert content["cards"] == [(anki.DECK, 0, 0, 0)] * len(CARDS)
    assert json.loads(content["decks"][0][0])[str(anki.DECK)]["name"] == "Attention"


def test_anki_ids_never_change(content):
    guids = {fields.split("\x1f")[0]: guid for guid, _, _, fields in content["notes"]}
    assert guids["kv_not_q"] == "xO6yKCvL+a"
    assert len(set(guids.values())) == len(CARDS)
    assert {mid for _, mid, _, _ in content["notes"]} == {1298473651}
    assert anki.DECK == 1754049306


def test_the_note_type_shows_every_field_and_has_a_night_mode(content):
    (note_type,) = json.loads(content["note_types"][0][0]).values()
    (template,) = note_type["tmpls"]
    fields_used = set(re.findall(r"{{(\w+)}}", template["qfmt"] + template["afmt"]))
    assert fields_used == {*anki.FIELDS, "FrontSide"} - {"Name"}
    assert "{{Answer}}" not in template["qfmt"]
    assert ".card.nightMode { color: #" in note_type["css"]
