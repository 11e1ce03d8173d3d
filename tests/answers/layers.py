"""Decoder blocks whose layers are not those that are wanted."""

from torch import nn

from autograder.exercises import load

Block = load("DecoderBlock").implementation


class NotKept(Block):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__(attention, d_model, d_hidden)
        self.attn = attention
        del self.attention


class NoBias(Block):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__(attention, d_model, d_hidden)
        self.norm_1 = nn.LayerNorm(d_model, bias=False)


class OtherName(Block):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__(attention, d_model, d_hidden)
        self.ln = self.norm_1
        del self.norm_1


class OtherSize(Block):
    def __init__(self, attention, d_model, d_hidden):
        super().__init__(attention, d_model, d_hidden)
        self.norm_1 = nn.LayerNorm(1)
