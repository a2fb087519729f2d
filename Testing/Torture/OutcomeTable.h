// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The table that the programs of this folder print.
#ifndef vmcOutcomeTable_h
#define vmcOutcomeTable_h

#include <cstddef>
#include <iostream>
#include <map>
#include <string>

namespace vmc::torture
{

// The numbers of cases of a class, and of their outcomes.
struct OutcomeCounts
{
  std::size_t cases = 0, right = 0, clear = 0, other = 0;
};

// Writes the counts by class, and their sum, to the standard output, in Markdown. Returns the sum.
inline OutcomeCounts printTable(const std::map<std::string, OutcomeCounts>& classes)
{
  OutcomeCounts all;
  const auto line = [](const std::string& name, const OutcomeCounts& counts)
  {
    std::cout << "| " << name << " | " << counts.cases << " | " << counts.right << " | " << counts.clear << " | "
              << counts.other << " |\n";
  };
  std::cout << "| class | cases | right | clear error | anything else |\n| --- | --- | --- | --- | --- |\n";
  for (const auto& [name, counts] : classes)
  {
    line(name, counts);
    all.cases += counts.cases;
    all.right += counts.right;
    all.clear += counts.clear;
    all.other += counts.other;
  }
  line("all", all);
  return all;
}

}

#endif
