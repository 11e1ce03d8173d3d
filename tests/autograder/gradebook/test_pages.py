"""Neither feedback pages nor formgrader run what a student wrote, and harmless text still reads well."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
import torch
from bs4 import BeautifulSoup
from nbconvert.exporters import HTMLExporter
from pygments.lexer import Lexer

from autograder.gradebook.class_run import grade_class
from autograder.gradebook.clean import markdown, output, render_code
from autograder.gradebook.course import settings
from autograder.gradebook.page import first_cell
from autograder.gradebook.writer import Writer
from autograder.grading.grade_object import grade
from autograder.grading.graded import GradedSubmission
from autograder.notes import INFO, Note
from autograder.publish.solutions import answers
from autograder.submission.read import submission_from
from autograder.submission.submission import shortened
from course_utils.show.card import as_html
from course_utils.show.colours import EMPHASIS
from tests.tools.attacks import ATTACKS, RUN
from tests.tools.school import (
    LESSON,
    ROOT,
    WRITTEN,
    buttons,
    enter_all,
    graded,
    new_course,
    solved,
    submit,
    submitted,
)

HARMLESS_TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "details", "div", "dl", "dt", "em", "h1",
    "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "li", "ol", "p", "pre", "s", "span", "strong", "sub",
    "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul",
}  # fmt: skip
HARMLESS_ATTRIBUTES = {
    "href", "src", "alt", "title", "class", "rel", "width", "height", "open", "align", "style", "colspan",
    "rowspan",
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("clean", [markdown, output])
def test_cleaned_html_holds_nothing_that_runs(name, clean):
    page = clean(ATTACKS[name])
    for tag in BeautifulSoup(page, "html.parser").find_all():
        assert tag.name in HARMLESS_TAGS, page
        assert set(tag.attrs) <= HARMLESS_ATTRIBUTES, page
        assert tag.get("href", "#").startswith(("http://", "https://", "mailto:", "#")), page
        assert tag.get("src", "data:image/").startswith("data:image/"), page
        assert "fixed" not in f"{tag.get('style')} {tag.get('class')}", page
    assert not re.search(r"\\(href|bbox|mmlToken|fcolorbox)", page)


def test_a_formula_cannot_leave_its_box_and_the_graders_text_is_not_typeset():
    assert markdown(r"$\raise 90em{\text{15 of 15}}$").startswith('<div style="overflow:auto"><p>$\\raise')
    sentences = markdown(first_cell(GradedSubmission(), ["It raises $x$"]).source)
    for page in (sentences, output("<b>$x$</b>")):
        prefix, _, _ = page.partition("$x$")
        assert prefix.count("tex2jax_ignore") == page.count("tex2jax_ignore") == 1


PICTURE = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Bold**, `code`", "<strong>Bold</strong>, <code>code</code>"),
        ("[a link](https://example.org)", 'href="https://example.org"'),
        ("$a < b$", "$a &lt; b$"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "<td>1</td>"),
        ("```python\nx = 1\n```", "<pre><code>x = 1"),
        (f"![dot]({PICTURE})", PICTURE),
        ("So: ![image.png](attachment:image.png)", "So: <em>(A pasted picture, image.png"),
        ("![b](attachment:a&b.png)", "a&amp;b.png"),
    ],
)
def test_harmless_markdown_stays_and_a_pasted_picture_is_named(text, html):
    assert html in markdown(text)


def with_cells(place, *sources):
    """The texts of the lesson's own answers for a page, with these cells added to the notebook."""
    notebook = json.loads(solved(LESSON))
    empty = {"cell_type": "code", "metadata": {}, "outputs": []}
    notebook["cells"][place:place] = [empty | {"source": source} for source in sources]
    return submission_from(json.dumps(notebook).encode()).texts()


@pytest.mark.parametrize(
    "below", ["def softmax(x, dim=-1):\n    return x", "softmax = None", "for softmax in [1]:\n    pass"]
)
def test_the_page_shows_the_definition_that_was_graded(below):
    result = with_cells(1000, below)
    assert result["texts"]["softmax"] == answers(LESSON)["softmax"].strip()
    assert result["after"] == [below]


def test_a_page_limits_the_text_of_cells_that_are_not_answers():
    result = with_cells(1, *["# " + "a" * 48_000] * 15)
    assert sum(len(text) for texts in result["before"].values() for text in texts) < 220_000
    assert all("not shown" not in text for text in result["texts"].values())


@pytest.mark.parametrize("text", [
    " \n" * 25_000, "(" + "\v\n" * 25_000, "x" + "\u00a0\n" * 25_000 + "y", "a." * 25_000,
    "%%html\n" + "&" * 50_000, "'%" + "0" * 49_000, "match" + " " * 49_000, "x = 1",
])  # fmt: skip
def test_only_code_that_can_be_lexed_quickly_is_coloured(text, monkeypatch):
    """Python's lexer takes minutes for long or many empty lines; lexers of some languages take hours."""
    lexers, real = [], Lexer.get_tokens
    monkeypatch.setattr(
        Lexer, "get_tokens", lambda lexer, *rest: lexers.append(lexer.name) or real(lexer, *rest)
    )
    render_code(shortened(text))
    assert set(lexers) == {"Python" if text == "x = 1" else "Text only"}
    lexers.clear()
    assert "<pre" in markdown(f"> ```maple\n> {text}\n> ```\n\n```python\nx\n```")
    assert lexers == []


def test_nbgraders_pages_use_the_courses_code_colouring():
    exporter, language = HTMLExporter(config=settings(ROOT)), {"name": "python", "pygments_lexer": "ipython3"}
    exporter.from_notebook_node(nbformat.v4.new_notebook(metadata={"language_info": language}))
    assert exporter.environment.filters["highlight_code"] is render_code
    assert '<span class="n">x</span>' in render_code("x = 1")


