"""Where a solution calls what it is about, ready-made, from a library: worth a note, never points."""

import ast

from course_utils.source import first_name, tree_of

READY_MADE = {
    "scaled_dot_product_attention", "multi_head_attention_forward", "MultiheadAttention", "flex_attention",
    "TransformerEncoderLayer", "TransformerDecoderLayer", "_scaled_dot_product_attention_math",
    "_native_multi_head_attention",
    "flash_attn_func",
}  # fmt: skip
SOFTMAX = {"softmax", "Softmax", "log_softmax", "LogSoftmax", "_softmax", "_log_softmax", "_safe_softmax"}
BY_HAND = {"softmax": SOFTMAX}  # what an exercise asks to do without, in its own definition only
OWN, LIBRARIES = {"self", "cls", "super"}, {"F", "nn", "torch", "functional"}


def mentions_some(source):
    return any(name in source for name in READY_MADE) or any(f"def {name}" in source for name in BY_HAND)


def ready_made(source, methods):
    """[(line number, name)]: attributes of a module, and names imported from one, under whatever other name.
    `methods` are names of functions that classes of the notebook hold: such an attribute counts only where it
    is surely a library's."""
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
    looked_for = [
        (READY_MADE, nodes),
        *(
            (BY_HAND[f.name], ast.walk(f))
            for f in nodes
            if isinstance(f, ast.FunctionDef) and f.name in BY_HAND
        ),
    ]
    found = [
        (node.lineno, name)
        for names, where in looked_for
        for node in where
        if (name := used(node, imported, libraries, methods)) in names
    ]
    return sorted(dict.fromkeys(found))


def methods_in(source):
    """The names of the functions that its classes hold."""
    inside = [node for cls in ast.walk(tree_of(source)) if isinstance(cls, ast.ClassDef) for node in cls.body]
    return {node.name for node in inside if isinstance(node, ast.FunctionDef)}


def used(node, imported, libraries, methods):
    """The library's name that this node uses, if any."""
    if isinstance(node, ast.Attribute):
        of = first_name(node)
        theirs = (
            of in libraries if node.attr in methods else not (isinstance(node.value, ast.Name) and of in OWN)
        )
        return node.attr if theirs else None
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return imported.get(node.id)
    return None


def told(line, name, place=""):
    """The note, in a sentence."""
    kind = "softmax" if name in SOFTMAX else "attention"
    return f"Ready-made {kind} ({name}) is called in {place}line {line}; the points are the same."
