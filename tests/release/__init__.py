"""The record of outcomes: what each declared mistake and each submission gets, to see what a change affects.

In: the exercises, tests/corpus. Out: records/, one file per exercise and kind of submission, and the
differences between them and today's code. What sample programs get is in tests/programs, beside each program.
"""
