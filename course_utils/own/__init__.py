"""The learner's own objects: saved for later lessons, and named below the cells that use them."""
