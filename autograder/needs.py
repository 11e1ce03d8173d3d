"""Which cells does a name come from? Solutions may use what a demonstration defines; most demonstrations nobody needs."""
from .syntax import names_in


def needed_demonstrations(own, demonstrations, setup):
    """The demonstrations that define what the student's cells use and neither they nor the set-up define."""
    known = names_in(setup)[0].union(*(cell.defines for cell in own))
    needed, left = {}, list(own)
    while left:
        cell = left.pop()
        for name in cell.uses - known:
            giver = nearest(name, cell, demonstrations)
            if giver is not None and giver.number not in needed:
                needed[giver.number] = giver
                left.append(giver)
    return list(needed.values())


def nearest(name, cell, others):
    """The last of the others before the cell that defines the name, else the first one after it."""
    giving = [other for other in others if name in other.defines]
    before = [other for other in giving if other.number < cell.number]
    return before[-1] if before else giving[0] if giving else None


def reached(cells, names):
    """The cells that define one of the names, and those that define what these use, and so on."""
    found, wanted = {}, set(names)
    while True:
        more = [cell for cell in cells if cell.number not in found and cell.defines & wanted]
        if not more:
            return [found[number] for number in sorted(found)]
        for cell in more:
            found[cell.number] = cell
            wanted |= cell.uses
