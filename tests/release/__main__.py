"""`python -m tests.release compare` shows what changed since the record; `write` records the corpus anew."""

from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import torch
import typer

from autograder.exercises import names

from . import implementations, record, submissions

app = typer.Typer(add_completion=False, help=__doc__)
Only = Annotated[list[str] | None, typer.Argument(help="Exercises, or `corpus`; by default all.")]
Commit = Annotated[str, typer.Option(help="Compare a tenth, chosen by this commit's hash.")]


@app.command()
def compare(only: Only = None, commit: Commit = ""):
    """Print every difference from the record; exit with 1 if there is any."""
    tenth, count = int(commit, 16) % 10 if commit else None, 0
    for name, result, failures in current_outcomes(choose_names(only, tenth), tenth):
        recorded = record.read(name)
        if tenth is not None and name.startswith("corpus_"):
            run = {who.partition("/")[0] for who, _ in result}
            recorded = {key: item for key, item in recorded.items() if key[0].partition("/")[0] in run}
        differing = record.differences(recorded, result)
        for (who, was, became), seeds in differing.items():
            print(f"{name} {who} ({' '.join(seeds)})\n    was {was}\n    now {became}")
        print(
            *failures, f"{name}: {len(result)} outcomes, {len(differing)} differences", sep="\n", flush=True
        )
        count += len(differing) + len(failures)
    raise typer.Exit(bool(count))


@app.command()
def write():
    """Record what the corpus gets today; `python -m autograder author --renew` records exercises."""
    for name, result, failures in current_outcomes(["corpus"]):
        record.write(name, result)
        print(*failures, f"{name}: {len(result)} outcomes", sep="\n", flush=True)


def choose_names(only, tenth=None):
    """The names to run: exercises and "corpus". With `tenth`, only every tenth exercise, sorted by size."""
    if only:
        return list(only)
    by_size = sorted(names(), key=lambda name: len(record.read(name)))
    return [*(by_size if tenth is None else by_size[tenth::10]), "corpus"]


def current_outcomes(selection, tenth=None):
    """Yield (record, {(who, seed): Outcome}, [sentence about another failure]); exercises two at a time."""
    exercises = [name for name in selection if name != "corpus"]
    with ProcessPoolExecutor(2, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for name, result in zip(exercises, pool.map(implementations.outcomes, exercises), strict=True):
            yield name, result, []
    if "corpus" in selection:
        kinds, failures = submissions.outcomes(tenth)
        for kind, result in kinds.items():
            yield f"corpus_{kind}", result, failures if kind == "hostile" else []


if __name__ == "__main__":
    app()
