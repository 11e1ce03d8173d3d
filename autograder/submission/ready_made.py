"""Where a solution calls what it is about, ready-made, from a library: worth a note, never points."""

import ast
import re

from course_utils.source import first_name, tree_of

READY_MADE = re.compile(
    r"_?(scaled_)?dot_product_\w*attention\w*|_native_multi_head_attention|multi_head_attention_forward"
    r"|MultiheadAttention|MultiHeadDotProductAttention|flex_attention|_?(flash|efficient)_att\w+|Transformer(En|De)coderLayer"
)
# calls to note inside the definition of softmax
SOFTMAX = {"softmax", "Softmax", "log_softmax", "LogSoftmax", "_softmax", "_log_softmax", "_safe_softmax"}
OWN_OBJECTS, LIBRARIES = {"self", "cls", "super"}, {"F", "nn", "torch", "functional"}


def ready_made_in(cells):
    """[sentence] on calls of what an exercise is about, ready-made."""
    suspects = [cell for cell in cells if "def softmax" in cell.source or READY_MADE.search(cell.source)]
    methods = {name for cell in suspects for name in methods_in(cell.source)}
    return [
        note_on(*use, f"cell {cell.number} of the notebook, ")
        for cell in suspects
        for use in ready_made(cell.source, methods)
    ]


def ready_made(source, methods):
    """[(line number, library's name)] of ready-made functions in a cell: attributes (F.softmax) and imported
    names, also under another name.

    methods: names of methods of the notebook's own classes; an attribute of such a name counts only where it
    belongs to a module or an imported name.
    """
    nodes = list(ast.walk(tree_of(source)))
    imported = {
        alias.asname or alias.name: alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    modules = {
        (alias.asname or alias.name).split(".")[0]
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    libraries = LIBRARIES | modules | set(imported)
    softmaxes = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == "softmax"]
    inside = {id(node) for function in softmaxes for node in ast.walk(function)}
    notes = {
        (node.lineno, name)
        for node in nodes
        if (name := used(node, imported, libraries, methods))
        and (READY_MADE.fullmatch(name) or (name in SOFTMAX and id(node) in inside))
    }
    return sorted(notes)


def methods_in(source):
    """The names of the functions that its classes hold."""
    inside = [node for cls in ast.walk(tree_of(source)) if isinstance(cls, ast.ClassDef) for node in cls.body]
    return {node.name for node in inside if isinstance(node, ast.FunctionDef)}


def used(node, imported, libraries, methods):
    """The library's name that this node uses, if any; imported: {name in the cell: the library's name}."""
    if isinstance(node, ast.Attribute):
        of = first_name(node)
        own = isinstance(node.value, ast.Name) and of in OWN_OBJECTS
        is_library = of in libraries if node.attr in methods else not own
        return node.attr if is_library else None
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return imported.get(node.id)
    return None


def note_on(line, name, place=""):
    """The sentence for one call. place: where the line is, such as "cell 3 of the notebook, "."""
    kind = "softmax" if name in SOFTMAX else "attention"
    return f"Ready-made {kind} ({name}) is called in {place}line {line}; the points are the same."
