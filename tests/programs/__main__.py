"""`python -m tests.programs NAME...` shows what sample programs get now beside what is expected of them."""

from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import torch
import typer

from . import exercise_names, expectation, read, renew

Only = Annotated[list[str] | None, typer.Argument(help="Exercises; by default all.")]
Renew = Annotated[bool, typer.Option("--renew", help="Write what they get now. Read the differences first.")]


def main(only: Only = None, renewing: Renew = False):
    """Show what sample programs get now, on visible cases and three seeds, beside what is expected of them.
    Exit with 1 if anything differs."""
    exercises, count = only or exercise_names(), 0
    with ProcessPoolExecutor(2, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for exercise, (now, differences) in zip(exercises, pool.map(compare, exercises), strict=True):
            for name, text in now.items():
                print(f"  {name:40} {text}", *differences.get(name, ()), sep="\n      ")
            print(f"{exercise}: {len(now)} programs, {len(differences)} differ", flush=True)
            count += len(differences)
            if renewing:
                renew(exercise, now)
    raise typer.Exit(bool(count) and not renewing)


def compare(exercise):
    """({program: what it gets now}, {program: what was expected and what its cards say, if that differs})"""
    now, differences = {}, {}
    for program in read(exercise):
        results = program.results()
        now[program.name] = expectation(results)
        if now[program.name] != program.expected:
            sentences = dict.fromkeys(result.message for result in results.values())
            differences[program.name] = [f"expected: {program.expected or 'nothing yet'}", *sentences]
    return now, differences


if __name__ == "__main__":
    typer.run(main)
