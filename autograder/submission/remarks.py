"""Find what a person should look at: the words of words.toml, and copies of the course's stand-ins by their
similarity. Code is searched as Python reads it, without comments and docstrings. No points change."""

import ast
import contextlib
import io
import re
import tokenize
import tomllib
from functools import cache
from itertools import accumulate
from pathlib import Path
from unicodedata import normalize

import course_utils
from autograder.notes import REMARK, Note
from course_utils.source import cache_usual_cells, parse, read

from .pieces import code_pieces

STAND_INS = Path(course_utils.__file__).parent / "standins.py"
WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
SOFTMAX = {re.findall(r"\w+", word)[-1] for word in WORDS["softmax"]}
MOST = 20  # words listed of one cell
SMALL, ALIKE = 30, 0.8  # pieces of a stand-in; with fewer, right answers look the same. Share that a copy has
LAYOUT = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER}
LONGEST_NAME = 200  # characters; longer ones are no listed word, and normalising one can take minutes
YOURS = "yours('"  # what stands before the name of the course's own stand-in
IMPORT = re.compile(r"\bimport\b")
BOUND = re.compile(r"\b(?:def|class) (\w+)|\b(\w+)=(?!=)")
LIBRARIES = "torch|nn|functional|F"
ALIAS = re.compile(rf"\bas (\w+)|\b(\w+)=[\w.]*\b(?:{LIBRARIES})$", re.M)
REACHES = "{} is used in cell {} of the notebook, line {}: check why; the points are not affected."
COPIED = "Cell {} of the notebook holds the course's stand-in for {}; the points are not affected."


def remarks_on(submission, cells_used):
    """Return the remarks as Notes. cells_used: those that an answer uses."""
    texts, own = [], {cell.number: cell for cell in submission.own}
    codes = {number: statements_of(cell.source) for number, cell in own.items()}
    names = Names(codes.values())
    for number, cell in own.items():
        is_used = cell in cells_used or cell.source.lstrip().startswith("%%") or not read(cell.source).is_all
        if is_used:
            texts += [note_on(*use, number) for use in names.ready_made(codes[number], "attention")]
        kinds = ("reaches", "needless", "needless_names", "modules") if is_used else ("reaches",)
        texts += [REACHES.format(word, number, line) for line, word, _ in words_in(codes[number], *kinds)]
        texts += [COPIED.format(number, name) for name in stand_ins_in(cell.source)]
    for line in submission.lines_of("softmax"):
        code, above = statements_of(line.statement.text), line.statement.line - 1
        if line.cell in own:
            uses = names.ready_made(code, "softmax")
            texts += [note_on(above + number, name, line.cell) for number, name in uses]
            words = words_in(code, "needless_in_softmax")
            texts += [REACHES.format(word[1:], line.cell, above + number) for number, word, _ in words]
    return [Note(REMARK, text) for text in dict.fromkeys(texts)]


# ---- code as Python reads it


@cache_usual_cells
def statements_of(source):
    """Return the statements of a cell, each as a list of (line, text), one for each token. Names are
    normalised, a string stands as its value in single quotes, `from a import b` is `import a.b`, and white
    space stands only between words. What Python's tokenizer cannot read stays as it is, in lines."""
    statements, tokens, end, is_text = [], [], (1, 0), True
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NEWLINE or token.string == ";":
                statements += [] if is_text else [without_from(tokens)]  # a text alone is a docstring
                tokens, is_text = [], True
            elif token.type not in LAYOUT:
                text, last = text_of(token), tokens[-1][1] if tokens else ""
                is_text = is_text and (is_plain_text(token) or text in "()")
                if last[-1:] == text[:1] == "'":  # Python joins two texts
                    tokens[-1], text = (tokens[-1][0], last[:-1]), text[1:]
                is_apart = token.start != end and is_word(last[-1:]) and is_word(text[:1])
                tokens.append((token.start[0], f" {text}" if is_apart else text))
            end = token.end
    rest = source.split("\n")[end[0] - 1 :]
    unread = [line[end[1] if n == 0 else 0 :] for n, line in enumerate(rest)]
    return [*statements, tokens, *([(end[0] + n, line)] for n, line in enumerate(unread) if line)]


def is_word(character):
    return character.isalnum() or character == "_"


def is_plain_text(token):
    """Is it a string, other than an f-string, whose code runs?"""
    return token.type == tokenize.STRING and "f" not in token.string.partition(token.string[-1])[0].lower()


