"""The record of outcomes: what each implementation and each submission gets, to see what a change affects.

In: the exercises, tests/answers, tests/corpus. Out: records/, one file per exercise and kind of submission,
and the differences between them and today's code. `changed.json` lists the intended ones.
"""
