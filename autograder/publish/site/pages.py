"""The list of the site's pages, and the changes that a page of the project needs for the site."""

import re

GROUPS = {
    "To learn": ["students", "colab", "platforms", "interview", "schedule", "older_versions"],
    "Pictures": ["touch"],
    "To teach": ["instructors", "lms", "sandbox", "scale"],
    "To change the course": [
        "design",
        "contributing",
        "exercises",
        "questions",
        "flashcards",
        "sources",
        "maintaining",
    ],
}
REST = "More"  # the heading of pages that are in no group
PICTURE = re.compile(
    r'<picture>.*?srcset="(?P<dark>[^"]+)".*?<img src="(?P<light>[^"]+)"(?P<more>[^>]*)>.*?</picture>', re.S
)
BOTH_PICTURES = "\n\n".join(rf'<img class="only-{t}" src="\g<{t}>"\g<more>>' for t in ("light", "dark"))
LESSON = re.compile(r"^\| (?P<number>\d\d) (?P<title>[^|]+?) \|", re.M)


def lessons(root):
    return [path.parent.name for path in sorted(root.glob("notebooks/[0-9]*/*.ipynb"))]


def docs(root):
    """The pages in docs/, as paths without the suffix."""
    return [path.relative_to(root).with_suffix("").as_posix() for path in sorted(root.glob("docs/**/*.md"))]


def contents(root):
    """{heading: pages} of the navigation: every lesson and every page in docs/ exactly once."""
    documents = docs(root)
    groups = {
        head: [page for name in names if (page := f"docs/{name}") in documents]
        for head, names in GROUPS.items()
    }
    listed_pages = {page for pages in groups.values() for page in pages}
    groups[REST] = [page for page in documents if page not in listed_pages]
    lesson_pages = {"Lessons": [f"notebooks/{lesson}/{lesson}" for lesson in lessons(root)]}
    return {head: pages for head, pages in {**lesson_pages, **groups}.items() if pages}


def first_page(root):
    """The README with links to the lessons in its table, and hidden lists of pages for the navigation."""
    text = (root / "README.md").read_text(encoding="utf-8")
    lists = [toctree(heading, group) for heading, group in contents(root).items()]
    return "\n\n".join([link_lessons(with_theme_pictures(text), lessons(root)), *lists])


def toctree(heading, pages):
    return "\n".join([f"```{{toctree}}\n:hidden:\n:caption: {heading}\n", *pages, "```\n"])


def with_theme_pictures(text):
    """Replace GitHub's pictures for light and dark themes by ones that follow the page's own switch."""
    return PICTURE.sub(BOTH_PICTURES, text)


def link_lessons(text, names):
    """Turn the rows of the README's lesson table into links to the lessons."""
    by_number = {name[:2]: name for name in names}

    def row(match):
        name = by_number.get(match["number"])
        title = f"{match['number']} {match['title']}"
        return f"| [{title}](notebooks/{name}/{name}.ipynb) |" if name else match[0]

    return LESSON.sub(row, text)


def inner_links(text):
    """Point links to the README at the first page."""
    return re.sub(r"\]\(((?:\.\./)+)README\.md(#[^)]*)?\)", r"](\1index.md\2)", text)
