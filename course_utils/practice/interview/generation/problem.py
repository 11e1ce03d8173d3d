"""The topic generate_loop: a model, a prompt, a number -> prompt and continuation; then a cache, an end."""

from ..simple import ways
from ..ways import Problem
from .functions import functions_of
from .inputs import DIALECTS, FORMS, HINTS, draw, value
from .looks import ends_of_a_batch, reads_little
from .mistakes import END, NEW_ONLY, TOTAL, WRONGS
from .readings import readings
from .reference import in_total, new_alone, text, whole
from .settings import settings_of_wrong, settings_work


def problem(name, draws, wrongs, rights, forms=FORMS, dialects=DIALECTS, look=None, closer=None):
    # what is called a length counts the prompt too
    forms = [*forms, *(tuple("total" if one == "n" else one for one in form) for form in forms)]

    def found(obj, said):
        plain = {role: name for role, name in said.items() if role != "new_only"}
        for function in functions_of(obj):
            ran = []
            for way in ways(function, plain, draws[0], forms, HINTS, value, dialects, ("generate", "sample")):
                if "(1, T)" not in way.dialect:
                    yield noting(way, ran, function)
                elif "(B, T)" not in ran:  # a batch of one counts where no other runs
                    yield noting(way, [], function)

    return Problem(
        name,
        draws,
        found,
        readings,
        {"right": whole(rights), "new only?": new_alone(rights), "total?": in_total(rights)},
        wrongs,
        look=look,
        closer=closer,
        roles=(*HINTS, "new_only"),
        vague={"new only?": NEW_ONLY, "total?": TOTAL},
    )


def noting(way, ran, function):
    """The same way, which notes the form of the prompt with which it runs, and what it calls."""
    run = way.run

    def noted(given):
        outcome = run(given)
        outcome.notes["function"] = function
        ran.append(outcome.notes["dialect"][1])
        return outcome

    way.run = noted
    return way


def base():
    draws = [draw(1, 2, 4, 3), draw(2, 1, 1, 5), draw(3, 3, 5, 1), draw(4, 1, 3, 0)]
    return problem("generate_loop", draws, WRONGS, text(), look=settings_work, closer=settings_of_wrong)


def cached():
    draws = [draw(1, 2, 4, 3), draw(2, 1, 1, 5), draw(3, 3, 5, 1), draw(4, 1, 3, 0)]
    dialects = [
        (kind, prompt)
        for prompt in ("(B, T)", "list", "(T,)", "(1, T)")
        for kind in ("pair", "record", "last pair", "last record")
    ]
    return problem("generate_loop with a cache", draws, WRONGS, text(), FORMS, dialects, reads_little)


def ending():
    draws = [draw(1, 1, 4, 7, [2]), draw(2, 1, 1, 5, [4]), draw(3, 1, 3, 2), draw(4, 1, 2, 6, [0])]
    forms = [
        ("model", "tokens", "n", "end"),
        ("model", "tokens", "end", "n"),
        ("tokens", "model", "n", "end"),
        ("model", "tokens", "n", "temperature", "end"),
        ("model", "tokens", "n", "end", "pad"),
        ("model", "tokens", "end", "pad", "n"),
    ]
    return problem(
        "generate_loop with an end",
        draws,
        {**END, **WRONGS},
        text(until_end=True),
        forms,
        look=ends_of_a_batch,
    )
