"""What wrong answers are told that no mistake was written for, counted by the mechanism that found it out.

"named": the card says which mistake it is. "shown": the card of an exception, with its line and shapes.
"vague": anything else. Whether a name is the right one, only a person can say: read.toml beside a folder of
answers says when somebody read all its cards, and which of them mislead.
"""

import linecache
import resource
import tomllib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from unittest.mock import patch

import torch

from course_utils.diagnose import assess
from course_utils.diagnose.visible import assess_visible
from tests.tools.variants import HERE, variants

KINDS = "named", "shown", "vague"
MEMORY = 12 << 30  # one answer builds a whole cache to weigh it


def folders():
    """Folders of wrong answers by people who had not read the declarations, the newest one last."""
    return ["held_back", *sorted(str(path.relative_to(HERE)) for path in HERE.glob("strangers/*/wrong"))]


def told(variant):
    """(the mechanism's name, one of KINDS) of a wrong answer."""
    mechanisms = []

    def find_mistake(attempt):
        both = ((mechanism, mechanism(attempt)) for mechanism in assess.MECHANISMS)
        mechanism, finding = next(pair for pair in both if pair[1])
        mechanisms.append(mechanism.__name__)
        return finding

    with patch.object(assess, "find_mistake", find_mistake):
        result = assess_visible(variant.exercise, made(variant))
    kind = "named" if result.mistake else "shown" if result.crash else "vague"
    return (mechanisms or ["passed" if result.passed else "values are right"])[0], kind


def made(variant):
    """The object that the answer defines, as a cell of a notebook would: a crash finds its line."""
    file, space = f"<ipython-input-{variant}>", {"__name__": "answer"}
    linecache.cache[file] = len(variant.source), None, variant.source.splitlines(keepends=True), file
    exec(compile(variant.source, file, "exec"), space)
    return space[variant.exercise]


def readings(folder):
    """What a person found in the cards of a folder, as the end of its heading; "" where nobody looked."""
    file = HERE / folder / ".." / "read.toml"
    if not file.is_file():
        return ""
    reading = tomllib.loads(file.read_text(encoding="utf-8"))
    return f"; all cards read on {reading['date']}, {len(reading['misleading'])} mislead"


def begin():
    """One thread, and a limit of memory, for a process that runs other people's programs."""
    torch.set_num_threads(1)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def counts(folder, tenth=None):
    """Counter of what the wrong answers of a folder are told, or every tenth of them."""
    selected = variants(folder)[slice(tenth, None, None if tenth is None else 10)]
    with ProcessPoolExecutor(2, initializer=begin) as pool:
        return Counter(pool.map(told, selected))


def table(count):
    """The lines of a table: a row for each mechanism."""
    total = count.total()
    kinds = {kind: sum(n for (_, its), n in count.items() if its == kind) for kind in KINDS}
    yield f"{total} wrong answers: " + ", ".join(f"{n} {kind} ({n / total:.0%})" for kind, n in kinds.items())
    for mechanism in sorted({mechanism for mechanism, _ in count}):
        yield f"    {mechanism:22}" + "".join(f"{count[mechanism, kind]:5} {kind}" for kind in KINDS)
