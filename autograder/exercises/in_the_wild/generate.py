"""generate: a prompt is read once, then each new token with the cache of the call before."""

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Fake

VOCAB = 11

ex = Exercise(
    {"tokens": "B T_all"},
    points=3,
    gradients=False,
    hints=[
        "After the prompt has been read, which positions' logits tell the next token? And what has the model "
        "not read yet, once that token is chosen?",
        "Each call gives logits (B, T, vocab) and a cache. choose gets those of the last position, "
        "(B, vocab). The next call gets the new tokens alone, (B, 1), and the cache of the call before.",
        "logits[:, -1] is (B, vocab); new[:, None] is (B, 1); torch.cat([tokens, new[:, None]], dim=1) "
        "joins. For n new tokens the model is called n times: the last new token is not read.",
        "new = choose(logits[:, -1])[:, None]  # (B, 1)\nlogits, cache = model(new, cache)",
    ],
)


@ex.reference
def generate(model, tokens, max_new_tokens, choose):
    """What the model reads next is kept apart from what is returned."""
    pieces, cache = [tokens], None
    for _ in range(max_new_tokens):
        logits, cache = model(pieces[-1], cache)
        pieces.append(choose(logits[:, -1])[:, None])
    return torch.cat(pieces, 1)  # (B, T + max_new_tokens)


# ---- cases


def case(g, B, T, max_new_tokens):
    """A made-up model and a made-up choice: other calls, or another choice, give other tokens."""
    return call(
        model=Fake("PretendedModel", {"vocab": VOCAB}),
        tokens=torch.from_numpy(g.integers(0, VOCAB, (B, T))),
        max_new_tokens=max_new_tokens,
        choose=Fake("PretendedChoice", {"near": int(g.integers(-150, 150)) / 64}),
    )


