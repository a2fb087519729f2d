# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Included by ctest when it starts, not by the project.

# vmc_add_suites(program prefix others runner properties...)
#
# One test of ctest per suite of a program with GoogleTest, without the tests that `others` names (as --gtest_filter
# does). The command is the program under runner.
function(vmc_add_suites program prefix others runner)
  execute_process(COMMAND "${program}" --gtest_list_tests "--gtest_filter=-${others}"
    OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n[^ \n]+\\.( +#[^\n]*)?\n" lines "\n${listing}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "[^ \n]+" suite "${line}")
    set(name "${prefix}${suite}*")
    add_test("${name}" ${runner} "${program}" "${suite}*-${others}")
    set_tests_properties("${name}" PROPERTIES SKIP_RETURN_CODE 77 ${ARGN})
  endforeach()
endfunction()
