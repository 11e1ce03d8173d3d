"""From a lesson's source to what a student gets: notebooks, published answers, the bundle."""
