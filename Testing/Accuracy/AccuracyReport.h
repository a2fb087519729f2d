// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Writes Documentation/Accuracy.md.
#ifndef vmcAccuracyReport_h
#define vmcAccuracyReport_h

#include "IsovalueCases.h"
#include "Measurement.h"

#include <ostream>
#include <string>
#include <vector>

namespace vmc::accuracy
{

struct Findings
{
  std::string device; // its name and that of its driver
  std::vector<Measurement> measurements;
  std::vector<IsovalueResult> isovalueResults;
};

void writeReport(const Findings& findings, std::ostream& out);

// A sentence for each error that exceeds the bounds of the report, and for each wrong surface.
std::vector<std::string> failuresOf(const Findings& findings);

}

#endif
