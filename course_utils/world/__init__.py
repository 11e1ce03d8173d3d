"""A small language of animals, texts that repeat a word, and models that learn them in seconds."""

from .language import ADVERBS, ANIMAL_OF, MOOD_OF, SOUNDS, NotASentence, places, sentences
from .layer import NO_ANSWER, WHO, WHO_AND_HOW, Recipe, TinyModel, seconds_per_step, train
from .measure import accuracy, weight_on
from .repeats import LETTERS, REPEATS, repeated_word, right_letters
from .shipped import load

__all__ = [
    "ADVERBS",
    "ANIMAL_OF",
    "LETTERS",
    "MOOD_OF",
    "NO_ANSWER",
    "REPEATS",
    "SOUNDS",
    "WHO",
    "WHO_AND_HOW",
    "NotASentence",
    "Recipe",
    "TinyModel",
    "accuracy",
    "load",
    "places",
    "repeated_word",
    "right_letters",
    "seconds_per_step",
    "sentences",
    "train",
    "weight_on",
]
