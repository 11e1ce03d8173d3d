"""The name of a parameter comes in, what it probably stands for (its role) goes out, or None.

Two tables: sizes (whole numbers, settings) and arrays. The first pattern that fits the whole name counts.
"""

import re
from functools import cache

SIZES = {
    "config": r"config|cfg|conf|args|hparams|hp|opts?|options|settings",
    "dropout": r".*drop.*|p",
    "flag": r".*bias.*|batch_first|verbose|need_weights|return_.*|.*causal.*|.*train.*",
    "device": r"device|dev",
    "dtype": r"dtype",
    "layers": r"n_?layers?|num_?layers?|layers|n_?blocks|depth",
    "layer": r"(i_)?layer(_?(idx|id|index|i|no|number|num))?",
    "batch": r".*batch.*|b|bs|bsz",
    "base": r".*base|.*theta.*|.*freq",
    "group_size": r".*(group_size|per_group|per_kv|per_key|rep|ratio).*",
    "head_dim": r"(d|dim|size)_?(head|k|v|h|q|qk)(_dim)?|(per_)?(kv_)?head_?(dim|size|d|width|features)"
    r"|hd|hs|dh"
    r"|(key|value|qk|q|k|v)_?dim|.*_head_dim",
    "kv_heads": r".*kv.*|.*group.*|.*key_?value.*|.*shared.*|g|hk|h_k|(n|num)_?(key|value|k|v)(_?heads)?",
    "heads": r".*heads?(_?(num|count|n|q|queries|query))?|n_?h|h|hq|h_q|nheads?|num_h|n_?q|(n|num)_queries",
    "max_len": r"(?!.*softmax).*(max|len|block|ctx|context|window|capacity).*|t|l|s|seq.*|n_positions",
    "d_model": r"d_?model|.*emb.*|.*dim.*|.*model.*|.*hidden.*|.*width.*|.*feat.*|d|c|e|f|n|d_?in|d_?out"
    r"|in_.*|out_.*|size|.*channels|units",
}
ARRAYS = {
    "mask": r".*mask.*|m|attn_bias|bias|allowed|visible|keep|blocked|open_?",
    "context": r"context|encoder.*|cond.*|cross.*",  # of cross-attention: left alone
    "lengths": r"len|lens|lengths?|(?!.*(past|cache|prev)).*_lengths?|.*_lens|valid.*|n_real",
    "use_cache": r"use_.*|return_cache|.*with_cache",
    "start": r"(start|pos|offset|cur).*|.*pos|index|step|(?!(k|v|val)[a-z]*_).*_so_far|n_?(past|cached)"
    r"|.*(cache|past|prev|kv|key_values?).*_?(lens?|length|pos|position|size|idx|index|seq_?lens?)"
    r"|(len|size|num)_?(past|cache).*",
    "cache_k": r"(?!kv|k_v|key_?val|keys_?val)"
    r"(.*(cache|past|prev|old|mem).*_?k(eys?)?|k(eys?)?_?.*(cache|past|prev|old|mem|so_far).*|ck|pk)",
    "cache_v": r"(?!.*(kv|key)).*(cache|past|prev|old|mem).*_?v(al.*)?"
    r"|v(al.*)?_?.*(cache|past|prev|old|mem|so_far).*"
    r"|cv|pv",
    "cache": r".*cache.*|.*past.*|kvs?|k_v|state|memory|mem|history|prev.*|store",
    "bqkv": r"b(ias)?_?qkv.*|.*(qkv|in_proj|c_attn).*b(ias)?",
    "wqkv": r"w?_?(qkv|in_proj|c_attn).*|.*qkv.*|w_in|w_?attn",
    "wkv": r"w_?kv.*",
    "bq": r"b(ias)?_?q.*|q.*_?b(ias)?",
    "bk": r"b(ias)?_?k.*|k.*_b(ias)?",
    "bv": r"b(ias)?_?v.*|v.*_b(ias)?",
    "bo": r"b(ias)?_?o.*|o.*_b(ias)?",
    "wq": r"w(eights?)?_?q.*|q.*_?(w|proj.*|weights?|mat|lin.*)",
    "wk": r"w(eights?)?_?k.*|k.*_?(w|proj.*|weights?|mat|lin.*)",
    "wv": r"w(eights?)?_?v.*|v.*_?(w|proj.*|weights?|mat|lin.*)",
    "wo": r"w(eights?)?_?(o.*|proj.*|c|z|p)|c_proj.*|o(ut)?.*_?(w|proj.*|weights?|mat|lin.*)|proj.*|w_final",
    "weights": r"p|pars|params?|parameters|weights?|ws?|wts?|variables|theta|mats?|matrices|proj(s|ections)"
    r"|w_?all",
    "q": r"q.*|.*quer.*",
    "k": r"k.*|.*key.*",
    "v": r"v.*|.*val.*",
    "x": r"x.*|inp.*|hidden.*|emb.*|tok.*|seq|sequence|src|z|data|h_in|hs|new.*|a|arr.*|tensor|vec.*|u",
}
WEIGHTS = {
    "qkv": r".*(qkv|in_proj|c_attn|query_key_value).*|w_?in|attn|to_all",
    "kv": r".*kv.*|.*key_value.*",
    "q": r"(.*[^a-z])?(q|wq|mq|bq|qw|qb)([^a-z].*)?|.*quer.*|.*to_?q.*|.*qproj.*|(w|lin|fc|proj)_?q.*|q.*",
    "k": r"(.*[^a-z])?(k|wk|mk|bk|kw|kb)([^a-z].*)?|.*key.*|.*to_?k.*|.*kproj.*|(w|lin|fc|proj)_?k.*|k.*",
    "v": r"(.*[^a-z])?(v|wv|mv|bv|vw|vb)([^a-z].*)?|.*val.*|.*to_?v.*|.*vproj.*|(w|lin|fc|proj)_?v.*|v.*",
    "o": r".*out.*|.*proj.*|(.*[^a-z])?(o|wo|bo|fc|c|z|p|u)([^a-z].*)?|.*dense.*|.*unify.*|.*mix.*|.*final.*"
    r"|.*merge.*|.*combine.*|.*wo.*|.*last.*|.*back.*",
}


def role_of(name, table):
    """The role that a name hints at; an upper-case letter counts like a lower-case one."""
    return looked_up(name.strip("_").lower(), tuple(table.items()))


@cache
def looked_up(plain, patterns):
    """A check asks for the same few names thousands of times."""
    return next((role for role, pattern in patterns if re.fullmatch(pattern, plain)), None)
