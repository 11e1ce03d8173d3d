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
def soups(site):
    """{path: parsed page}."""
    pages = site.rglob("*.html")
    return {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in pages}


@pytest.fixture
def open_site(site, chromium):
    """open_site(path) opens a page. Afterwards the test fails if a page made a request or an error."""
    errors, contexts = [], []

    def check_request(request):
        if not request.url.startswith(("file:", "data:", "blob:")):
            errors.append(request.url)

    def open_page(path, width=1100, theme="light"):
        size = {"width": width, "height": 900}
        context = chromium.new_context(viewport=size, color_scheme=theme, offline=True)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("request", check_request)
        page.goto((site / path).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def test_every_listed_page_exists_and_every_link_has_a_target(site, soups):
    listed_pages = {site / f"{page}.html" for pages in contents(ROOT).values() for page in pages}
    assert listed_pages <= soups.keys()
    places = {path: {result["id"] for result in page.find_all(id=True)} for path, page in soups.items()}
    link_count = 0
    for path, page in soups.items():
        for result in page.find_all(["a", "img", "script", "link"]):
            link = result.get("href") or result.get("src") or ""
            if link.startswith("data:") or (result.name == "a" and link.startswith(("http", "mailto:"))):
                continue
            target, place = urldefrag(link)
            goal = (path.parent / unquote(target.partition("?")[0])).resolve() if target else path
            assert goal.is_file(), f"{path.name}: {link}"
            assert not place or goal not in places or unquote(place) in places[goal], f"{path.name}: {link}"
            link_count += 1
    assert link_count > 1000


def test_no_page_of_the_site_holds_part_of_an_answer(soups):
    secrets = secret_pairs()
    assert [path.name for path, page in soups.items() if pairs_of(page.get_text()) & secrets] == []
    assert len(soups) > 20


def test_every_lessons_page_has_no_errors_and_lesson_6_used_every_library(site, soups):
    lessons = {path.stem: page for path, page in soups.items() if path.parent.parent == site / "notebooks"}
    assert len(lessons) == 9
    errors = [page.select(".cell_output .traceback, .cell_output .stderr") for page in lessons.values()]
    assert errors == [[]] * 9
    outputs = [output.get_text() for output in lessons["06_in_the_wild"].select(".cell_output")]
    assert len(outputs) > 20
    assert not [text for text in outputs if "is not installed" in text]


def test_the_search_for_causal_leads_to_the_lesson_on_masks(open_site):
    page = open_site("index.html")
    page.locator(".sidebar-search").fill("causal")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    page.locator("#search-results a", has_text="Masks: who may attend to whom").first.click()
    assert page.locator("h1").inner_text().startswith("1. Masks")


def test_an_interactive_picture_responds_to_keys(open_site):
    page = open_site(MASKS)
    picture = page.locator(".touch").first
    assert picture.locator(".live").get_attribute("data-weights") == "0.2689 0.7311 0.0000"  # query (0, 1)
    picture.get_by_role("slider", name="query", exact=True).focus()
    page.keyboard.press("ArrowRight")
    updated = picture.locator('.live[data-weights="0.2891 0.7109 0.0000"]')  # query (0.1, 1)
    updated.wait_for(timeout=5000)


def test_the_dark_theme_stays_after_a_reload(open_site):
    page = open_site(MASKS)
    ground = "getComputedStyle(document.body).backgroundColor"
    code = "getComputedStyle(document.querySelector('.cell_input')).backgroundColor"
    light = page.evaluate(f"[{ground}, {code}]")
    while page.evaluate("document.body.dataset.theme") != "dark":
        page.locator(".theme-toggle:visible").first.click()
    dark = page.evaluate(f"[{ground}, {code}]")
    assert all(light_colour != dark_colour for light_colour, dark_colour in zip(light, dark, strict=True))
    page.reload()
    assert page.evaluate(ground) == dark[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(open_site, site, theme):
    page = open_site("index.html", width=380, theme=theme)
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 380, path.name
