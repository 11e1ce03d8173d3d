"""The problems that are attention: plain or causal, with padding, with a cache, with fewer kv heads."""

import numpy as np

from ..judge import attempt
from ..values import same
from ..ways import Problem, Wrong
from .calls import names_unclear, ways
from .draw import draw
from .looks import changes_by_itself, dropout_stays_on
from .masks import BOTH, CAUSAL, PADDED, PADDING
from .readings import readings
from .reference import attention

ATTENTION = (
    "scaled_dot_product_attention",
    "MultiheadAttention",
    "multi_head_attention_forward",
    "flex_attention",
    "TransformerEncoderLayer",
    "TransformerDecoderLayer",
)


def both(**slips):
    """A slip with the causal mask, and without."""
    return [attention(**{"causal": causal, **slips}) for causal in (True, False)]


def after(*makers):
    """The same for padding: what padded queries get is not looked at."""

    def real_only(maker):
        def made(given):
            real = np.arange(given["T"])[None, :] < given["lengths"][:, None]
            return np.where(real[..., None], maker(given), 0.0)

        return made

    return [real_only(maker) for maker in makers]


WRONGS = {
    "no_scale": Wrong(
        "The scores are not scaled: divide them by the root of d_head before the softmax.", both(scale="none")
    ),
    "scale_sqrt_D": Wrong(
        "The scores are divided by the root of d_model: take the root of d_head, as each dot product adds up "
        "d_head products.",
        both(scale="sqrt_D"),
    ),
    "scale_d": Wrong("The scores are divided by d_head itself: take its root.", both(scale="d")),
    "scale_times": Wrong(
        "The scores are multiplied by the root of d_head: divide by it.", both(scale="times")
    ),
    "scale_other": Wrong(
        "The scores are divided by the root of another size than d_head.",
        [
            maker
            for scale in ("sqrt_T", "sqrt_H", "D over kv", "sqrt kv", "sqrt group")
            for maker in both(scale=scale)
        ],
    ),
    "scale_power": Wrong(
        "The scores are divided by another power of d_head than its root.",
        [*both(scale="root four"), *both(scale="squared")],
    ),
    "own_key_masked": Wrong(
        "The mask is one too strict: a token may attend to itself, so the diagonal stays open.",
        [attention(shift=-1), attention(shift=-1, fill=-1e9), attention(shift=-1, zeroed=True)],
    ),
    "one_ahead": Wrong(
        "The mask is one too generous: a query also sees the token that comes next.", [attention(shift=1)]
    ),
    "mask_inverted": Wrong(
        "The mask is the wrong way round: a query sees what comes after it, and not what was before.",
        [
            attention(inverted=True),
            attention(inverted=True, shift=-1),
            attention(inverted=True, shift=-1, fill=-1e9),
        ],
    ),
    "mask_after_softmax": Wrong(
        "The mask comes after the softmax: the rows no longer sum to 1, or the future has gone into the sum. "
        "Mask the scores.",
        [attention(late="zeroed")],
    ),
    "filled_with_zero": Wrong(
        "Masked scores are set to a number that is not far below the others, such as 0: exp(0) is 1, so the "
        "future keeps weight.",
        [
            attention(fill=0.0),
            attention(fill=1e-9),
            attention(fill=-1.0),
            attention(fill=1.0),
            attention(fill=1e9),
        ],
    ),
    "softmax_over_queries": Wrong(
        "The softmax runs over the queries: the weights of one query sum to 1 along the keys, the last axis.",
        both(axis=-2),
    ),
    "softmax_over_heads": Wrong(
        "The softmax runs over the heads: the weights of one query sum to 1 along the keys, the last axis.",
        both(axis=1),
    ),
    "softmax_over_batch": Wrong("The softmax runs over the batch: it belongs along the keys.", both(axis=0)),
    "split_by_view": Wrong(
        "The split reads (B, T, D) as (B, H, T, d_head) at once, which mixes tokens: make it (B, T, H, "
        "d_head) first, then exchange T and H.",
        [
            *both(split="view"),
            *both(split="view", merge="view"),
            *both(split="k view"),
            *both(split="v view"),
            *both(split="q view"),
        ],
    ),
    "merge_by_view": Wrong(
        "The merge reads (B, H, T, d_head) as (B, T, D) at once, which mixes tokens: exchange H and T first.",
        both(merge="view"),
    ),
    "merge_order": Wrong(
        "Heads are merged in another order than they were split: the features of a head belong beside each "
        "other.",
        [*both(merge="other")],
    ),
    "heads_added": Wrong(
        "The heads are added up, or averaged: they lie beside each other, (B, T, H * d_head).",
        [*both(merge="mean"), *both(merge="sum")],
    ),
    "one_head_for_all": Wrong(
        "All heads use queries, keys or values of one head: each head has its own.",
        [
            maker
            for how in ("k first", "v first", "q first", "k last", "v last")
            for maker in both(grouped=how)
        ],
    ),
    "not_projected": Wrong(
        "The input itself is used for queries, keys or values: each has a projection.",
        [maker for name in "qkv" for maker in both(unprojected=name)],
    ),
    "weights_not_normalised": Wrong(
        "The weights of a row do not sum to 1: divide exp of the scores by its sum along the keys.",
        [*both(axis="no sum"), *both(axis="queries"), *both(axis="all")],
    ),
    "heads_attend_to_heads": Wrong(
        "T and H are not exchanged after the split: in each token the heads attend to each other, and no "
        "token sees another one.",
        [attention(causal=False, inside=True)],
    ),
    "scaled_after_softmax": Wrong(
        "The weights are divided by the root of d_head: it belongs under the scores, before the softmax.",
        both(scale="none", late="scaled"),
    ),
    "not_merged": Wrong(
        "The heads are left beside each other: merge them, (B, H, T, d_head) to (B, T, D).",
        both(unmerged=True, out=False),
    ),
    "split_across": Wrong(
        "A head gets every H-th feature: the features of a head lie in one block, so cut D into (H, d_head).",
        both(across=True),
    ),
    "softmax_after_values": Wrong(
        "The softmax comes after the values: it belongs on the scores, before they weigh the values.",
        both(late="after values"),
    ),
    "residual_added": Wrong(
        "The input is added to the output: that belongs to the block around the layer, not to attention.",
        both(residual=True),
    ),
    "keys_reshaped": Wrong(
        "The keys are reshaped for the product where they have to be transposed.", both(keys="reshaped")
    ),
    "projection_used_twice": Wrong(
        "One projection is used in two places: queries, keys and values have one each.",
        [
            maker
            for pair in ("k=q", "q=k", "v=q", "v=k", "k=v", "q=v")
            for own_bias in ("", "w")
            for maker in both(exchanged=f"{own_bias}{pair[:2]}{own_bias}{pair[2]}")
        ],
    ),
    "mask_added_as_ones": Wrong(
        "The mask is added as ones and zeros: add -inf where it masks.", [attention(fill="added")]
    ),
    "no_output_projection": Wrong(
        "The output projection is missing: without W_O the heads are never mixed.", both(out=False)
    ),
    "q_and_k_exchanged": Wrong(
        "Queries and keys are exchanged: row i of the scores is query i against all keys.",
        both(exchanged="qk"),
    ),
    "k_and_v_exchanged": Wrong(
        "Keys and values are exchanged: the scores come from keys, the output is a mix of values.",
        [*both(exchanged="kv"), *both(exchanged="qv"), *both(exchanged="v=k")],
    ),
    "no_softmax": Wrong("There is no softmax: the scores themselves are the weights.", both(axis=None)),
    "one_head": Wrong(
        "The features are not split: all of them are one head.",
        [*both(split="one", merge="one"), *both(split="one", merge="one", scale="sqrt_D")],
    ),
    "no_maximum": Wrong(
        "The softmax overflows for large scores: subtract the row's maximum before exp.",
        [*both(maximum=False), *both(maximum=False, wide=True)],
    ),
}
RIGHTS = {
    "plain": attention(causal=False),
    "causal": attention(),
    "padded": after(attention(causal=False, pad="keys"))[0],
    # Without a look at what padded queries get, a causal mask alone would do: padding is at the end.
    "padded causal": attention(pad="keys"),
    "padded causal, no queries": attention(pad="both"),
    "padded causal, even queries": attention(pad="both", fill=-1e9),
}
PADDING_SLIPS = {
    "padding_ignored": Wrong(
        "Padding is not masked: real tokens attend to it.",
        [attention(), *after(attention(causal=False))],
    ),
    "padding_inverted": Wrong(
        "The padding mask is the wrong way round: it hides the real tokens.",
        after(*both(pad="inverted"), *both(pad="inverted", fill=-1e9)),
    ),
    "padding_masks_queries": Wrong(
        "Padding masks queries, the rows: it is the keys, the columns, that nobody may attend to.",
        after(*both(pad="queries"), *both(pad="queries", fill=-1e9)),
    ),
    "padding_one_off": Wrong(
        "One key too many stays open: a sentence of length n has the places 0 to n - 1.",
        after(*both(pad="one_more")),
    ),
}
GROUPED = {
    "tiled": Wrong(
        "The kv heads are repeated as a whole (0, 1, 0, 1): neighbours share one, so each is repeated in its "
        "place (0, 0, 1, 1), as repeat_interleave does.",
        [*both(grouped="tiled"), *both(grouped="k tiled"), *both(grouped="v tiled")],
    ),
    "first_kv_head": Wrong("Only the first kv head is used, for all heads.", both(grouped="first")),
    "repeated_along_time": Wrong(
        "Keys and values are repeated along the tokens and then reshaped to more heads: repeat whole heads, "
        "along the axis of heads.",
        [*both(grouped="along time"), *both(grouped="tiled along time"), *both(grouped="by view")],
    ),
    "mean_of_queries": Wrong(
        "The queries of a group are averaged: each head has its own query, only keys and values are shared.",
        both(grouped="q mean"),
    ),
    "softmax_over_group": Wrong(
        "The softmax runs over the heads of a group, or over the groups: the weights of one query sum to 1 "
        "along the keys.",
        [*both(axis="within groups"), *both(axis="over groups")],
    ),
    "folded_mask": Wrong(
        "A group's queries lie in one axis, and the mask counts them all as one text: each head of the group "
        "begins at position 0 again.",
        [attention(folded=True)],
    ),
    "heads_regrouped": Wrong(
        "Heads come out in another order than they went in: head h is number h % group of kv head h // "
        "group.",
        both(merge="regrouped"),
    ),
    "mean_of_kv_heads": Wrong(
        "The kv heads are averaged: each serves its own group of query heads.", both(grouped="mean")
    ),
}
SIZES = [
    {"B": 2, "T": 5, "H": 3, "d": 4, "lengths": [3, 5]},
    {"B": 1, "T": 1, "H": 2, "d": 3},
    {"B": 3, "T": 4, "H": 1, "d": 6, "lengths": [2, 4, 1]},
    {"B": 2, "T": 6, "H": 4, "d": 2, "lengths": [6, 4], "large": 3.0},
    {"B": 3, "T": 3, "H": 4, "d": 3, "lengths": [3, 2, 3], "loud": True},
]
KV_SIZES = [
    {"B": 2, "T": 5, "H": 6, "Hkv": 2, "d": 2, "lengths": [3, 5]},
    {"B": 1, "T": 1, "H": 4, "Hkv": 2, "d": 3},
    {"B": 3, "T": 4, "H": 4, "Hkv": 1, "d": 3, "lengths": [2, 4, 1]},
    {"B": 2, "T": 6, "H": 6, "Hkv": 3, "d": 4, "lengths": [6, 4], "large": 3.0},
    {"B": 3, "T": 3, "H": 4, "Hkv": 2, "d": 3, "lengths": [3, 2, 3], "loud": True},
]


