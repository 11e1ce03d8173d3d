"""A name comes in; an exercise or a lesson goes out that builds, tests and grades as it is, to be changed.

exercise.py   new_exercise: the declaration, two cells in a lesson, right answers in other styles
lesson.py     new_lesson: a lesson with an explanation, a test of asserts and a written answer
templates/    what is written; `mean_over_tokens` and `09_new_lesson` stand for the names
"""
