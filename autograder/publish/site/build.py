"""The project in, the site out: lessons are run, pages are gathered, and Sphinx makes HTML of them."""

import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from autograder.publish import bundle
from autograder.publish.leaks import MARKER, refuse_answers, secret_regions
from autograder.publish.lesson import current, lesson_sources

from . import pages
from .lesson_page import errors, lesson_page

SPHINX = Path(__file__).with_name("sphinx")  # its conf.py, and the style
PICTURES = (".png", ".gif", ".svg")
MARK = "searchindex.js"  # a folder with it is a site, and may be replaced


class SiteError(ValueError):
    """Why there is no site: the message says what to do."""


def build_site(root, out, say=print):
    """Write the site to the folder `out`, whole or not at all, and return how many pages it has."""
    if out.exists() and not (out / MARK).is_file():
        raise SiteError(f"{out} is there and is no site: move it away, or name another folder.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".site-") as work:
        source, site = Path(work) / "source", Path(work) / "site"
        write_docs(root, source)
        write_lessons(root, source, say)
        refuse_all_answers(root, source)
        run_sphinx(source, site)
        if out.exists():
            shutil.rmtree(out)
        site.rename(out)
    return len(list(out.rglob("*.html")))


def write_docs(root, source):
    """The README as the first page, docs/ with its pictures, and the notebooks as they are given out."""
    put(source / "index.md", pages.first_page(root))
    for page in root.glob("docs/**/*.md"):
        put(source / page.relative_to(root), pages.inner_links(page.read_text(encoding="utf-8")))
    for picture in (path for path in root.glob("docs/**/*") if path.suffix in PICTURES):
        put(source / picture.relative_to(root), picture.read_bytes())
    for lesson in pages.lessons(root):
        put(source / "given" / f"{lesson}.ipynb", notebook_of(root, lesson).read_bytes())


def write_lessons(root, source, say):
    """Run the lessons, several at a time, and write their pages."""

    def write(lesson):
        begun = time.monotonic()
        page, pictures = lesson_page(root, notebook_of(root, lesson))
        folder = source / "notebooks" / lesson
        for name, data in pictures.items():
            put(folder / name, data)
        put(folder / f"{lesson}.ipynb", nbformat.writes(page))
        say(f"{lesson:20} {time.monotonic() - begun:4.0f} s, {errors(page)} cells end with an error")

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        list(pool.map(write, pages.lessons(root)))


def notebook_of(root, lesson):
    return root / "notebooks" / lesson / f"{lesson}.ipynb"


def put(file, content):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def refuse_all_answers(root, source):
    """Raise LessonError when a page holds a part of an answer; docs/ may name the marks of answers."""
    secret = [region for py in lesson_sources(root) for region in secret_regions(current(py))]
    refuse_answers(secret, texts(source), "The site is not made: ")


def texts(source):
    """{where: text} of all pages, with what the cells of lessons say, and of the notebooks to download."""
    texts = {}
    for page in source.rglob("*.md"):
        texts[str(page.relative_to(source))] = MARKER.sub("", page.read_text(encoding="utf-8"))
    for page in source.glob("notebooks/*/*.ipynb"):
        notebook = nbformat.read(page, as_version=4)
        texts_of_cells = [cell.source for cell in notebook.cells]
        texts_of_cells += [
            text for cell in notebook.cells for o in cell.get("outputs", []) for text in words(o)
        ]
        texts[str(page.relative_to(source))] = "\n".join(texts_of_cells)
    downloads = {f"given/{path.name}": path.read_bytes() for path in source.glob("given/*.ipynb")}
    return texts | bundle.texts(downloads)


def words(output):
    """The texts of an output."""
    traceback = output.get("traceback", [])
    return [*output.get("data", {}).values(), output.get("text", ""), *traceback]


def run_sphinx(source, site):
    """Let Sphinx make the pages. What it warns of, such as a link that leads nowhere, is an error."""
    try:
        from sphinx.cmd.build import build_main
    except ModuleNotFoundError:
        raise SiteError("The site is made by Sphinx, which is not installed here: run `make site`.") from None
    options = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(SPHINX), "-d", str(site) + ".read"]
    if build_main([*options, str(source), str(site)]):
        raise SiteError("The site is not made: what is to be mended stands above.")
