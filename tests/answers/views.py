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


def transposed(weight, bias):
    W, b = weight.T.chunk(3), bias.clone().chunk(3)
    return {"W_q": W[0], "W_k": W[1], "W_v": W[2], "b_q": b[0], "b_k": b[1], "b_v": b[2]}


def of_a_copy(weight, d_kv=None):
    return pieces(weight.clone(), d_kv)


def of_bands(weight, num_heads):
    D = weight.shape[1]
    return tuple(W.reshape(D, D) for W in weight.reshape(num_heads, 3, -1, D).unbind(1))


VIEWS = [all_views, contiguous_is_no_copy, detached, parameters]
