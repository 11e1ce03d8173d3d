"""The names that a module imports, from its syntax tree, and the file of a module."""

import ast

from tests.conftest import ROOT


def imported_by(node, module):
    """The names in an import statement of this module that may be modules."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    file = file_of(module)
    parts = [*module.split("."), *(["__init__"] if file and file.stem == "__init__" else [])]
    above = parts[: -node.level] if node.level else []
    package = ".".join([*above, *([node.module] if node.module else [])])
    return [package, *(f"{package}.{alias.name}" for alias in node.names)]


def file_of(module):
    """The module's file; None if the name is not a module, such as a function."""
    path = ROOT.joinpath(*module.split("."))
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)
