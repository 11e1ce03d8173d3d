"""Former names: what earlier lessons import from a module that no longer has it.

Such a module defines __getattr__ with `former_names`. The set-up cell of an earlier lesson then runs to its
end, and only what uses a former name ends with an error, which says how to get the newer lesson.
"""

GONE = (
    "`{}` was part of course_utils up to {} and is gone: `make lab` puts the newer lesson, which does not "
    "use it, next to yours"
)


class FormerName:
    """The object that a former name stands for: calling it, and asking for items, attributes or subclasses,
    raises a NameError with this sentence; shown or printed, it is the sentence."""

    def __init__(self, sentence):
        self.sentence = sentence

    def __repr__(self):
        return self.sentence

    def __getattr__(self, name):
        raise AttributeError(name) if name.startswith("__") else NameError(self.sentence)

    def use(self, *_, **__):
        raise NameError(self.sentence)

    __call__ = __getitem__ = __iter__ = __mro_entries__ = use


def former_names(module, names):
    """Return a module's __getattr__ for its former names. names: {the last version that had them: names}."""

    def look_up(name):
        for up_to, gone in names.items():
            if name in gone.split():
                return FormerName(GONE.format(name, up_to))
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return look_up
