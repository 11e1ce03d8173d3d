"""How a question reads: a Question comes in, markdown goes out, and HTML for a card or a form."""

from ..show.card import code_spans
from ..show.tables import tag

STYLES = {
    "p": "margin:.4em 0",
    "ul": "margin:.4em 0",
    "code": "background:#8882;color:inherit",
}  # like a card's


def as_markdown(question, again=False):
    """The prompt (or its wording for the second time), and below it what is chosen from."""
    prompt = (again and question.again) or question.prompt
    choices = [
        f"- **{letter}** · {text}" for letter, text in zip(question.letters, question.choices, strict=True)
    ]
    return "\n\n".join([prompt.strip(), "\n".join(choices)]).strip()


def as_html(markdown):
    """Markdown as HTML. mistune comes with JupyterLab; without it there are paragraphs, and code in them."""
    try:
        from mistune import create_markdown
    except ImportError:
        return "".join(tag("p", STYLES["p"], code_spans(part)) for part in markdown.split("\n\n"))
    page = create_markdown(escape=True, plugins=["table"])(markdown)
    for name, style in STYLES.items():
        page = page.replace(f"<{name}>", f'<{name} style="{style}">')
    return page
