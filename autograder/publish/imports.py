"""Which modules of a package a piece of code needs, told from its import statements."""

import ast


def modules_for(code, package):
    """The files of `package` (a folder) that `code` imports, and all that they import in turn."""
    found, texts = set(), [(code, package.name)]
    while texts:
        new = {file for name in imported(*texts.pop()) for file in files_of(name, package)} - found
        found |= new
        texts += [(file.read_text(encoding="utf-8"), dotted(file.parent, package)) for file in new]
    return found


def imported(text, place):
    """The names in import statements and in texts like ".figures.masks", written in the package `place`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute("." * node.level + (node.module or ""), place)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("."):
            yield absolute(node.value, place)


def absolute(name, place):
    """The full name of `..module` written in the package `place`."""
    rest = name.lstrip(".")
    level = len(name) - len(rest)
    parents = place.split(".")[: len(place.split(".")) + 1 - level] if level else []
    return ".".join([*parents, rest] if rest else parents)


def files_of(name, package):
    """The module called `name`, if it is one of this package, and the packages around it."""
    top, *inner = name.split(".")
    place = package
    if top != package.name:
        return
    yield package / "__init__.py"
    for part in inner:
        place = place / part
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if not file.is_file():
            return
        yield file


def dotted(folder, package):
    return ".".join(folder.relative_to(package.parent).parts)
