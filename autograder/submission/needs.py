"""Where does a name come from? Solutions may use what a demonstration defines; most demonstrations nobody needs."""

from bisect import bisect_left
from collections import defaultdict

from .syntax import names_in


def givers(cells):
    """{name: [cells that define it, in their order]}"""
    found = defaultdict(list)
    for cell in cells:
        for name in cell.defines:
            found[name].append(cell)
    return found


def needed_demonstrations(own, demonstrations, setup):
    """The demonstrations that give a name which the student's cells use, where the nearest cell that gives it is one of them."""
    known, shown = names_in(setup)[0], {cell.number for cell in demonstrations}
    giving = givers(sorted([*own, *demonstrations], key=lambda cell: cell.number))
    needed, left = {}, list(own)
    while left:
        cell = left.pop()
        for name in (cell.uses - known) & giving.keys():
            giver = nearest(cell, giving[name])
            if giver.number in shown and giver.number not in needed:
                needed[giver.number] = giver
                left.append(giver)
    return list(needed.values())


def nearest(cell, others):
    """The last of the others before the cell, else the first one after it."""
    place = bisect_left(others, cell.number, key=lambda other: other.number)
    return others[max(0, place - 1)]


def reached(cells, names, known=()):
    """The cells that define one of the names, and those that define what these use and is not known, and so on."""
    giving, found, left = givers(cells), {}, list(names)
    done = {*names, *known}
    while left:
        for cell in giving.get(left.pop(), ()):
            if cell.number not in found:
                found[cell.number] = cell
                left += cell.uses - done
                done |= cell.uses
    return [found[number] for number in sorted(found)]
