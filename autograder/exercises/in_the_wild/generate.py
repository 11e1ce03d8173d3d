"""generate: generate tokens with a KV cache; the model reads the prompt once, then one new token per call."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Fake

VOCAB = 11

ex = Exercise(
    {"tokens": "B T_all"},
    points=3,
    gradients=False,
    hints="""
    After the prompt has been read, which position's logits predict the next token? And what has the model not read yet,
    once that token is chosen?

    Each call gives logits (B, T, vocab) and a cache. choose gets those of the last position, (B, vocab). The next call
    gets only the new tokens, (B, 1), and the cache from the previous call.

    logits[:, -1] is (B, vocab); new[:, None] is (B, 1); torch.cat([tokens, new[:, None]], dim=1) joins. For n new tokens
    the model is called n times: it never reads the last new token.

        new = choose(logits[:, -1])[:, None]  # (B, 1)
        logits, cache = model(new, cache)
    """,
)


@ex.reference
def generate(model, tokens, max_new_tokens, choose):
    """Keeps the prompt and the new tokens in separate pieces, so that the model reads only the last piece."""
    pieces, cache = [tokens], None
    for _ in range(max_new_tokens):
        logits, cache = model(pieces[-1], cache)
        pieces.append(choose(logits[:, -1])[:, None])
    return torch.cat(pieces, 1)  # (B, T + max_new_tokens)


# ---- cases


def case(g, B, T, max_new_tokens):
    """A case with a fake model and a fake choice, whose tokens change if the calls or the choice differ."""
    return call(
        model=Fake("PretendedModel", {"vocab": VOCAB}),
        tokens=torch.from_numpy(g.integers(0, VOCAB, (B, T))),
        max_new_tokens=max_new_tokens,
        choose=Fake("PretendedChoice", {"near": int(g.integers(-150, 150)) / 64}),
    )


ex.case(
    two_rows=lambda g: case(g, 2, 4, 5),
    three_rows=lambda g: case(g, 3, 5, 7),
    one_row=lambda g: case(g, 1, 4, 8),
)
ex.edge(
    one_new_token=lambda g: case(g, 4, 3, 1),
    no_new_token=lambda g: case(g, 3, 4, 0),
    prompt_of_one=lambda g: case(g, 5, 1, 4),
    longer_than_the_vocabulary=lambda g: case(g, 2, 13, 3),
    not_contiguous=lambda g: case(g, 4, 5, 2).but(strided=True),
)


# ---- mistakes


def cat(tokens, new):
    return torch.cat([tokens, new[:, None]], 1)


def variant(
    step=lambda model, read, cache, first_cache: model(read, cache),
    pick=lambda choose, logits: choose(logits[:, -1]),
    join=cat,
    read=lambda tokens, new: new[:, None],
    give=lambda tokens, T: tokens,
    last_call=False,
    count=lambda n, T: n,
):
    """An implementation with these steps.

    step: a later call of the model. pick: the choice of new tokens. join: appends them. read(tokens, new):
    the input of a later call. give: the result. last_call: True if the model also reads the last new token.
    count(n, T): the number of new tokens.
    """

    def implementation(model, tokens, max_new_tokens, choose):
        T, n = tokens.shape[1], count(max_new_tokens, tokens.shape[1])
        if n <= 0:
            return give(tokens, T)
        logits, cache = model(tokens, None)
        first_cache = cache
        for number in range(1, n + 1):
            new = pick(choose, logits)
            tokens = join(tokens, new)
            if number < n or last_call:
                logits, cache = step(model, read(tokens, new), cache, first_cache)
        return give(tokens, T)

    return implementation


@ex.mistake
def all_positions_chosen(model, tokens, max_new_tokens, choose):
    """choose gets a tensor with three axes: give it the logits of the last position, logits[:, -1], which are (B, vocab). logits[:, -1:] keeps an axis for the position"""
    logits, cache = model(tokens, None)
    if max_new_tokens:
        choose(logits)
    return tokens


@ex.mistake
def not_moved_on(model, tokens, max_new_tokens, choose):
    """the logits of the first call are used at each step: use those of the latest call"""
    first, cache = model(tokens, None)
    for step in range(1, max_new_tokens + 1):
        new = choose(first[:, -1])
        tokens = cat(tokens, new)
        if step < max_new_tokens:
            _, cache = model(new[:, None], cache)
    return tokens


@ex.mistake
def prompt_end_read_twice(model, tokens, max_new_tokens, choose):
    """the last token of the prompt is read twice: the first call has read it, and its logits choose the first new token"""
    _, cache = model(tokens, None)
    newest = tokens[:, -1:]
    for _ in range(max_new_tokens):
        logits, cache = model(newest, cache)
        newest = choose(logits[:, -1])[:, None]
        tokens = torch.cat([tokens, newest], 1)
    return tokens


ex.wrong(
    "everything_read_again: all tokens are read again at each step, without the cache, which is much more work. Read the prompt once, then only the newest token, with the cache from the previous call",
    variant(read=lambda tokens, new: tokens, step=lambda model, read, cache, first_cache: model(read, None)),
    "cache_not_passed: the newest token is read without the cache, so the model knows nothing of what came before: model(new, cache)",
    variant(step=lambda model, read, cache, first_cache: model(read, None)),
    "everything_with_the_cache: all tokens are read again together with the cache, which already holds the earlier ones: with a cache, read only the newest token, (B, 1)",
    variant(read=lambda tokens, new: tokens),
    "first_cache_kept: each step gets the cache of the first call: pass on the cache that the previous call returned",
    variant(step=lambda model, read, cache, first_cache: model(read, first_cache)),
    "one_call_too_many: the model is called once more after the last new token, for logits that are never used: choose first, then read the new token only if another one follows",
    variant(last_call=True),
    "all_positions_chosen",
    variant(pick=lambda choose, logits: choose(logits[:, -1:])),
    "probabilities_chosen_from: choose gets probabilities: give it the logits themselves, and it decides what to do with them",
    variant(pick=lambda choose, logits: choose(logits[:, -1].softmax(-1))),
    "argmax_instead_of_choose: the largest logit decides: call choose, which may follow another rule",
    variant(pick=lambda choose, logits: logits[:, -1].argmax(-1)),
    "first_position_chosen: the logits of the first position are used: the last one, logits[:, -1], has read all tokens",
    variant(pick=lambda choose, logits: choose(logits[:, 0])),
    "first_row_for_all: every row gets the first row's token: choose a token for each row",
    variant(pick=lambda choose, logits: choose(logits[:1, -1]).expand(len(logits))),
    "prompt_not_returned: only the new tokens are returned: put the prompt in front of them, (B, T + max_new_tokens)",
    variant(give=lambda tokens, T: tokens[:, T:]),
    "new_tokens_first: the newest token is put before the others: the prompt comes first, then the new tokens in order",
    variant(join=lambda tokens, new: torch.cat([new[:, None], tokens], 1)),
    "length_in_all: max_new_tokens is treated as the length of the whole text: it counts only the new tokens, on top of the prompt",
    variant(count=lambda n, T: n - T),
    "one_for_none: max_new_tokens=0 still generates a token: return just the prompt",
    variant(count=lambda n, T: max(n, 1)),
    "joined_without_an_axis: the new tokens, (B,), are concatenated directly with tokens, (B, T): give them a second axis first, new[:, None], which is (B, 1)",
    variant(join=lambda tokens, new: torch.cat([tokens, new], 1)),
)
