"""What somebody wrote for a mask comes in; whether its words call True open or masked goes out."""

import inspect
import re

from ..parameters import parameters
from ..words import texts_of

SAID = r"\b(true|1|ones?|false|0|zeros?)\b([^,;.\n)]*)"
OPEN = r"\b(may|can|allow\w*|attend\w*|visible|keeps?|kept|open|sees?|seen|looks?|permitted)\b"
MASKED = r"\b(mask(ed)?|block\w*|hid(e|den)|forbidden|ignored?|not|cannot|disallowed|illegal)\b|n't\b"
TURNED = r"return.*(~|not |== ?(0|false)|1 ?-|1\.0 ?-|logical_not)"
TAKES_ONE = r"mask|pad|valid|real|keep"  # the words may be about what comes in
MEANT = ("true is open", "true is masked")


def sense_of(obj):
    """(one of MEANT or "", is it said of what is returned?)."""
    loud = said_in(inspect.getdoc(obj) or "") | said_in(" ".join(returns_of(obj)))
    if len(loud) == 1:
        return loud.pop(), not any(re.search(TAKES_ONE, one.name.lower()) for one in parameters(obj))
    comments = said_in("\n".join(re.findall(r"#(.*)", "\n".join(texts_of(obj)))))
    return (comments.pop() if len(comments) == 1 and not turned(obj) else ""), False


def returns_of(obj):
    """The comments beside a return."""
    return [one for text in texts_of(obj) for one in re.findall(r"return[^\n#]*#(.*)", text)]


def turned(obj):
    """Is what a comment speaks of turned round at the end?"""
    return any(re.search(TURNED, text.lower()) for text in texts_of(obj))


def said_in(text):
    found = set()
    for word, rest in re.findall(SAID, text.lower()):
        masked, open_ = re.search(MASKED, rest), re.search(OPEN, rest)
        if masked or open_:
            positive = word in ("true", "1", "one", "ones")
            found.add(MEANT[bool(masked) == positive])
    return found
