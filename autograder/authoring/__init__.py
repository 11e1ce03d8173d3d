"""What an exercise file is written with.

In: the declarations of one file in autograder/exercises. Out: its Exercise, which makes Sheets (cases, what
is wanted of them, what known mistakes give) for any seed.

exercise.py         Exercise: reference, case, edge, wrong, shared, mistake
slips.py            the author's slips, each refused in one sentence
draws.py            call and build make a case; normal, causal_table, layers, ... draw its numbers
attention.py        the right attention, each stage of which can be exchanged (a switch)
shared_mistakes.py  wrong stages with their sentences, by name: ex.shared(attention, *SCALE, "past_masked")
modules.py          classes made of the pipeline; story.py: functions of X and four weight tables
seeds.py            the seed of visible cases, and new ones

Mistakes come last in a file, in one or more tables; one that needs statements is a function or a class:

ex.wrong(                                    what students read, then what shows it, once or more
    "inverted: True and False are swapped: True means masked",
    by_rule(lambda i, j, T_q, T_k: j <= i),
    "past_masked",                           a bare name: its sentence stands above, or in shared_mistakes
    by_rule(lambda i, j, T_q, T_k: j < i),
)
ex.shared(attention, *SCALE, "past_masked")  shared mistakes, made by attention(**switches)
@ex.mistake                                  a wrong function or class; its docstring is the sentence

Where memory is the point, right values are not enough: call(...).but(too_large=n) is a case that is lost
where an answer makes a tensor of n entries or more.
"""
