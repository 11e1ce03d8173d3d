"""The record: what every implementation and every submission gets, to see what a change of the code changes.

In: the exercises, tests/answers, tests/corpus. Out: records/ (one file for each exercise and each kind of
submission), and the differences between them and today's code. `changed.json` lists the differences that are
intended."""