def test_a_cleaned_card_keeps_its_styles():
    def first_row_too_large(x, dim=-1):
        return torch.cat([torch.softmax(x, dim)[:1] + 1, torch.softmax(x, dim)[1:]])

    page = as_html(grade("softmax", first_row_too_large, seed=1))
    cleaned = output(page)
    for piece in (
        "border-left:5px solid",
        "border-collapse:collapse",
        f"2px solid {EMPHASIS}",
        "color-mix(in srgb,",
        "<caption",
        "<th",
    ):
        assert piece in page
        assert piece.replace(" ", "") in cleaned.replace(" ", "")
    assert cleaned.count("<td") == page.count("<td")
    # the text inside a figure is dropped
    assert "False" not in output('<div role="img"><svg><g><text>False</text></g></svg></div>after')
    assert "after" in output("<svg><text>False</text></svg>after")


TOUCH = """() => document.querySelectorAll("#notebook *").forEach(one => {
    one.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}))
    const click = new MouseEvent("click", {bubbles: true, cancelable: true})
    if (!/^https?:/.test(one.href || "")) one.dispatchEvent(click)
})"""


def open_and_touch(page, address):
    """Open a page without a network, hover over and click everything; return the requested addresses."""
    wanted = []

    def refuse(route):
        wanted.append(route.request.url)
        route.abort()

    page.route(re.compile("^https?:"), refuse)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(150)
    page.evaluate(TOUCH)
    page.wait_for_timeout(150)
    return [url for url in wanted if "cdnjs.cloudflare.com" not in url]


def feedback(course, lesson):
    outcome = buttons(course).generate_feedback(lesson)
    assert outcome["success"], outcome


@pytest.mark.xdist_group("browser")
@pytest.mark.system
def test_attacks_would_be_noticed_on_an_unclean_page(chromium, tmp_path):
    for name in ("script", "onerror", "srcdoc", "ontoggle", "mouse"):
        (tmp_path / "page.html").write_text(f"<div id='notebook'>{ATTACKS[name]}</div>")
        page = chromium.new_page()
        open_and_touch(page, f"file://{tmp_path}/page.html")
        assert page.evaluate("window.pwned") == 1, name
    (tmp_path / "page.html").write_text(
        "<div id='notebook'><img src='http://elsewhere.invalid/seen.png'></div>"
    )
    requests = open_and_touch(chromium.new_page(), f"file://{tmp_path}/page.html")
    assert requests == ["http://elsewhere.invalid/seen.png"]


@pytest.mark.xdist_group("browser")
@pytest.mark.system
def test_no_attack_in_a_result_runs_in_a_feedback_page(chromium, tmp_path):
    course = enter_all(new_course(tmp_path), WRITTEN)
    texts = list(ATTACKS.values())
    groups = {f"eve{n}": texts[n::10] for n in range(10)}
    with Writer(course) as writer:
        for student, group in groups.items():
            submit(course, student, WRITTEN)
            text = "\n\n".join(group)
            message = {"what_may_one_conclude": text, "head_entropy": f"x = 1  # {text}"}
            notes = [Note(INFO, attack) for attack in group]
            writer.write(submitted(course, student, WRITTEN), graded(WRITTEN, 0.0, message, text, notes))
    feedback(course, WRITTEN)
    for student, group in groups.items():
        page = chromium.new_page()
        dialogs = []
        page.on("dialog", lambda dialog, dialogs=dialogs: (dialogs.append(dialog.message), dialog.dismiss()))
        requests = open_and_touch(page, f"file://{course}/feedback/{student}/{WRITTEN}/{WRITTEN}.html")
        assert page.evaluate("window.pwned") is None, group
        assert (dialogs, requests) == ([], []), group
        lines = page.locator("#notebook").first.inner_text()
        assert "About this submission" in lines
        assert group[0].split("\n")[0] in lines, "the code is shown as it is"
        page.close()


SOLUTION = f"""
def softmax(x, dim=-1):
    print("<img src=x onerror={RUN}>")
    class Odd(ValueError): pass
    Odd.__name__ = "<img src=x onerror={RUN}>"
    raise Odd("</pre><script>{RUN}</script>")
"""
MASK = f"""
def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    return "<svg onload={RUN}>"
"""
RAISING = f"raise RuntimeError('<svg onload={RUN}>')"


@pytest.mark.xdist_group("browser")
@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_no_attack_in_a_graded_notebook_runs_in_a_feedback_page(chromium, tmp_path):
    course = new_course(tmp_path)
    notebook = json.loads(solved(LESSON, softmax=SOLUTION, create_causal_mask=MASK))
    raising = {"cell_type": "code", "source": RAISING, "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].insert(5, raising)
    notebook["cells"][0]["source"] = ATTACKS["script"]
    widgets = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    notebook["metadata"] |= {"title": ATTACKS["script"], "widgets": widgets}
    submit(course, "eve", data=json.dumps(notebook).encode(), name=f"<img src=x onerror={RUN}>.ipynb")
    with ThreadPoolExecutor(1) as executor:
        (outcome,) = grade_class(course, executor)
    assert outcome.memory["status"] == "graded"
    feedback(course, LESSON)
    page = chromium.new_page()
    assert open_and_touch(page, f"file://{course}/feedback/eve/{LESSON}/{LESSON}.html") == []
    assert page.evaluate("window.pwned") is None
    message = page.locator("#notebook").first.inner_text()
    assert f"</pre><script>{RUN}</script>" in message, "the student reads what the code raised"
    assert f"<img src=x onerror={RUN}>.ipynb" in message