def with_padding(wrongs):
    """The same mistakes, where padding is masked rightly."""
    return {
        name: Wrong(wrong.sentence, [*wrong.makers, *after(*wrong.makers)]) for name, wrong in wrongs.items()
    }


def problem(name, variants, sizes=SIZES, wrongs=WRONGS, grouped=False, masks=None, extra=None):
    draws = [draw(seed, **one) for seed, one in enumerate(sizes, 11)]
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: ways(obj, said, draws[0], grouped, masks),
        readings=readings,
        rights={name: RIGHTS[name] for name in variants},
        wrongs={**(extra or {}), **OR, **wrongs},
        roles=("mask", "x", "q", "k", "v", "heads", "kv_heads", "wq", "wk", "wv", "wo", "lengths"),
        ready_made=ATTENTION,
        unclear=names_unclear,
        look=look(draws[0]),
        evidence=lambda seen: changes_by_itself(seen, readings),
    )


def look(first):
    """The mistakes that are looked for in an answer that is right: dropout, and masks of which one alone has
    to open a key. Real queries then see all real keys, as without a causal mask; the padded ones tell."""

    def looked(obj, way, reading):
        wrong = OR["padding_or_causal"]
        outcome = attempt(way, first) if reading.key[-1] == "real rows" and first["T"] > 1 else None
        for one in readings(outcome, first) if outcome else ():
            whole = one.key == (*reading.key[:-1], "all rows")
            if whole and any(same(one.array, maker(one.given), 1e-4) for maker in wrong.makers):
                return "padding_or_causal", wrong.sentence
        return dropout(obj, way, reading)

    dropout = dropout_stays_on(first, readings)
    return looked


