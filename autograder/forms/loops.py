"""The generation loop, greedy: with a model that returns logits, logits and a loss, or logits and a cache."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise
from autograder.exercises.in_the_wild.generate import VOCAB, generate
from autograder.exercises.in_the_wild.generate import ex as lesson
from course_utils.model.case import Fake
from course_utils.observe.fakes import make_fake

OF_THE_LESSON = (  # no mistakes here
    "all_positions_chosen", "probabilities_chosen_from", "one_call_too_many", "argmax_instead_of_choose",
)  # fmt: skip
SIZES = {"two_rows": (2, 3, 4), "one_row": (1, 1, 6), "one_new_token": (3, 5, 1), "longer_prompt": (2, 6, 3)}


def most_likely(logits):
    return logits.argmax(-1)


def plain_loop(
    view=lambda text, step: text,
    pick=lambda logits: most_likely(logits[:, -1]),
    number=lambda n, T: n,
    result=lambda text, T: text,
):
    """A loop for a model without a cache. view: what the model reads at a step. number: of tokens to add."""

    def loop(model, tokens, n):
        T = tokens.shape[1]
        for step in range(number(n, T)):
            returned = model(view(tokens, step))
            new = pick(returned[0] if isinstance(returned, tuple) else returned)
            tokens = torch.cat([tokens, new[:, None]], 1)
        return result(tokens, T)

    return loop


WITHOUT_A_CACHE = (
    ("prompt_not_returned: only the new tokens come back: put the prompt in front of them", plain_loop(result=lambda text, T: text[:, T:])),
    ("one_too_few: it returns one new token too few", plain_loop(number=lambda n, T: max(n - 1, 0))),
    ("one_too_many: it returns one new token too many", plain_loop(number=lambda n, T: n + 1)),
    ("prompt_counted: the prompt is counted too: the number is for the new tokens only", plain_loop(number=lambda n, T: n - T)),
    ("one_for_none: asked for 0 new tokens, it still adds one: check the number before the first step", plain_loop(number=lambda n, T: max(n, 1))),
    ("context_lost: after the first step the model gets only the newest token, but it has no cache: give it the whole text", plain_loop(lambda text, step: text[:, -1:] if step else text)),
    ("prompt_again: at each step the model reads only the prompt, never the new tokens", plain_loop(lambda text, step: text[:, : text.shape[1] - step])),
    ("first_place: the logits are read at the first position: the last position predicts the next token", plain_loop(pick=lambda logits: most_likely(logits[:, 0]))),
    ("first_row_for_all: every row gets the first row's token: choose a token for each row", plain_loop(pick=lambda logits: most_likely(logits[:1, -1]).expand(len(logits)))),
    ("smallest: the smallest logit is taken: the largest one is the likeliest", plain_loop(pick=lambda logits: logits[:, -1].argmin(-1))),
)  # fmt: skip


def loop_until(rows=all, fill=True, stop=True):
    """A loop with a cache that ends. rows: all rows, or any, have to end. fill: do ended rows go on with `end`?"""

    def loop(model, tokens, n, end):
        new, cache, ended = tokens, None, torch.zeros(len(tokens), dtype=torch.bool)
        for _ in range(n):
            logits, cache = model(new, cache)
            new = most_likely(logits[:, -1])
            new = new.masked_fill(ended, end) if fill else new
            ended = ended | (new == end)
            new = new[:, None]
            tokens = torch.cat([tokens, new], 1)
            if stop and rows(ended.tolist()):
                break
        return tokens

    return loop


UNTIL = (
    ("end_ignored: the loop goes on after the token that ends the text", loop_until(fill=False, stop=False)),
    ("no_stop: all rows have ended, but the loop goes on", loop_until(stop=False)),
    ("one_end_for_all: all rows stop as soon as one has ended: the others go on", loop_until(any)),
    (
        "ended_rows_go_on: a row that has ended gets other tokens: it goes on with `end`",
        loop_until(fill=False),
    ),
)


def model_and_tokens(g, B, T, returns):
    settings = {"vocab": VOCAB, "returns": returns, "one_at_a_time": returns == "cache"}
    model = Fake("PretendedModel", settings)
    return model, torch.from_numpy(g.integers(0, VOCAB, (B, T)))


def form(reference, mistakes, named, returns):
    """An Exercise. named: gives a loop the form's names, as in lambda loop: lambda model, prompt, n_new: ..."""

    def with_names(loop):
        function = named(loop)
        function.__name__ = "generate"
        return function

    ex = Exercise({"tokens": "B T_all"}, probes=False)
    ex.reference(with_names(reference))
    _, tokens, number, *end = ex.contract.signatures[""].split("(")[1].rstrip(")").split(", ")
    for name, (B, T, n) in {**SIZES, "no_new_token": (2, 2, 0)}.items():

        def draw(g, B=B, T=T, n=n):
            model, prompt = model_and_tokens(g, B, T, returns)
            text = reference(make_fake(model, torch.float64), prompt, n, *[VOCAB] * len(end))
            last = {end[0]: int(text[0, -(n + 1) // 2])} if end else {}  # the first row ends in the middle
            return call(**{"model": model, tokens: prompt, number: n}, **last)

        (ex.case if B > 1 and n > 1 else ex.edge)(**{name: draw})
    for heading, *loops in mistakes:
        name, _, sentence = heading.partition(": ")
        ex.add_mistake(name, sentence.replace("max_new_tokens", number), [*map(with_names, loops)])
    return ex


def greedy(implementation):
    return lambda model, tokens, n: implementation(model, tokens, n, most_likely)


WITH_A_CACHE = [
    (f"{mistake.name}: {mistake.sentence}", *map(greedy, mistake.implementations))
    for mistake in lesson.mistakes
    if mistake.name not in OF_THE_LESSON
]


def of_prompt(loop):
    return lambda model, prompt, n_new: loop(model, prompt, n_new)


def of_idx(loop):
    return lambda model, idx, max_new_tokens: loop(model, idx, max_new_tokens)


def with_end(loop):
    return lambda model, prompt, n_new, end: loop(model, prompt, n_new, end)


FORMS = {
    "generate": form(plain_loop(), WITHOUT_A_CACHE, of_prompt, "logits"),
    "nanogpt_generate": form(plain_loop(), WITHOUT_A_CACHE, of_idx, "loss"),
    "cached_generate": form(greedy(generate), WITH_A_CACHE, of_prompt, "cache"),
    "cached_nanogpt_generate": form(greedy(generate), WITH_A_CACHE, of_idx, "cache"),
    "generate_until": form(loop_until(), UNTIL, with_end, "cache"),
}
