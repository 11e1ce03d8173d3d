"""Grade the whole corpus as whoever we are: `python -m tests.corpus.run FOLDER` prints what went wrong, as JSON."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.shared.limits import Limits

from .canaries import Canaries
from .corpus import corpus, failures
from .processes import left_over

LIMITS = Limits(step_seconds=3, all_seconds=30, memory_mb=400)


def run(folder, only=""):
    """[sentence] for everything that is not as it should be."""
    canaries = Canaries(folder)
    worker = SandboxWorker(LIMITS)
    try:
        entries = {name: entry for name, entry in corpus(canaries.before).items() if only in name}
        worker.ready()
        with ThreadPoolExecutor(3) as pool:
            results = list(pool.map(lambda entry: timed(entry.data, worker), entries.values()))
        found = [
            line
            for (name, entry), (result, _) in zip(entries.items(), results, strict=True)
            for line in failures(name, entry, result)
        ]
        slow = sorted(
            ((seconds, name) for name, (_, seconds) in zip(entries, results, strict=True)), reverse=True
        )[:8]
        print("slowest:", ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slow), file=sys.stderr)
        return found + canaries.harmed() + left_over(worker)
    finally:
        worker.close()
        canaries.close()


def timed(data, worker):
    begun = time.monotonic()
    return grade_notebook(data, worker=worker), time.monotonic() - begun


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:])))
