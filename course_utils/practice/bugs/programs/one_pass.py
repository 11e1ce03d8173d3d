"""The logarithm of a sum, in one pass

`stream` is read once, from its first number to its last. The result is the logarithm of the sum of exp of all
of them, without overflow, however large they are.
"""
import math

def log_of_sum(stream):
    top, total = -math.inf, 0.0
    for number in stream.tolist():
        if number > top:
            total, top = total + 1.0, number  # right: total, top = total * math.exp(top - number) + 1.0, number
        else:
            total += math.exp(number - top)
    return top + math.log(total)

# ---- inputs
INPUTS = {"stream": floats("N")}
SAME = {"the first number is the largest, so the maximum never changes.": lambda stream: int(stream.argmax()) == 0}
MISTAKE = "online_softmax_attention.sum_not_rescaled"
WHY = "When a larger number comes, the sum so far is still relative to the old maximum, and has to be multiplied by exp(old - new)."
