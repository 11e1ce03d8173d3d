"""Former names: what earlier lessons import from a module that no longer has it.

Such a module defines __getattr__ with `former_names`. The set-up cell of an earlier lesson then runs to its
end, and only what uses a former name ends with an error, which says how to get the newer lesson.
"""

GONE = (
    "`{}` was part of course_utils up to version {} and is gone; the newer lesson does without it: "
    "`make lab` puts it next to yours"
)


class FormerName:
    """The object that a former name stands for: using it raises a NameError with this sentence."""

    def __init__(self, sentence):
        self.sentence = sentence

    def use(self, *_, **__):
        raise NameError(self.sentence)

    __call__ = __getattr__ = __getitem__ = __iter__ = __mro_entries__ = use


def former_names(module, names, up_to):
    """Return a module's __getattr__ for its former names. up_to: the last version that had them."""

    def look_up(name):
        if name not in names.split():
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return FormerName(GONE.format(name, up_to))

    return look_up
