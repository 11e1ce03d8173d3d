"""The numbers in the answers to questions of design, worked out once more from published sizes."""

import math
import re

import pytest

from autograder.exercises import exercise
from course_utils.practice.interview.mock.design import DESIGN
from course_utils.practice.interview.mock.serving import LLAMA_2_7B, LLAMA_3_8B, LLAMA_3_70B
