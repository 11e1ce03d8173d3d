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


READ = {
    "note_types": "select models from col",
    "decks": "select decks from col",
    "notes": "select guid, mid, tags, flds from notes order by id",
    "cards": "select did, type, queue, reps from cards",
}


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The deck's content: {note_types, decks, notes, cards}."""
    folder = tmp_path_factory.mktemp("anki")
    done = CliRunner().invoke(app, ["anki", str(folder / "attention.apkg")])
    assert f"{len(CARDS)} cards" in done.output
    with zipfile.ZipFile(folder / "attention.apkg") as package:
        assert json.loads(package.read("media")) == {}
        database = package.extract("collection.anki2", folder)
    with closing(sqlite3.connect(database)) as base:
        return {what: base.execute(query).fetchall() for what, query in READ.items()}


def test_every_card_comes_back_as_it_is_and_new_in_one_deck(content):
    for (_, _, tags, values), (name, card) in zip(content["notes"], CARDS.items(), strict=True):
        fields = dict(zip(anki.FIELDS, values.split("\x1f"), strict=True))
        assert fields["Name"] == name
        texts = (card.question, card.answer, card.wrong, card.why, card.then, card.then_answer)
        assert [fields[key] for key in anki.FIELDS[2:8]] == [as_html(text) for text in texts]
        assert card.section in fields["Place"]
        assert tags.split() == [card.topic]
    assert content["cards"] == [(anki.DECK, 0, 0, 0)] * len(CARDS)
    assert json.loads(content["decks"][0][0])[str(anki.DECK)]["name"] == "Attention"


def test_ids_stay_so_that_a_newer_file_updates_texts_and_no_schedule(content):
    guids = {fields.split("\x1f")[0]: guid for guid, _, _, fields in content["notes"]}
    assert guids["kv_not_q"] == "xO6yKCvL+a"
    assert len(set(guids.values())) == len(CARDS)
    assert {mid for _, mid, _, _ in content["notes"]} == {1298473651}
    assert anki.DECK == 1754049306


def test_the_note_type_shows_every_field_and_reads_in_both_modes(content):
    (note_type,) = json.loads(content["note_types"][0][0]).values()
    (template,) = note_type["tmpls"]
    used = set(re.findall(r"{{(\w+)}}", template["qfmt"] + template["afmt"]))
    assert used == {*anki.FIELDS, "FrontSide"} - {"Name"}
    assert "{{Answer}}" not in template["qfmt"]
    assert ".card.nightMode { color: #" in note_type["css"]
