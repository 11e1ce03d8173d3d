"""Answers that give a result where they should raise ValueError: {exercise: program}."""

from autograder.exercises import load


class NeverRefuses(load("StaticKVCache").implementation):
    def update(self, k, v):
        try:
            return super().update(k, v)
        except ValueError:
            return k, v


def never_refuses(attention, x, chunk_sizes):
    whole = sum(chunk_sizes) == x.shape[1]
    return load("attend_in_chunks").implementation(attention, x, chunk_sizes) if whole else x


PROGRAMS = {"attend_in_chunks": never_refuses, "StaticKVCache": NeverRefuses}
