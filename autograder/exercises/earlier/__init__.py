"""Exercises that no lesson has any more: submissions made from a release that had them are graded by these."""
