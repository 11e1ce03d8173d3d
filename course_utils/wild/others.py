"""Other libraries, if they are installed: import one by name, and run ONNX's operator Attention."""

import tomllib
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files

import numpy as np
import torch

ONNX_INPUTS = ["Q", "K", "V", "attn_mask", "past_key", "past_value"]


def library(name, cell):
    """Import a library; if it is not installed, print what the cell printed with it when it was recorded.

    cell: the name of the record in recorded.toml, which `python -m experiments.libraries` makes
    """
    distribution = name.partition(".")[0]
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        record = tomllib.loads(files("course_utils.wild").joinpath("recorded.toml").read_text("utf-8"))[cell]
        print(
            f"{missing.name} is not installed. Recorded with {record['version']}:", record["lines"], sep="\n"
        )
        return None
    print(f"{distribution} {version(distribution)}")
    return module


def onnx_attention(inputs, outputs=("Y",), opset=23, **attributes):
    """Run ONNX's operator Attention with ONNX's own reference: {input: tensor} -> list of outputs.

    The inputs are called Q, K, V, attn_mask, past_key and past_value; the outputs Y, present_key and
    present_value.
    """
    from onnx import helper
    from onnx.reference import ReferenceEvaluator

    arrays = {name: np.ascontiguousarray(tensor.numpy()) for name, tensor in inputs.items()}
    names = ONNX_INPUTS[: max(ONNX_INPUTS.index(name) for name in arrays) + 1]
    node = helper.make_node(
        "Attention", [name if name in arrays else "" for name in names], outputs, **attributes
    )
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in arrays.items()
    ]
    kind = inputs[0].type.tensor_type.elem_type
    results = [helper.make_tensor_value_info(name, kind, None) for name in outputs]
    graph = helper.make_graph([node], "attention", inputs, results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    return [torch.from_numpy(array) for array in ReferenceEvaluator(model).run(None, arrays)]
