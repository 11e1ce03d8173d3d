"""Follow links, such as imports or uses of names, from item to item."""


def reach(start, more):
    """Return the items in `start`, those in more(item) for each of them, and so on, each once."""
    reached = dict.fromkeys(start)
    left = [*reached]
    while left:
        new = dict.fromkeys(item for item in more(left.pop()) if item not in reached)
        reached |= new
        left += new
    return [*reached]
