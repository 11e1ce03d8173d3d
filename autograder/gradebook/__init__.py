"""Writes GradedSubmissions to nbgrader's gradebook and pages, for `make grade`, nbgrader and formgrader.

Two slow imports that grading never uses are put off: nbgrader's server extensions, with the Jupyter server,
and a grammar of URIs that jsonschema builds.
"""

import importlib
import sys
from importlib.util import find_spec
from types import ModuleType

EXTENSIONS = "assignment_list", "course_list", "validate_assignment", "formgrader"


class OnDemand(ModuleType):
    """Stands in for a server extension of nbgrader, which a Jupyter server can still load."""

    def __init__(self, name, places):
        super().__init__(name)
        self.__path__ = [f"{place}/{'/'.join(name.split('.')[1:])}" for place in places]

    def load_jupyter_server_extension(self, app):
        del sys.modules[self.__name__]
        importlib.import_module(self.__name__).load_jupyter_server_extension(app)


spec = find_spec("nbgrader")
if spec and "nbgrader" not in sys.modules:
    for extension in (f"nbgrader.server_extensions.{name}" for name in EXTENSIONS):
        sys.modules[extension] = OnDemand(extension, spec.submodule_search_locations or ())
# jsonschema builds the grammar with this module; an empty one tells it that there is none
sys.modules.setdefault("rfc3987_syntax", ModuleType("rfc3987_syntax"))
