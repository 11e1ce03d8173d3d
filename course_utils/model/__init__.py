"""The records that notebooks and the grader share: what an exercise asks for (Contract, Case), what an answer
showed (Observation), what is right (Sheet), what a check returns (Result); their JSON (codec); and fixed
weights for sums over a tensor. This package imports no other part of course_utils."""
