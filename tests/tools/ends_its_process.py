"""In the place of the grader, in a process of its own: a module that imports nothing large."""

import os


def ends_its_process(number):
    if number == 3:
        os._exit(1)
    return number * number
