"""check_shape: compare a tensor's shape with a pattern of axis names, as einops writes it, in one line of
your own code."""


def check_shape(x, pattern, **sizes):
    """Return x if its shape fits the pattern; else raise a ValueError that names the axis that does not fit.

    pattern: axis names separated by spaces, "B H T d_head"; a number stands for itself, "_" for any size.
    sizes: known sizes by name, B=2; a name used twice must have the same size both times.

    >>> check_shape(torch.zeros(2, 3, 5, 4), "B H T d_head", B=2, H=3).shape
        torch.Size([2, 3, 5, 4])
    """
    shape = getattr(x, "shape", None)
    if shape is None:
        raise ValueError(f"expected a tensor ({pattern}), got {type(x).__name__}")
    names = pattern.replace(",", " ").replace("(", " ").replace(")", " ").split()
    unknown = [name for name in sizes if name not in names]
    if unknown:
        raise ValueError(f"{unknown[0]} is given a size but is not in the pattern {pattern!r}")
    if len(names) != len(shape):
        raise ValueError(
            f"got shape {tuple(shape)} with {len(shape)} axes; expected {len(names)}: ({', '.join(names)})"
        )
    size_of = dict(sizes)
    for place, (name, size) in enumerate(zip(names, shape, strict=True)):
        expected = int(name) if name.isdigit() else size if name == "_" else size_of.setdefault(name, size)
        if size != expected:
            wanted = ", ".join(f"{n}={size_of[n]}" if n in size_of else n for n in names)
            raise ValueError(
                f"got shape {tuple(shape)}; expected ({wanted}): axis {place} ({name}) is {size}, expected "
                f"{expected}"
            )
    return x
