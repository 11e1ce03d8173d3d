"""Is a right answer ever refused on a busy machine? Run: python -m benchmarks.load [checks] [load]

`load` processes that never rest take the processors while as many `checks` of right answers run, a new Python
for every twenty, so that torch's slow first imports fall into checks as well.
"""

import subprocess
import sys
import time

CHECKS_EACH = 20
CHECK = f"""
import itertools, sys
from autograder.exercises import load
from course_utils.diagnose.visible import assess_visible

names = {{names}}
for name in itertools.islice(itertools.cycle(names), {{start}}, {{start}} + {CHECKS_EACH}):
    result = assess_visible(name, load(name).implementation)
    print(name, result.accepted, result.mistake, flush=True)
"""


def names():
    from autograder.exercises import names

    return list(names())


def main(checks=200, load=16):
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
    refused, slowest, every = [], 0.0, names()
    try:
        for start in range(0, checks, CHECKS_EACH):
            begun = time.monotonic()
            script = CHECK.format(names=every, start=start % len(every))
            ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
            rows = [line.split() for line in ended.stdout.splitlines()]
            refused += [row for row in rows if row[1] != "True"] + [["broke"]] * (CHECKS_EACH - len(rows))
            slowest = max(slowest, time.monotonic() - begun)
            print(f"{start + len(rows)} checks, {len(refused)} refused", flush=True)
    finally:
        for process in busy:
            process.kill()
    print(f"{checks} checks, load {load}: {len(refused)} refused {refused}; slowest twenty {slowest:.0f} s")
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
