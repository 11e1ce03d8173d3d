"""One head, features first

`Q` is (d, Tq), `K` is (d, Tk) and `V` is (e, Tk): a column for each token. The result is (e, Tq): for each query, a weighted average of the columns of `V`. The weights of one query sum to 1.
"""
import math
import torch

def one_head(Q, K, V):
    S = Q.T @ K
    S = S / math.sqrt(Q.shape[0])
    A = torch.softmax(S, dim=0)  # right: A = torch.softmax(S, dim=1)
    return V @ A.T

# ---- inputs
INPUTS = {"Q": floats("d", "Tq"), "K": floats("d", "Tk"), "V": floats("e", "Tk")}
SAME = {"the table of scores has one entry, which is its row and its column.": lambda Tq, Tk: Tq == 1 and Tk == 1}
MISTAKE = "scaled_dot_product_attention.softmax_over_queries"
WHY = "The softmax runs down each key's column, but the weights of one query are a row of the table."
