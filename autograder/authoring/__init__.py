"""The tools for writing an exercise file.

In: the declarations of one file in autograder/exercises. Out: its Exercise, which makes a Sheet (cases, their
expected results, and the results of known mistakes) for any seed.

exercise.py         Exercise: reference, case, edge, wrong, shared, mistake
slips.py            checks an author's declarations and reports each error in one sentence
draws.py            call and build make a case; normal, causal_table, layers, ... draw its numbers
attention.py        the correct attention in stages, each of which can be replaced (a switch)
shared_mistakes.py  wrong stages with their sentences, by name: ex.shared(attention, *SCALE, "past_masked")
modules.py          nn.Module classes built from these stages
story.py            functions of X and four weight matrices that return every stage
seeds.py            the seed of the visible cases, and new seeds for hidden ones

Mistakes come last in a file, in one or more tables. One that needs statements is a function or a class:

ex.wrong(                                    a sentence for students, then its wrong implementations
    "inverted: True and False are swapped: True means masked",
    by_rule(lambda i, j, T_q, T_k: j <= i),
    "past_masked",                           a bare name: its sentence stands above, or in shared_mistakes
    by_rule(lambda i, j, T_q, T_k: j < i),
)
ex.shared(attention, *SCALE, "past_masked")  shared mistakes, made by attention(**switches)
@ex.mistake                                  a wrong function or class; its docstring is the sentence

Where memory matters, correct values are not enough. With call(...).but(too_large=n), an answer fails if it
makes a tensor of n entries or more.
"""
