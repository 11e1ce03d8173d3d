"""What wrong answers are told that no mistake was written for.

"named": the card says which mistake it is. "shown": the card of an exception, with its line and shapes.
"vague": anything else. Whether a name is the right one, only a person can say: read.toml beside a folder of
answers says when somebody read all its cards, and which of them mislead.
"""

import linecache
import resource
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import torch

from course_utils.diagnose.visible import assess_visible
from tests.tools.variants import HERE, variants

MEMORY = 12 << 30  # one answer builds a whole cache to weigh it


def kind_of_card(variant):
    """ "named", "shown" or "vague", for a wrong answer; "passed" if no mistake is seen in it."""
    file, space = f"<ipython-input-{variant}>", {"__name__": "answer"}  # as of a cell: a crash finds its line
    linecache.cache[file] = len(variant.source), None, variant.source.splitlines(keepends=True), file
    exec(compile(variant.source, file, "exec"), space)
    result = assess_visible(variant.exercise, space[variant.exercise])
    wrong = "named" if result.mistake else "shown" if result.crash else "vague"
    return "passed" if result.passed else wrong


def begin():
    """One thread, and a limit of memory, for a process that runs other people's programs."""
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def counts(tenth=None):
    """{folder: Counter of the kinds of card} of wrong answers by people who had not read the declarations,
    the newest last; of every tenth answer, if that is a number."""
    folders = ["held_back", *sorted(str(path.relative_to(HERE)) for path in HERE.glob("strangers/*/wrong"))]
    step = slice(tenth, None, None if tenth is None else 10)
    with ProcessPoolExecutor(2, initializer=begin) as pool:
        return {folder: Counter(pool.map(kind_of_card, variants(folder)[step])) for folder in folders}
