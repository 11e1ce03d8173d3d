"""Where a solution calls a library's ready-made attention: worth a note, never points."""
import ast

from .syntax import tree_of

READY_MADE = {
    "scaled_dot_product_attention", "multi_head_attention_forward", "MultiheadAttention", "flex_attention", "TransformerEncoderLayer",
    "TransformerDecoderLayer", "_scaled_dot_product_attention_math", "_native_multi_head_attention", "flash_attn_func",
}  # fmt: skip
OWN = {"self", "cls", "super"}


def ready_made(source):
    """[(line number, name)]: attributes of a module, and names imported from one, under whatever other name."""
    nodes = list(ast.walk(tree_of(source)))
    imported = {alias.asname or alias.name: alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    found = [(node.lineno, name) for node in nodes if (name := used(node, imported)) in READY_MADE]
    return sorted(dict.fromkeys(found))


def used(node, imported):
    """The library's name that this node uses, if any."""
    if isinstance(node, ast.Attribute):
        return None if isinstance(node.value, ast.Name) and node.value.id in OWN else node.attr
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return imported.get(node.id)
    return None


def told(line, name, place=""):
    """The note, in a sentence."""
    return f"Ready-made attention ({name}) is called in {place}line {line}; the points are the same."
