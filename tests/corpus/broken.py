"""Files that cannot be graded: {name: (bytes, words of the reason)}."""

import json

from .notebooks import LESSON, as_bytes, changed, code_cell, released, released_text


def without_course():
    nb = released()
    nb["cells"] = [code_cell("print('another course')")]
    return nb


def every_cell(**values):
    nb = released()
    for cell in nb["cells"]:
        cell.update(values)
    return nb


SOLVED = changed(lambda nb: None)
FILES = {
    "empty": (b"", "empty"),
    "white_space": (b" \n\r\n\t", "empty"),
    "zeros": (bytes(1000), "UTF-8"),
    "cut_off": (SOLVED[: len(SOLVED) // 2], "cut off"),
    "cut_in_the_first_line": (b'{"cells": [', "cut off"),
    "a_picture": (b"\x89PNG\r\n\x1a\n" + bytes(200), "UTF-8"),
    "a_pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(200), "a PDF"),
    "a_zip": (b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff\xff" + bytes(200), "an archive"),
    "a_web_page": (b"<!DOCTYPE html><html><body>Sign in</body></html>", "a web page"),
    "a_link": (b"https://colab.research.google.com/drive/x", "a link"),
    "python": (b"def softmax(x):\n    return x\n", "it is not a notebook"),
    "latin_1": (SOLVED.decode().replace("Masks", "M\u00e4sks").encode("latin-1"), "such as cp1252"),
    "half_of_utf_16": (b"\xff\xfe" + released_text().encode("utf-16-le")[:-1], "UTF-8"),
    "a_list": (b"[]", "format 4"),
    "a_number": (b"4", "format 4"),
    "null": (b"null", "format 4"),
    "a_string": (b'"cells"', "format 4"),
    "no_cells": (b'{"nbformat": 4, "metadata": {}}', "format 4"),
    "cells_as_text": (b'{"nbformat": 4, "cells": "softmax"}', "format 4"),
    "format_3": (json.dumps({"nbformat": 3, "worksheets": [{"cells": []}]}).encode(), "format 3"),
    "format_5": (as_bytes({**released(), "nbformat": 5}), "format 5"),
    "format_nan": (SOLVED.replace(b'"nbformat": 4,', b'"nbformat": 4.5e400,'), "format"),
    "nested_without_end": (b'{"cells": ' + b"[" * 200_000, "nested"),
    "nested_and_closed": (b'{"cells": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", "nested"),
    "nested_objects": (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested"),
    "lists_without_number": (b'{"cells": [' + b"[[]]," * 800_000 + b"[]]}", "lists and objects"),
    "too_large": (SOLVED + b" " * 21_000_000, "MB"),
    "too_many_cells": (as_bytes({**released(), "cells": [code_cell("1")] * 3000}), "cells"),
    "too_much_code": (as_bytes({**released(), "cells": [code_cell("x = 1\n" * 400_000)]}), "characters"),
    "another_course": (as_bytes(without_course()), LESSON),
    "no_cell_at_all": (as_bytes({**released(), "cells": []}), LESSON),
    "cells_of_odd_kinds": (as_bytes({**released(), "cells": [None, 1, [], "x", {}, {"source": 5}]}), LESSON),
    "all_sources_numbers": (as_bytes(every_cell(source=7)), LESSON),
    "two_files_in_one": (SOLVED + SOLVED, "JSON"),
    "conflict_inside": (b'{\n<<<<<<< HEAD\n "cells": []\n=======\n>>>>>>> main\n}', "could not merge"),
    "conflict_of_versions": (b"<<<<<<< mine\n" + SOLVED, "could not merge"),
}
