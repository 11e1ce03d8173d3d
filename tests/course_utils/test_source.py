"""The names that a cell binds, changes and uses are read as Python and IPython read them."""

import pytest

from course_utils.source import LONGEST, definition, meaning, names_in, statements

HOSTILE = [
    "\n" * 250_000,
    "check(" * 40_000,
    " " * 250_000 + "x",
    'yours("' * 40_000,
    "-" * 40_000 + "1",
    "(" * 5000,
    "a" + ".b" * 20_000,
    "x = [" * 8000,
    "if 1:\n pass\n" + "elif 1:\n pass\n" * 3000,
    "def f():\n  " + "await " * 7000,
    "```\n" + "\n```" * 20_000 + "x",
    "x" + "\u0301\u0316" * 20_000,
    "x" + "\u0f73" * 20_000 + "\uff9e" * 20_000,
]


@pytest.mark.parametrize(
    ("source", "variant"),
    [
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = [1]", "x = [1, 1]"),
        ("x = 'a'", "x = b'a'"),
        ("f(a=1)", "f(b=1)"),
        ("x - y", "y - x"),
        ("def f():\n    global a", "def f():\n    global b"),
        ("x = -1", "x = +1"),
        ("f(*a)", "f(**a)"),
        ("{**x, k: v}", "{k: x, **v}"),
        ("if x:\n    y\nz", "if x:\n    y\n    z"),
    ],
)
def test_different_code_has_a_different_meaning_and_comments_have_none(source, variant):
    assert meaning(source) != meaning(variant)
    assert meaning(source) == meaning(f"# yes\n{source}  # no\n\n")


@pytest.mark.parametrize(
    ("source", "defined", "used"),
    [
        ("def f(x):\n    return mask(x)\ndef g(mask):\n    return mask", "f g", "mask"),
        ("def f(a=a):\n    return a", "f", "a"),
        ("class A:\n    z = 1\n    def f(self):\n        return z", "A", "z"),
        ("[i for i in i]", "", "i"),
        ("def f():\n    global n\n    n = 1\nf()\nprint(n)", "f", ""),
        ("def f():\n    global n\n    return n", "f", "n"),
        ("def f():\n    x = 1\n    return lambda: x + y", "f", "y"),
        (
            "match p:\n    case [a, *b]:\n        c = a, b\n    case {'k': d, **e}:\n        pass",
            "a b c d e",
            "p",
        ),
        (
            "x = x / 2\ny += 1\nfor z in z:\n    print(z)\ndel w\nv: int = v\nu = [u for u in u]",
            "x y z v u",
            "x y z w v u",
        ),
        (
            "print(a)\na = b = 1\nprint(b)\nfor c in [b]:\n    print(c)\nif d := 2:\n    d += 1",
            "a b c d",
            "a",
        ),
        ("files = !ls {folder}\nresult = await f()", "files result", "f"),
        ("%%time\ny = f(x)", "y", "f x"),
        ("\n\n%%capture out\ny = f(x)", "y", "f x"),
        ("%%writefile y.py\ny = f(x)", "", ""),
        ("%%bash\nls", "", ""),
        (">>> def f(x):\n...     return y", "f", "y"),
        ("    !pip install \\\n        einops\n    y = f(x)", "y", "f x"),
        ("!echo it's\nx = 1\n!echo it's\ny = f(x)\nf?", "x y", "f"),
        ("?f\nx = ('%d'\n% 3)\n!ls", "x", ""),
        ("from mine import *\nimport a.b as c, d.e", "* c d", ""),
        ("try:\n    import numpy as np\nexcept ImportError:\n    np = None", "np", ""),
        ("%timeit -n 3 -r2 f(x)\nbest = %timeit -o g(x)\n%time y = h(x)\n%prun k(x)", "best y", "f g h x"),
        ("# ma\u0301scara \u4e2d\u6587 \uff9e\nd\u00e9j\u00e0 = e\u0301 = 1", "d\u00e9j\u00e0 \u00e9", ""),
        ("first, *others = !ls\nkept[0] = %pwd\nsame = first == 'w=%s' % f()", "first others same", "f kept"),
    ],
)
def test_defined_and_used_names_are_those_of_python_and_ipython(source, defined, used):
    assert names_in(source) == (set(defined.split()), set(used.split()))


