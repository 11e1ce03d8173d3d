"""Writes GradedSubmissions to nbgrader's gradebook and pages, for `make grade`, nbgrader and formgrader.

Two slow imports that grading never uses are put off: nbgrader's server extensions, with the Jupyter server,
and a grammar of URIs that jsonschema builds.
"""

import importlib
import sys
from importlib.util import find_spec
from types import ModuleType

EXTENSIONS = "assignment_list", "course_list", "validate_assignment", "formgrader"


def on_demand(name):
    """A module in place of a server extension of nbgrader, which a Jupyter server still can load."""
    module = ModuleType(name)
    module.__path__ = [
        f"{place}/{'/'.join(name.split('.')[1:])}"
        for place in find_spec("nbgrader").submodule_search_locations
    ]

    def load_jupyter_server_extension(app):
        del sys.modules[name]
        importlib.import_module(name).load_jupyter_server_extension(app)

    module.load_jupyter_server_extension = load_jupyter_server_extension
    return module


if "nbgrader" not in sys.modules:
    for extension in (f"nbgrader.server_extensions.{name}" for name in EXTENSIONS):
        sys.modules[extension] = on_demand(extension)
sys.modules.setdefault("rfc3987_syntax", None)  # what builds the grammar
