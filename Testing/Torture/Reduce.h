// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Makes failing cases smaller, and prints them as tests.
#ifndef vmcTortureReduce_h
#define vmcTortureReduce_h

#include "Case.h"
#include "Oracles.h"

#include <ostream>
#include <vector>

namespace vmc::torture
{

// Returns a smaller case that fails the same oracle: smaller volumes, fewer isovalues and options, default units. Runs
// at most some hundred cases.
Case reduced(const Case& of, const Result& result, const std::vector<Target>& targets);

// Reduces a failing case and writes it: what differs, the settings in words, and, if it has one small volume, the text
// of a test.
void report(const Case& of, const Result& result, const std::vector<Target>& targets, std::ostream& out);

}

#endif
