"""The learner's own objects: kept in files for later lessons, and named below the cells that use them."""
