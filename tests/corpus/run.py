"""Grade the corpus as the current user: `python -m tests.corpus.run FOLDER` prints the results as JSON."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import typer

from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.shared.job import Limits

from .canaries import Canaries
from .corpus import corpus, failures
from .processes import left_over

LIMITS = Limits(step_seconds=3, all_seconds=30, memory_mb=400)
AT_ONCE = 3  # more than two processors, because many hostile submissions only wait for a time limit


def main(
    folder: Annotated[str, typer.Argument(help="Where what hostile submissions look for is put.")],
    kind: Annotated[str, typer.Option(help="Only benign, broken, cheat or hostile ones.")] = "",
    only: Annotated[str, typer.Option(help="Only those with this in their name.")] = "",
    tenth: Annotated[int | None, typer.Option(help="Every tenth, from this one on.")] = None,
    seed: int | None = None,
):
    """Print {"failures": [sentence], "results": {name: what grade_notebook says}}."""
    canaries = Canaries(folder)
    worker = SandboxWorker(LIMITS)
    try:
        entries = {n: e for n, e in corpus(canaries.before).items() if n.startswith(kind) and only in n}
        if tenth is not None:
            entries = dict(list(entries.items())[tenth::10])
        worker.ready()
        start = time.monotonic()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            graded = pool.map(lambda entry: grade_notebook(entry.data, seed, worker), entries.values())
            results = {name: result.as_dict() for name, result in zip(entries, graded, strict=True)}
        sentences = [line for name, entry in entries.items() for line in failures(name, entry, results[name])]
        print(f"{len(results)} submissions in {time.monotonic() - start:.0f} s", file=sys.stderr)
        sentences += canaries.harmed() + left_over(worker)
    finally:
        worker.close()
        canaries.close()
    print(json.dumps({"failures": sentences, "results": results}))


if __name__ == "__main__":
    typer.run(main)
