"""A small language of animals, and models that learn it in seconds."""

from .language import ADVERBS, ANIMAL_OF, MOOD_OF, SOUNDS, NotASentence, places, sentences
from .layer import WHO, WHO_AND_HOW, Recipe, TinyModel, accuracy, load, train, weight_on

__all__ = [
    "ADVERBS",
    "ANIMAL_OF",
    "MOOD_OF",
    "SOUNDS",
    "WHO",
    "WHO_AND_HOW",
    "NotASentence",
    "Recipe",
    "TinyModel",
    "accuracy",
    "load",
    "places",
    "sentences",
    "train",
    "weight_on",
]
