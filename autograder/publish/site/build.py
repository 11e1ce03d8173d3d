"""Build the site: run the lessons, gather the pages, and let Sphinx convert them to HTML."""

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from autograder.publish import bundle
from autograder.publish.leaks import MARKER, refuse_all_answers
from autograder.publish.lesson import LessonError

from . import pages
from .lesson_page import lesson_page

SPHINX = Path(__file__).with_name("sphinx")  # holds conf.py and the style sheet
PICTURES = (".png", ".gif", ".svg")
NO_SPHINX = "The site is made by Sphinx, which is not installed here: run `make site`."
MARK = "searchindex.js"  # a folder with this file is a site, and may be replaced


def build_site(root, out):
    """Write the site to the folder `out` and return its number of pages; an error leaves `out` unchanged."""
    if out.exists() and not (out / MARK).is_file():
        raise LessonError(f"{out} exists and is not a site: move it away, or name another folder.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".site-") as work:
        source, site = Path(work) / "source", Path(work) / "site"
        write_docs(root, source)
        write_lessons(root, source)
        refuse_all_answers(root, texts(source), "The site was not built: ")
        run_sphinx(source, site)
        if out.exists():
            shutil.rmtree(out)
        site.rename(out)
    return len(list(out.rglob("*.html")))


def write_docs(root, source):
    """Write the README as the first page, docs/ with its pictures, and the notebooks to download."""
    put(source / "index.md", pages.first_page(root))
    for page in root.glob("docs/**/*.md"):
        put(source / page.relative_to(root), pages.inner_links(page.read_text(encoding="utf-8")))
    for picture in (path for path in root.glob("docs/**/*") if path.suffix in PICTURES):
        put(source / picture.relative_to(root), picture.read_bytes())
    for lesson in pages.lessons(root):
        put(source / "given" / f"{lesson}.ipynb", notebook_of(root, lesson).read_bytes())


def write_lessons(root, source):
    """Run the lessons, several at a time, and write their pages."""

    def write(lesson):
        page, pictures = lesson_page(root, notebook_of(root, lesson))
        for name, data in {**pictures, f"{lesson}.ipynb": nbformat.writes(page)}.items():
            put(source / "notebooks" / lesson / name, data)

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        list(pool.map(write, pages.lessons(root)))


def notebook_of(root, lesson):
    return root / "notebooks" / lesson / f"{lesson}.ipynb"


def put(file, content):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def texts(source):
    """{place: text} of all pages and notebooks. In Markdown pages, markers such as BEGIN SOLUTION are
    removed: the docs may explain them."""
    paths = [path for path in source.rglob("*") if path.suffix in (".md", ".ipynb")]
    texts = bundle.texts({path.relative_to(source).as_posix(): path.read_bytes() for path in paths})
    return texts | {name: MARKER.sub("", text) for name, text in texts.items() if name.endswith(".md")}


def run_sphinx(source, site):
    """Let Sphinx write the pages. Its warnings, such as a broken link, are errors."""
    try:
        from sphinx.cmd.build import build_main
    except ModuleNotFoundError:
        raise LessonError(NO_SPHINX) from None
    options = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(SPHINX), "-d", str(site) + ".read"]
    if build_main([*options, str(source), str(site)]):
        raise LessonError("The site was not built: the errors are listed above.")
