"""A softmax for each entry of course_utils/diagnose/errors.toml, named after it, that raises that error."""
# ruff: noqa: B018, F821, F823, F841, E711, N802, UP031

import math

import numpy as np
import torch
from torch import nn


def view_noncontiguous(x, dim=-1):
    return x.softmax(dim).transpose(0, -1).contiguous().transpose(0, -1).view(-1).view(x.shape)


def writes_under_autograd(x, dim=-1):
    weight = nn.Parameter(torch.ones(3))
    weight *= 2


def changes_input(x, dim=-1):
    e = nn.Parameter(x).exp()
    e /= e.sum(dim, keepdim=True)
    e.sum().backward()


def dtypes_meet(x, dim=-1):
    return x.flatten() @ torch.ones(x.numel(), dtype=torch.int64)


def numpy_on_tensor(x, dim=-1):
    e = np.exp(x - np.max(x, axis=dim, keepdims=True))
    return e / np.sum(e, axis=dim, keepdims=True)


def keepdim_of_numpy(x, dim=-1):
    return x - x.numpy().max(axis=dim, keepdim=True)


def keepdims(x, dim=-1):
    return x.softmax(dim, keepdims=True)


def none_not_treated(x, dim=-1):
    def exponentials(x):
        x.exp()

    return exponentials(x) / 2


def values_and_places(x, dim=-1):
    return x - x.max(dim, keepdim=True)


class TakesNoArguments(nn.Module):
    def __init__(self, width):
        super().__init__(width)


def init_arguments(x, dim=-1):
    return TakesNoArguments(3)(x)


class WithoutSelf:
    def exponentials(x):
        return x.exp()

    def softmax(self, x):
        return self.exponentials(x)


def self_missing(x, dim=-1):
    return WithoutSelf().softmax(x)


class Uninitialised(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)


def no_super_init(x, dim=-1):
    return Uninitialised()(x)


def tensor_for_parameter(x, dim=-1):
    layer = nn.Linear(2, 2)
    layer.weight = torch.ones(2, 2)


def truth_value(x, dim=-1):
    if x:
        return x.softmax(dim)


def too_many_values(x, dim=-1):
    (rows,) = x.tolist() + [1]
    return rows


def not_enough_values(x, dim=-1):
    B, H, T_q, T_k, more = x.shape
    return B


def size_called(x, dim=-1):
    return x.exp() / x.shape(dim)


def transpose_called(x, dim=-1):
    return x.mT() if x.dim() > 2 else x.T()


def tensor_called(x, dim=-1):
    return x.exp()(x.sum(dim))


def number_called(x, dim=-1):
    twice = 2
    return x.exp() / twice(x)


def function_indexed(x, dim=-1):
    return x.exp() / x.size[dim]


class ForgetsSelf:
    def __init__(self):
        self.scale_of_rows = 2

    def softmax(self, x):
        return x / scale_of_rows


def without_self(x, dim=-1):
    return ForgetsSelf().softmax(x)


def unknown_name(x, dim=-1):
    return exponentials / x


class LocalAndOfSelf:
    def __init__(self):
        self.steps = 0

    def softmax(self, x):
        steps += 1
        return x / steps


def local_and_of_self(x, dim=-1):
    return LocalAndOfSelf().softmax(x)


def before_assignment(x, dim=-1):
    if x.dim() > 9:
        largest = x.amax(dim, keepdim=True)
    return (x - largest).exp()


class NotSet:
    def softmax(self, x):
        return x / self.scale


def not_set(x, dim=-1):
    return NotSet().softmax(x)


def attribute_of_numpy(x, dim=-1):
    return x.astype(float)


def attribute_of_tensor(x, dim=-1):
    return x.stable_softmax(dim)


def attribute_of_tuple(x, dim=-1):
    return (x, x).softmax(dim)


def tuple_for_tensor(x, dim=-1):
    return x + (x, x)


def method_for_tensor(x, dim=-1):
    return torch.exp(x.double)


def number_for_tensor(x, dim=-1):
    return torch.exp(2.0)


def dim_out_of_range(x, dim=-1):
    return x.softmax(9)


def float_index(x, dim=-1):
    return x[torch.ones(2)]


def softmax_without_dim(x, dim=-1):
    return x.softmax()


def tensor_of_tensors(x, dim=-1):
    return torch.tensor([row.exp() for row in x])


def number_of_tensor(x, dim=-1):
    return math.exp(x)


def mask_not_boolean(x, dim=-1):
    return x.masked_fill(x, 0.0)


def boolean_index(x, dim=-1):
    y = x.exp()
    y[torch.ones(9, dtype=torch.bool)] = 0
    return y


def vectors_only(x, dim=-1):
    return torch.dot(x, x)


def index_out_of_range(x, dim=-1):
    return x[99]


def float_size(x, dim=-1):
    return x.view(x.shape[0] / 1, -1)


def joins_one_tensor(x, dim=-1):
    return torch.cat(x, dim)


def stacks_unequal(x, dim=-1):
    return torch.stack([x, x[:1]])


def dtype_by_place(x, dim=-1):
    return torch.zeros(x.shape, x.dtype)


def endless_recursion(x, dim=-1):
    return endless_recursion(x, dim)