def test_reading_a_cell_shows_none_of_pythons_syntax_warnings(recwarn):
    assert names_in('title = "$\\sigma$"\nx = 0if title else 1')[0] == {"title", "x"}
    assert not recwarn.list


STATEMENTS = [
    [
        "a = 1\n",
        "@a\n@b\ndef f():\n    return '''\n1\n'''",
        "print(a); b = 2",
        "c = (3,\n 4); d = 5\n",
    ],
    ["%time f()", "x = !ls", "y = 1"],
    ["%%time", "x = 1", "y = 2"],
    ["%%writefile mine.py\nx = 1\ny = 2"],
    ["def f(:\nx = 1"],
    [""],
    ["a = 1; \\\nb.c = 2"],  # its first line alone is not Python
    ["\\\ndef f():\n    pass"],
    ["x = 1", "y = x + \\\n  2", "z = 3"],
    ["; \u2028(1,\n2)"],
]


@pytest.mark.parametrize("parts", STATEMENTS)
def test_a_cell_is_split_into_its_statements(parts):
    items = statements("\n".join(parts))
    assert [item.text for item in items] == parts
    assert all(isinstance(item.bound | item.used | item.changed, frozenset) for item in items)


@pytest.mark.parametrize("source", HOSTILE)
def test_texts_made_to_break_the_parser_yield_no_names(source):
    assert {"__name__", "zz"} & names_in(source).bound == set()
    assert names_in(source + "\nzz = 1").bound <= {"f", "zz", "x"}
    assert meaning(source) == () or len(source) < LONGEST
    assert "".join(item.text for item in statements(source)).replace("\n", "") == source.replace("\n", "")


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x.y = 1", "x"),
        ("x[0].y += 1", "x"),
        ("del x.y", "x"),
        ("x.y.append(z)", "x"),
        ("setattr(x, 'y', z)", "x"),
        ("@added(to=x)\ndef f(self): self.y = 1", "x"),
        ("for z in y:\n    x[z] = 1", "x"),
        ("x = y.z", ""),
        ("print(x)", ""),
        ("f(x).y()", ""),
        ("def f():\n    x.y = 1", ""),
    ],
)
def test_the_objects_that_a_statement_changes_are_recognised(source, changed):
    [statement] = statements(source)
    assert statement.changed == set(changed.split())


def test_line_numbers_are_those_of_the_cell():
    source = "\n!pip install \\\n   x\n>>> not this\n\nx = !ls\ny = 1\n"
    assert [item.line for item in statements(source.replace(">>> not this", "z = 2"))] == [2, 4, 6, 7]


def test_a_definition_comes_after_the_latest_versions_of_what_it_uses():
    cells = ["def f():\n    return g(1)", "g = 1", "import os", "def g(x):\n    return np.exp(x)"]
    cells += ["try:\n    import numpy as np\nexcept ImportError:\n    np = None", "if 1:\n    import os"]
    texts = definition("f", [item for cell in cells for item in statements(cell)])
    assert texts == [cells[4], cells[3], cells[0]]
    assert definition("h", statements(cells[0])) == []


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("a" * 1_000 + "?", "a" * 3_000 + "?"),  # IPython searches for `?` in quadratic time
        # each is replaced in a copy of the text
        ("!ls\n" * 190 + "x = 1\n" * 100, "!ls\n" * 190 + "x = 1\n" * 5000),
    ],
)
def test_text_that_ipython_would_parse_too_slowly_is_not_read(short, long):
    assert names_in("x = 1\n" + short).bound == {"x"}
    assert names_in("x = 1\n" + long).bound == set()
    assert names_in("!ls\n" * 5 + "x = 1\n" * 5000).bound == {"x"}
