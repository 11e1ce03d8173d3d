"""Parts of a weight that should be copies, and lie in its memory."""

import torch


def pieces(weight, d_kv):
    d_model = weight.shape[1]
    return weight.split([d_model, d_kv or d_model, d_kv or d_model])


def all_views(weight, d_kv=None):
    return pieces(weight, d_kv)


def one_view(weight, d_kv=None):
    W_q, W_k, W_v = pieces(weight, d_kv)
    return W_q.clone(), W_k, W_v.clone()


def contiguous_is_no_copy(weight, d_kv=None):
    return tuple(W.contiguous() for W in pieces(weight, d_kv))


def detached(weight, d_kv=None):
    return pieces(weight.detach(), d_kv)


def parameters(weight, d_kv=None):
    return tuple(torch.nn.Parameter(W) for W in pieces(weight, d_kv))


VIEWS = [all_views, one_view, contiguous_is_no_copy, detached, parameters]
