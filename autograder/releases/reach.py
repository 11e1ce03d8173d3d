"""What is reached from something: by imports, by uses, by names."""


def reach(start, more):
    """[these, and more(each), and so on], each once."""
    reached = dict.fromkeys(start)
    left = [*reached]
    while left:
        new = dict.fromkeys(item for item in more(left.pop()) if item not in reached)
        reached |= new
        left += new
    return [*reached]
