"""Grade a notebook: observe its exercises in one or two looks, judge the observations, add up the scores."""