def looks_ahead(seen):
    """The sentence for an answer whose earlier outputs change with the last token; None otherwise."""
    if not seen.kept:
        return None
    way, outcome, read = seen.kept[0]
    given = seen.first
    if given["T"] < 2 or read[0].array.shape[:2] != (given["B"], given["T"]):
        return None
    changed = given["x"].copy()
    changed[:, -1] += 1.0
    after = next(readings(way.run({**given, "x": changed}), given), None)
    if after is None or np.allclose(read[0].array[:, :-1], after.array[:, :-1], atol=1e-4, equal_nan=True):
        return None
    return "Earlier outputs change when only the last token does: somewhere a query looks at the future."


OR = {
    "padding_or_causal": Wrong(
        "A key counts as open where the causal mask or the padding mask opens it: it has to be open in both, "
        "so combine them with `&` where True is open, and with `|` where True is hidden.",
        [attention(pad="or"), attention(pad="or", fill=-1e9)],
    )
}
MASKED_WRONGLY = {
    "mask_ignored": Wrong(
        "A mask comes in, and changes nothing: it has to hide keys.", [attention(causal=False)]
    ),
    "padding_masks_queries": Wrong(
        PADDING_SLIPS["padding_masks_queries"].sentence,
        [*both(pad="queries", fill=-1e9), *both(pad="queries")],
    ),
}


def mha():
    return problem("mha", ("plain", "causal", "padded", *PADDED), extra=MASKED_WRONGLY)


def causal_mha():
    missing = Wrong("There is no causal mask: every query sees all tokens.", [attention(causal=False)])
    found = problem("causal mha", ("causal", *PADDED), extra={"no_mask": missing}, masks=(*CAUSAL, *BOTH))
    found.evidence = lambda seen: changes_by_itself(seen, readings) or looks_ahead(seen)
    return found


def padded_mha():
    wrongs = {**PADDING_SLIPS, **with_padding(WRONGS)}
    return problem("mha with padding", ("padded", *PADDED), wrongs=wrongs, masks=(*PADDING, *BOTH))


def without_heads(wrongs):
    """Those that make sense where keys are narrower than queries."""
    return {name: wrong for name, wrong in wrongs.items() if name != "one_head"}


def gqa():
    wrongs = {**GROUPED, **without_heads(WRONGS)}
    variants = ("plain", "causal", "padded", *PADDED)
    return problem("gqa", variants, KV_SIZES, wrongs, grouped=True, extra=MASKED_WRONGLY)
