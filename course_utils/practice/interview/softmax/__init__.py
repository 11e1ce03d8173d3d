"""The topic stable_softmax: somebody's softmax and rows of numbers come in, a Problem goes out."""
