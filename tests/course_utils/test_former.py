"""What earlier lessons import from the course can be imported; what is gone says so when it is used."""

import ast
import re

import pytest

from autograder.releases import store
from course_utils.source import tree_of

GONE = "`prose` was part of course_utils up to 2026-11-24 and is gone: `make lab` puts the newer lesson, .*"


def test_everything_that_a_kept_release_imports_from_the_course_can_be_imported():
    releases = [store.find(*place) for place in store.kept_files()]
    cells = {
        cell.source for release in releases for cell in release.skeleton().cells if cell.cell_type == "code"
    }
    nodes = [node for cell in cells for node in ast.walk(tree_of(cell)) if isinstance(node, ast.ImportFrom)]
    imports = {f"from {node.module} import {alias.name}" for node in nodes for alias in node.names}
    imports = [line for line in imports if line.startswith("from course_utils")]
    assert len(imports) > 80
    for line in imports:
        exec(line)


def test_only_what_uses_a_former_name_ends_with_an_error():
    space = {}
    exec(store.find("06_in_the_wild", "526d8e4ca827").setup, space)
    assert "assert_close" in space, "the last line of the set-up cell"
    for use in ("prose()", "prose.name", "prose[0]", "list(prose)", "class Mine(prose): ..."):
        with pytest.raises(NameError, match=GONE):
            exec(use, space)
    assert re.fullmatch(GONE, f"{space['prose']}"), "printed, it says so, too"
    assert hasattr(space["prose"], "__len__") is False
    with pytest.raises(ImportError, match="cannot import name 'verse'"):
        exec("from course_utils.wild.text import verse")
