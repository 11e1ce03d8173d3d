"""Observation and what is wanted -> Verdict: tolerances, faults that the probes report, points."""
