"""The whole site is built, and opened in Chromium as files without a network."""

from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup

from autograder.publish.site.build import build_site
from autograder.publish.site.pages import contents
from tests.conftest import ROOT
from tests.lessons.test_student_files import pairs_of, secret_pairs

pytestmark = [pytest.mark.system, pytest.mark.slow, pytest.mark.xdist_group("site")]
MASKS = "notebooks/01_masks/01_masks.html"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a folder") / "site"
    build_site(ROOT, folder)
    return folder


@pytest.fixture(scope="module")
def parsed(site):
    """{path: parsed page}."""
    pages = site.rglob("*.html")
    return {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in pages}


@pytest.fixture
def opened(site, chromium):
    """open_site(path) opens a page. Afterwards the test fails if a page made a request or an error."""
    wrong, contexts = [], []

    def asked(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            wrong.append(request.url)

    def open_page(path, width=1100, theme="light"):
        size = {"width": width, "height": 900}
        context = chromium.new_context(viewport=size, color_scheme=theme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", asked)
        page.goto((site / path).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def test_every_page_on_the_list_is_there_and_every_link_leads_to_a_file_and_a_place_in_it(site, parsed):
    listed = {site / f"{page}.html" for pages in contents(ROOT).values() for page in pages}
    assert listed <= parsed.keys()
    places = {path: {result["id"] for result in page.find_all(id=True)} for path, page in parsed.items()}
    followed = 0
    for path, page in parsed.items():
        for result in page.find_all(["a", "img", "script", "link"]):
            link = result.get("href") or result.get("src") or ""
            if link.startswith("data:") or (result.name == "a" and link.startswith(("http", "mailto:"))):
                continue
            to, place = urldefrag(link)
            goal = (path.parent / unquote(to.partition("?")[0])).resolve() if to else path
            assert goal.is_file(), f"{path.name}: {link}"
            assert not place or goal not in places or unquote(place) in places[goal], f"{path.name}: {link}"
            followed += 1
    assert followed > 1000


def test_no_page_holds_a_part_of_an_answer(parsed):
    secrets = secret_pairs()
    assert [path.name for path, page in parsed.items() if pairs_of(page.get_text()) & secrets] == []
    assert len(parsed) > 20


def test_each_lesson_ran_without_an_error_and_lesson_6_with_every_library(site, parsed):
    lessons = {path.stem: page for path, page in parsed.items() if path.parent.parent == site / "notebooks"}
    assert len(lessons) == 9
    errors = [page.select(".cell_output .traceback, .cell_output .stderr") for page in lessons.values()]
    assert errors == [[]] * 9
    outputs = [output.get_text() for output in lessons["06_in_the_wild"].select(".cell_output")]
    assert len(outputs) > 20
    assert not [text for text in outputs if "is not installed" in text]


def test_search_finds_causal_and_leads_to_the_lesson(opened):
    page = opened("index.html")
    page.locator(".sidebar-search").fill("causal")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    page.locator("#search-results a", has_text="Masks: who may attend to whom").first.click()
    assert page.locator("h1").inner_text().startswith("1. Masks")


def test_a_picture_answers_the_keys(opened):
    page = opened(MASKS)
    picture = page.locator(".touch").first
    assert picture.locator(".live").get_attribute("data-weights") == "0.2689 0.7311 0.0000"  # query (0, 1)
    picture.get_by_role("slider", name="query", exact=True).focus()
    page.keyboard.press("ArrowRight")
    moved = picture.locator('.live[data-weights="0.2891 0.7109 0.0000"]')  # query (0.1, 1)
    moved.wait_for(timeout=5000)


def test_a_reader_can_choose_dark_and_it_stays(opened):
    page = opened(MASKS)
    ground = "getComputedStyle(document.body).backgroundColor"
    code = "getComputedStyle(document.querySelector('.cell_input')).backgroundColor"
    light = page.evaluate(f"[{ground}, {code}]")
    while page.evaluate("document.body.dataset.theme") != "dark":
        page.locator(".theme-toggle:visible").first.click()
    dark = page.evaluate(f"[{ground}, {code}]")
    assert all(item != other for item, other in zip(light, dark, strict=True))
    page.reload()
    assert page.evaluate(ground) == dark[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(opened, site, theme):
    page = opened("index.html", width=380, theme=theme)
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 380, path.name
