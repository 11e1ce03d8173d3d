"""A check now beside a check in another commit: the same sample programs, one side after the other."""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.programs import exercise_names, read

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 5  # of each program, on each side
# Checks each program that comes in as a line of JSON, [exercise, source]; prints the CPU seconds and the
# mistake. It uses public names only, because it also runs in older commits.
SIDE = """
import contextlib, io, json, sys, time
import torch
from course_utils import check
torch.set_num_threads(1)
for line in sys.stdin:
    (name, source), space = json.loads(line), {"__name__": "answer"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, "<answer>", "exec"), space)
        begun = time.process_time()
        result = check(name, space[name])
        seconds = time.process_time() - begun
    print(json.dumps([seconds, result.mistake]), flush=True)
"""


class Side:
    """A process that checks programs in a checkout of the course."""

    def __init__(self, checkout):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, "-c", SIDE], cwd=checkout, **pipes)

    def seconds(self, program):
        """The CPU seconds of a check; None if the checkout has no such exercise."""
        print(json.dumps([program.exercise, program.source]), file=self.process.stdin, flush=True)
        seconds, mistake = json.loads(self.process.stdout.readline())
        return None if mistake == "unknown_exercise" else seconds

    def close(self):
        self.process.stdin.close()
        self.process.wait()


@contextlib.contextmanager
def checkout_of(commit):
    """A git worktree of the commit in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        path, worktree = Path(folder) / "checkout", ["git", "-C", ROOT, "worktree"]
        subprocess.run([*worktree, "add", "--quiet", "--detach", path, commit], check=True)
        try:
            yield path
        finally:
            subprocess.run([*worktree, "remove", "--force", path], check=True)


def samples():
    """For each exercise, its first right program and its first wrong one."""
    for exercise in exercise_names():
        programs = read(exercise)
        yield from [p for p in programs if p.is_right][:1]
        yield from [p for p in programs if p.expected.startswith("refused")][:1]


def pair(program, old, new):
    """(the least CPU seconds in the old checkout, the least in the new one), or None without the exercise."""
    times = {old: [], new: []}
    for number in range(ROUNDS + 1):
        for side in (old, new) if number % 2 else (new, old):
            if (seconds := side.seconds(program)) is None:
                return None
            times[side].append(seconds)
    return tuple(min(times[side][1:]) for side in (old, new))  # the first check loads the exercise


def compare_with(commit):
    """Print how long a check takes in the commit and now, and the ratio of each pair."""
    with checkout_of(commit) as path:
        old, new = Side(path), Side(ROOT)
        pairs = {str(program): pair(program, old, new) for program in samples()}
        old.close()
        new.close()
    pairs = {name: seconds for name, seconds in pairs.items() if seconds}
    for name, (before, now) in pairs.items():
        print(f"{name:70} {before * 1e3:7.1f} ms {now * 1e3:7.1f} ms {now / before:6.2f}")
    before, now = zip(*pairs.values(), strict=True)
    ratios = statistics.quantiles([b / a for a, b in pairs.values()], n=10)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"{len(pairs)} programs, CPU time, least of {ROUNDS}; load {load:.1f}")
    medians = [statistics.median(side) * 1e3 for side in (before, now)]
    print(f"median {medians[0]:.1f} ms in {commit}, {medians[1]:.1f} ms now")
    print(f"ratio: median {ratios[4]:.2f}, 10 % below {ratios[0]:.2f}, 10 % above {ratios[-1]:.2f}")
    print(f"slowest: {max(before) * 1e3:.1f} ms in {commit}, {max(now) * 1e3:.1f} ms now")
