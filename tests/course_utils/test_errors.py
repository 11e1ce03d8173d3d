"""Errors that everybody meets get a sentence of their own."""

import pytest

from course_utils.diagnose.exceptions import errors, everyday_error
from course_utils.diagnose.visible import assess_visible
from course_utils.model.crash import Crash
from course_utils.model.sentences import all_sentences
from tests.answers import everyday_errors
from tests.conftest import ROOT

NAMES = [error.name for error in errors()]


@pytest.mark.parametrize("name", NAMES)
def test_a_program_that_raises_an_everyday_error_is_told_its_cause(name):
    result = assess_visible("softmax", getattr(everyday_errors, name))
    assert (result.mistake, result.status) == (name, "error"), result.message
    assert "{" not in result.message


def test_an_error_that_depends_on_the_line_is_named_only_if_the_line_is_known_and_fits():
    raised = ["NameError", "name 'W_q' is not defined"]
    assert everyday_error(raised, None)[0] == "unknown_name"
    assert everyday_error(raised, Crash("q = W_q(x)", 1))[0] == "unknown_name"
    assert everyday_error(raised, Crash("q = W_q(x)", 1, of_self=frozenset({"W_q"})))[0] == "without_self"


def test_torchs_own_default_of_none_is_not_taken_for_a_none_of_the_learner():
    message = "max() received an invalid combination of arguments - got (Tensor, axis=int, out=NoneType)"
    assert everyday_error(["TypeError", message], None) is None


def test_no_two_general_sentences_are_the_same():
    tables = all_sentences()
    sentences = [text for key, text in tables.items() if key != "why"]
    sentences += [*tables["why"].values(), *(error.sentence for error in errors())]
    assert len(set(sentences)) == len(sentences)


def test_every_general_sentence_is_used():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "course_utils").rglob("*.py"))
    assert [key for key in all_sentences() if f'"{key}"' not in code] == []
