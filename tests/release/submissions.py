"""The outcome of every submission of the corpus, under three identities."""

import os

from tests.corpus.people import IDENTITIES, run_as

from .record import SEEDS, Outcome

KINDS = ("benign", "broken", "cheat", "hostile")


def outcomes(tenth=None):
    """({kind: {(who, seed): Outcome}}, [sentence about a failure]); each seed runs under another identity."""
    result, failures = {kind: {} for kind in KINDS}, []
    identities = list(IDENTITIES) if os.geteuid() == 0 else list(IDENTITIES)[:1] * len(IDENTITIES)
    for identity, seed in zip(identities, SEEDS, strict=True):
        output = run_as(identity, "--seed", seed, *([] if tenth is None else ["--tenth", tenth]))
        failures += [f"{identity}, seed {seed}: {sentence}" for sentence in output["failures"]]
        for name, graded in output["results"].items():
            kind, _, submission = name.partition(" ")
            for item, outcome in submission_outcomes(submission, graded):
                result[kind][item, str(seed)] = outcome
    return result, failures


def submission_outcomes(name, graded):
    """Yield (name, Outcome of the whole submission), then (name/exercise, Outcome) for each exercise."""
    yield name, Outcome.of(graded["status"], graded["score"], None, " ".join(graded["notes"]))
    for exercise, item in graded["exercises"].items():
        status = "passed" if item["passed"] else "wrong"
        yield f"{name}/{exercise}", Outcome.of(status, item["points"], item["mistake"], item["message"])