def text_of(token):
    """Return a token's text as Python reads it; of an f-string, also the code in it."""
    string = token.string
    if token.type != tokenize.STRING:
        return string if string.isascii() or len(string) > LONGEST_NAME else normalize("NFKC", string)
    if string[0] in "'\"" and "\\" not in string:
        marks = 3 if string[:3] in ("'''", '"""') else 1
        return f"'{string[marks:-marks]}'"
    try:
        (statement,) = parse(string).body
        parts = getattr(statement.value, "values", [statement.value])
        values = [part.value if isinstance(part, ast.Constant) else ast.unparse(part.value) for part in parts]
    except Exception:  # see course_utils.source.read
        return string
    return f"'{''.join(map(str, values))}'"


def without_from(tokens):
    """Return the tokens of `from a import b, c` as those of `import a.b, a.c`; others as they are."""
    words = [text.strip() for _, text in tokens]
    end = words.index("import") if "import" in words else 0
    if "from" not in words[:end]:
        return tokens
    start = end - 1 - words[:end][::-1].index("from")
    module, new = "".join(words[start + 1 : end]), [*tokens[:start], (tokens[end][0], " import")]
    for before, (line, text) in zip(words[end:], tokens[end + 1 :], strict=False):
        is_name = before in ("import", "(", ",") and text.strip() not in ("(", ")")
        new.append((line, f" {module}.{text.strip()}" if is_name else text))
    return [token for token in new if token[1] not in ("(", ")")]


# ---- words


def words_in(statements, *kinds):
    """Return [(line, word, the code before it in its statement)] of the words of these kinds."""
    words = []
    for tokens in statements:
        code = "".join(text for _, text in tokens)
        imports = IMPORT.search(code)
        for kind in kinds:
            start = 0 if kind != "modules" else imports.end() if imports else len(code)
            for match in pattern_of(kind).finditer(code, start):
                before = code[: match.start()]
                if not before.endswith(YOURS):
                    words.append((line_at(tokens, match.start()), match[0], before))
                if len(words) == MOST:
                    return words
    return words


def line_at(tokens, place):
    """Return the line of the token that stands at this place of the statement."""
    ends = accumulate(len(text) for _, text in tokens)
    return next(line for (line, _), end in zip(tokens, ends, strict=True) if end > place)


@cache
def pattern_of(kind):
    """The regular expression of a kind's words: see words.toml."""
    return re.compile("|".join(expression(word, kind) for word in WORDS[kind]))


def expression(word, kind):
    before = (
        r"(?<![\w.])" if kind in ("needless_names", "modules") else "" if word[0] in ".,[" else r"(?<!\w)"
    )
    after = r"(?!\w)" if word[-1].isalnum() or word[-1] in "_*" else ""
    return before + re.escape(word).replace(r"\*", r"\w{0,40}") + after


class Names:
    """The names that some code binds, which are not ready-made unless a library's name stands before them."""

    def __init__(self, codes):
        lines = ["".join(text for _, text in tokens) for code in codes for tokens in code]
        code = "\n".join(lines)
        self.own = {name for names in BOUND.findall(code) for name in names}
        aliases = {name for names in ALIAS.findall(code) for name in names if name}
        owners = "|".join([LIBRARIES, *map(re.escape, aliases)])
        self.library = re.compile(rf"\b(?:{owners})\.$|\bgetattr\([\w.]+,'$|(?:\)|__dict__)\['$")

    def ready_made(self, statements, kind):
        """Return [(line, library's name)] of ready-made code."""
        return [
            (line, re.findall(r"\w+", word)[-1])
            for line, word, before in words_in(statements, kind)
            if word not in self.own or self.library.search(before)
        ]


def note_on(line, name, cell=None):
    """Return the sentence for one use of ready-made code."""
    kind, place = "softmax" if name in SOFTMAX else "attention", f"cell {cell} of the notebook, "
    where = f"{place if cell else ''}line {line}"
    return f"Ready-made {kind} ({name}) is called in {where}; the points are not affected."


# ---- copies


@cache
def stand_ins():
    """Return {name: pieces} of the course's stand-ins that are long enough to be recognised."""
    body = parse(STAND_INS.read_text(encoding="utf-8")).body
    definitions = [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    pieces = {node.name: code_pieces(ast.unparse(node)).keys() for node in definitions}
    return {name: own for name, own in pieces.items() if len(own) >= SMALL}


def stand_ins_in(source):
    """Return the names of the stand-ins whose pieces are nearly all in the source."""
    pieces = code_pieces(source).keys()
    return [name for name, own in stand_ins().items() if len(own & pieces) >= ALIKE * len(own)]
