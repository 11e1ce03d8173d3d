"""Find what a person should look at: the words of words.toml, and copies of the course's stand-ins by their
similarity. It sees what is written out, also in strings and under an alias; it does not see a name put
together from parts, or a stand-in rewritten or shorter than SMALL. No points change."""

import ast
import contextlib
import io
import re
import tokenize
import tomllib
from functools import cache
from itertools import islice
from pathlib import Path

import course_utils
from autograder.notes import REMARK, Note
from course_utils.source import parse, read

from .pieces import code_pieces

STAND_INS = Path(course_utils.__file__).parent / "standins.py"
WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
SOFTMAX = {re.findall(r"\w+", word)[-1] for word in WORDS["softmax"]}
MOST = 20  # words listed of one cell
SMALL, ALIKE = 30, 0.8  # pieces of a stand-in; with fewer, right answers look the same. Share that a copy has
YOURS = re.compile(r"""\byours\(\s*["']\w*["']\s*\)""")  # the course's own
BESIDE_TEXT = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT}
DEFINED = re.compile(r"\b(?:def|class)\s+(\w+)")
REACHES = "{} is used in cell {} of the notebook, line {}: check why; the points are not affected."
COPIED = "Cell {} of the notebook holds the course's stand-in for {}; the points are not affected."


def remarks_on(submission, cells_used):
    """Return the remarks as Notes. cells_used: those that an answer uses."""
    texts, own = [], {cell.number: cell for cell in submission.own}
    defined = {name for cell in own.values() for name in DEFINED.findall(code_of(cell.source))}
    for number, cell in own.items():
        is_used = cell in cells_used or cell.source.lstrip().startswith("%%") or not read(cell.source).is_all
        if is_used:
            texts += [note_on(*call, number) for call in ready_made(cell.source, "attention", defined)]
        kinds = ("reaches", "needless", "needless_names", "modules") if is_used else ("reaches",)
        texts += [REACHES.format(word, number, line) for line, word in words_in(cell.source, *kinds)]
        texts += [COPIED.format(number, name) for name in stand_ins_in(cell.source)]
    for line in submission.lines_of("softmax"):
        calls = ready_made(line.statement.text, "softmax") if line.cell in own else []
        texts += [note_on(n + line.statement.line - 1, word, line.cell) for n, word in calls]
    return [Note(REMARK, text) for text in dict.fromkeys(texts)]


@cache
def pattern_of(*kinds):
    return re.compile("|".join(expression(word, kind) for kind in kinds for word in WORDS[kind]))


def expression(word, kind):
    """The regular expression of a word: see words.toml."""
    before = r"(?<![\w.])" if kind == "needless_names" else "" if word[0] in ".,[" else r"(?<!\w)"
    if kind == "modules" or word.startswith("import "):
        before, word = r"\b(?:from|import)\b[^;=]{0,300}?(?<![\w.])", word.removeprefix("import ")
    return before + re.escape(word).replace(r"\*", r"\w{0,40}") + r"(?!\w)"


def words_in(source, *kinds):
    """Return [(line number, word)] of the words of these kinds in a cell's code."""
    code = YOURS.sub("", code_of(source))
    matches = islice(pattern_of(*kinds).finditer(code), MOST)
    return [(code.count("\n", 0, match.start()) + 1, " ".join(match[0].split())) for match in matches]


@cache
def code_of(source):
    """Return a cell's source without comments and without texts that are whole statements, as docstrings are;
    lines stay. What Python's tokenizer cannot read stays whole."""
    lines, texts = source.splitlines(keepends=True), []

    def blank(token):
        (first, start), (last, end) = token.start, token.end
        for n in range(first - 1, last):
            line, left, right = lines[n], start if n == first - 1 else 0, end if n == last - 1 else None
            inner = line[left:right]
            lines[n] = line[:left] + re.sub(r"[^\r\n]", " ", inner) + ("" if right is None else line[right:])

    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                blank(token)
            if token.type == tokenize.STRING and texts is not None:
                texts.append(token)
            elif token.type == tokenize.NEWLINE:
                for text in texts or ():
                    blank(text)
                texts = []
            elif token.type not in BESIDE_TEXT and token.string not in "()":
                texts = None  # the statement is more than a text
    return "".join(lines)


def ready_made(source, kind, defined=()):
    """Return [(line number, library's name)] of ready-made code, without names that the notebook defines."""
    own = {*defined, *DEFINED.findall(code_of(source))}
    return [(n, re.findall(r"\w+", word)[-1]) for n, word in words_in(source, kind) if word not in own]


def note_on(line, name, cell=None):
    """Return the sentence for one use of ready-made code."""
    kind, place = "softmax" if name in SOFTMAX else "attention", f"cell {cell} of the notebook, "
    where = f"{place if cell else ''}line {line}"
    return f"Ready-made {kind} ({name}) is called in {where}; the points are not affected."


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