ex.case(
    two_rows=lambda g: case(g, 2, 4, 5),
    three_rows=lambda g: case(g, 3, 5, 7),
    one_row=lambda g: case(g, 1, 3, 8),
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


def newest(tokens, new):
    return new[:, None]


def built(
    first=lambda model, tokens: model(tokens, None),
    step=lambda model, read, cache, first_cache: model(read, cache),
    pick=lambda choose, logits: choose(logits[:, -1]),
    join=cat,
    read=newest,
    give=lambda tokens, T, n: tokens,
    last_call=False,
    count=lambda n: n,
):
    """An implementation from its parts.

    first, step: the model's calls. read(tokens, new): what a later call reads. give: what is returned.
    last_call: whether the model reads the last new token too. count: how many tokens are made.
    """

    def implementation(model, tokens, max_new_tokens, choose):
        T, n = tokens.shape[1], count(max_new_tokens)
        if n <= 0:
            return give(tokens, T, 0)
        logits, cache = first(model, tokens)
        first_cache = cache
        for done in range(1, n + 1):
            new = pick(choose, logits)
            tokens = join(tokens, new)
            if done < n or last_call:
                logits, cache = step(model, read(tokens, new), cache, first_cache)
        return give(tokens, T, max_new_tokens)

    return implementation


def all_tokens(tokens, new):
    return tokens


def without_cache(model, read, cache, first_cache):
    return model(read, None)


ex.switches(
    built,
    {
        "everything_read_again": (
            "all tokens are read again at each step, without the cache, which is much more work. "
            "Read the prompt once, then only the newest token with the cache of the call before",
            {"read": all_tokens, "step": without_cache},
        ),
        "cache_not_passed": (
            "the newest token is read without the cache, so the model knows nothing of what stands before "
            "it: model(new, cache)",
            {"step": without_cache},
        ),
        "everything_with_the_cache": (
            "all tokens are read again together with the cache, which holds them already: with a cache only "
            "the newest token is read, (B, 1)",
            {"read": all_tokens},
        ),
        "prompt_with_the_cache": (
            "the prompt is read again at each step: after the first call only the newest token is read",
            {"read": lambda tokens, new: tokens[:, :-1]},
        ),
        "first_cache_kept": (
            "each step gets the cache of the first call: hand on the cache of the call before",
            {"step": lambda model, read, cache, first_cache: model(read, first_cache)},
        ),
        "two_tokens_read": (
            "the last two tokens are read at each step: the older one is in the cache already",
            {"read": lambda tokens, new: tokens[:, -2:]},
        ),
        "last_token_of_the_prompt_only": (
            "of the prompt only the last token is read: the first call reads all of it",
            {"first": lambda model, tokens: model(tokens[:, -1:], None)},
        ),
        "prompt_without_its_last_token": (
            "the first call reads the prompt without its last token, whose logits tell the first new token",
            {"first": lambda model, tokens: model(tokens[:, :-1], None)},
        ),
        "prompt_read_twice": (
            "the prompt is read twice before the first token is chosen: once is enough, and the cache holds "
            "it already",
            {"first": lambda model, tokens: model(tokens, model(tokens, None)[1])},
        ),
        "prompt_token_by_token": (
            "the prompt is read token by token: read all of it in one call, which costs much less time",
            {"first": lambda model, tokens: token_by_token(model, tokens)},
        ),
        "prompts_last_token_twice": (
            "the last token of the prompt is read twice, by itself once more after the prompt",
            {"first": lambda model, tokens: model(tokens[:, -1:], model(tokens, None)[1])},
        ),
        "one_call_too_many": (
            "the model is called once more after the last new token, for logits that nobody uses: choose "
            "first, then read the new token only if another one follows",
            {"last_call": True},
        ),
        "first_position": (
            "the token is chosen by the logits of the first position: the last position tells the next "
            "token, logits[:, -1]",
            {"pick": lambda choose, logits: choose(logits[:, 0])},
        ),
        "position_before_the_last": (
            "the token is chosen by the logits before the last: logits[:, -1] tells the next token",
            {"pick": lambda choose, logits: choose(logits[:, max(logits.shape[1] - 2, 0)])},
        ),
        "mean_over_positions": (
            "the logits of all positions are averaged: only the last position tells the next token, "
            "logits[:, -1]",
            {"pick": lambda choose, logits: choose(logits.mean(1))},
        ),
        "built_in_argmax": (
            "the largest logit is taken whatever `choose` does: new = choose(logits[:, -1])",
            {"pick": lambda choose, logits: logits[:, -1].argmax(-1)},
        ),
        "drawn_at_random": (
            "the token is drawn from the softmax whatever `choose` does: new = choose(logits[:, -1])",
            {"pick": lambda choose, logits: torch.multinomial(logits[:, -1].softmax(-1), 1)[:, 0]},
        ),
        "probabilities_chosen_from": (
            "choose gets probabilities: hand it the logits themselves, it does with them what it wants",
            {"pick": lambda choose, logits: choose(logits[:, -1].softmax(-1))},
            {"pick": lambda choose, logits: choose(logits[:, -1].log_softmax(-1))},
        ),
        "last_row_for_all": (
            "every row gets the token of the last row: each row goes on by itself",
            {"pick": lambda choose, logits: choose(logits[-1:, -1]).expand(len(logits))},
            {"pick": lambda choose, logits: choose(logits[:, -1])[-1:].expand(len(logits))},
        ),
        "first_row_for_all": (
            "every row gets the token of the first row: each row goes on by itself",
            {"pick": lambda choose, logits: choose(logits[:1, -1]).expand(len(logits))},
        ),
        "last_row_only": (
            "only the last row comes back: all of them are wanted, (B, T + max_new_tokens)",
            {"give": lambda tokens, T, n: tokens[-1:]},
            {"give": lambda tokens, T, n: tokens[-1]},
        ),
        "first_row_only": (
            "only the first row comes back: all of them are wanted, (B, T + max_new_tokens)",
            {"give": lambda tokens, T, n: tokens[:1]},
            {"give": lambda tokens, T, n: tokens[0]},
        ),
        "prompt_not_returned": (
            "only the new tokens come back: the prompt stands before them, (B, T + max_new_tokens)",
            {"give": lambda tokens, T, n: tokens[:, T:]},
        ),
        "new_tokens_first": (
            "the newest token is put before the others: the prompt comes first, then the new tokens in order",
            {"join": lambda tokens, new: torch.cat([new[:, None], tokens], 1)},
        ),
        "new_tokens_reversed": (
            "the new tokens come back in reverse order",
            {"give": lambda tokens, T, n: torch.cat([tokens[:, :T], tokens[:, T:].flip(1)], 1)},
        ),
        "last_token_left_out": (
            "the last new token is missing from what is returned",
            {"count": lambda n: n - 1},
            {"give": lambda tokens, T, n: tokens[:, : T + n - 1] if n else tokens},
        ),
        "one_token_too_many": (
            "one new token too many is made: max_new_tokens of them, none for 0",
            {"count": lambda n: n + 1},
        ),
        "joined_below": (
            "the new tokens are joined along the batch: join them along the tokens, dim=1",
            {"join": lambda tokens, new: torch.cat([tokens, new[:, None]], 0)},
        ),
        "joined_without_an_axis": (
            "the new tokens (B,) are joined to tokens (B, T): give them an axis of their own first, as in "
            "new[:, None], (B, 1)",
            {"join": lambda tokens, new: torch.cat([tokens, new], 1)},
            {"join": lambda tokens, new: torch.cat([tokens, new], -1)},
        ),
        "as_one_row": (
            "the tokens come back in one row: keep the batch, (B, T + max_new_tokens)",
            {"give": lambda tokens, T, n: tokens.flatten()},
        ),
    },
)


def token_by_token(model, tokens):
    cache = None
    for column in tokens.split(1, 1):
        logits, cache = model(column, cache)
    return logits, cache


@ex.mistake
def length_in_all(model, tokens, max_new_tokens, choose):
    """max_new_tokens is taken for the length of all tokens: it counts the new ones, and the prompt comes on
    top"""
    return built()(model, tokens, max_new_tokens - tokens.shape[1], choose)


@ex.mistake
def one_for_none(model, tokens, max_new_tokens, choose):
    """max_new_tokens=0 makes a token all the same: the prompt alone is wanted then"""
    return built()(model, tokens, max(max_new_tokens, 1), choose)


@ex.mistake
def raises_for_none(model, tokens, max_new_tokens, choose):
    """max_new_tokens=0 is no mistake of the caller: the prompt comes back as it is"""
    new = built(give=lambda tokens, T, n: tokens[:, T:])(model, tokens, max_new_tokens, choose)
    return torch.cat([tokens, torch.stack(new.unbind(1), 1)], 1)


@ex.mistake
def all_positions_chosen(model, tokens, max_new_tokens, choose):
    """choose gets the logits of all positions: it takes those of the last one, (B, vocab)"""
    logits, cache = model(tokens, None)
    if max_new_tokens:
        choose(logits)
    return tokens


@ex.mistake
def new_tokens_without_an_axis(model, tokens, max_new_tokens, choose):
    """the model gets the new tokens as (B,): it takes (B, T), here (B, 1), as in new[:, None]"""
    return built(read=lambda tokens, new: new)(model, tokens, max_new_tokens, choose)


@ex.mistake
def all_from_one_call(model, tokens, max_new_tokens, choose):
    """all new tokens are chosen from the logits of one call: the model reads each before the next is
    chosen"""
    logits, _ = model(tokens, None)
    new = choose(logits[:, -1])[:, None] if max_new_tokens else tokens[:, :0]
    return torch.cat([tokens, new.repeat(1, max_new_tokens)[:, :max_new_tokens]], 1)


@ex.mistake
def not_moved_on(model, tokens, max_new_tokens, choose):
    """the logits of the first call are used at each step: take those of the newest call"""
    logits, cache = model(tokens, None)
    start = logits
    for done in range(1, max_new_tokens + 1):
        new = choose(start[:, -1])
        tokens = cat(tokens, new)
        if done < max_new_tokens:
            logits, cache = model(new[:, None], cache)
    return tokens
