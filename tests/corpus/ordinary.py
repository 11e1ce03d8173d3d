"""Which benign submissions are ordinary student work, and which are odd: decided before scores are seen.

Ordinary: what a student does who follows the lesson, tries things out, pastes, moves cells, uses another
editor, or builds on a piece that is wrong. Odd: what takes unusual knowledge of Python or of the file format,
or was made up to find the limits of the grader.
"""

ODD = {
    # files that no common editor writes
    "no_format",
    "format_as_text",
    "old_mac_lines",
    "long_number",
    "key_twice",
    "odd_cells",
    "own_points",
    "zero_byte",
    "half_of_a_character",
    "merged_into_one",
    "only_solutions",
    "retyped_test",
    "writes_a_book_in_many_alphabets",
    # processes, threads, modules and commands beside the lesson
    "a_module_of_its_own",
    "a_module_of_another_cell",
    "many_workers_for_its_data",
    "a_pool_as_large_as_the_machine",
    "a_pool_of_six",
    "processes",
    "as_many_torch_threads_as_a_large_machine",
    "more_memory_than_there_is_in_the_same_cell",
    "begins_anew",
    "leaves",
    "takes_the_output_of_a_command_apart",
    "reads_the_output_of_commands",
    # names that are bound, patched or asked for in roundabout ways
    "asks_in_other_words_for_what_is_written_below",
    "asks_for_what_is_written_below_under_its_name",
    "asks_for_two_of_an_earlier_lesson_at_once",
    "asks_above_for_one_whose_cell_is_timed",
    "a_name_of_a_demonstration_and_of_an_argument",
    "a_name_of_a_demonstration_and_later_of_ones_own",
    "a_name_of_a_demonstration_with_another_value",
    "helpers_of_one_name_without_tests",
    "tries_another_one_in_copies_below",
    "completes_a_helper_below",
    "keeps_a_tool_beside_a_line_that_fails",
    "begun_in_its_cell_and_written_below_the_tests",
    "patched_below_its_test",
    "patched_below_its_test_by_a_decorator",
    "patched_below_its_test_in_a_loop",
    "patched_beside_a_loop_without_end",
    "builds_on_a_wrong_one_by_a_default",
    "builds_on_a_wrong_one_in_a_class",
    "builds_on_a_wrong_one_in_a_loop",
    "builds_on_a_wrong_one_with_settings_of_its_own",
    "builds_on_a_wrong_one_with_other_parameters",
    "builds_on_a_wrong_one_with_other_parameters_that_it_asks_for",
    "builds_on_a_wrong_one_with_more_parameters",
    "builds_on_a_wrong_one_in_a_module_of_its_own",
    "lengths_of_another_width",
    "tells_the_time_and_is_wrong_beside_a_wrong_one",
    "names_a_wrong_one_in_quotes",
}

# {odd submission: the rule by which it gets less than all points}, as docs/instructors.md says it
BELOW_THE_TEST = "What is changed below the test cell of an exercise does not count for it."
LAST_TEST = "Of two test cells of one exercise the last one counts."
IN_A_FILE = "What a cell writes into a file is not taken along."
GIVEN_UP = {
    "patched_below_its_test": BELOW_THE_TEST,
    "patched_below_its_test_by_a_decorator": BELOW_THE_TEST,
    "patched_below_its_test_in_a_loop": BELOW_THE_TEST,
    "completes_a_helper_below": BELOW_THE_TEST,
    "tries_another_one_in_copies_below": LAST_TEST,
    "builds_on_a_wrong_one_in_a_module_of_its_own": IN_A_FILE,
}
