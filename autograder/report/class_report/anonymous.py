"""Code and sentences of students, without what says whose they are.

Removed from code: comments, docstrings, texts in quotes that are not the lesson's (float("inf"), "cpu" and
the patterns of einsum stay), and every statement beside imports, definitions and assignments. The layout is
Python's own. Names of variables, functions and arguments stay; but code in which one of them is a part of
its author's own name, as the gradebook has it, is not taken.
"""

import ast
import re

TEXT = "..."  # in the place of a text in quotes
SPECIAL = re.compile(r"[+-]?(inf|infinity|nan)", re.I)
SETTINGS = {"cpu", "cuda", "meta", "ij", "xy", "floor", "trunc", "none", "mean", "sum"}  # torch's own words
PATTERN = re.compile(r"[\w ().,]+->[\w ().,]*")
KEPT_STATEMENTS = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
LONGEST = 60  # lines
WORDS_OF_OURS = 4
SHORTEST_NAME = 3  # letters; a shorter one is a part of too many words
WORD = re.compile(r"[^\W\d_]+|\d+")


def anonymised(source, names=(), known=""):
    """The code without its author; None where it is no Python, too long, or names its author.

    names: of the author. known: the lesson's own text, whose texts in quotes may stay.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    tree.body = [statement for statement in tree.body if isinstance(statement, KEPT_STATEMENTS)]
    tree = WithoutTexts(known, own_words(names)).visit(tree)
    try:
        code = ast.unparse(ast.fix_missing_locations(tree))
    except RecursionError:
        return None
    return None if not code or code.count("\n") >= LONGEST or is_named(code, names) else code


class WithoutTexts(ast.NodeTransformer):
    def __init__(self, known, names):
        self.known, self.names = known, names

    def visit_FunctionDef(self, node):
        node.body = without_docstring(node.body) or [ast.Pass()]
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_Constant(self, node):
        if isinstance(node.value, bytes):
            return ast.Constant(TEXT.encode())
        return ast.Constant(TEXT) if isinstance(node.value, str) and not self.may_stay(node.value) else node

    def visit_JoinedStr(self, node):
        return ast.Constant(TEXT)

    def may_stay(self, text):
        lessons_own = f'"{text}"' in self.known or f"'{text}'" in self.known
        if text in SETTINGS or SPECIAL.fullmatch(text.strip()) or lessons_own:
            return True
        return bool(PATTERN.fullmatch(text)) and not set(words(text)) & self.names


def without_docstring(body):
    """Without all texts that stand alone, the first one and others."""
    return [
        s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant | ast.JoinedStr))
    ]


def words(text):
    """anna_softmax2 and annaSoftmax -> anna, softmax, 2."""
    return [word.lower() for word in WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))]


def own_words(names):
    """The words of a student's names that are long enough to be told from others, and each name as one."""
    split = {word for name in names for word in words(name)}
    whole = {"".join(words(name)) for name in names}
    return {word for word in split | whole if len(word) >= SHORTEST_NAME and not word.isdigit()} | {
        word for word in whole if len(word) >= SHORTEST_NAME
    }


def is_named(code, names):
    """Is one of the author's names a word of the code?"""
    own = own_words(names)
    found = words(code)
    joined = {"".join(pair) for pair in zip(found, found[1:], strict=False)}
    return not own.isdisjoint({*found, *joined})


def sentence_without(sentence, names):
    """A sentence's first part of four words or more, between colons, brackets and quotes, without the
    student's names: a file's name or a student's text stands in a part of its own, mostly a later one."""
    for name in sorted(names, key=len, reverse=True):
        sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "(name)", sentence)
    parts = (
        part.strip(" .,;") for part in re.split(r":\s|[(\"“`]|(?<!\w)'", sentence.replace("(name)", "\0"))
    )
    short = next((part for part in parts if len(part.split()) >= WORDS_OF_OURS), "")
    return f"{short}.".replace("\0", "(name)") if short else "A sentence that may hold a student's text."
