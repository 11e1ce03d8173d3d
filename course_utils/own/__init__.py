"""The learner's own objects: kept in files for later lessons, and told below the cells that use them."""
