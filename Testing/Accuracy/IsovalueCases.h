// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Isovalues at which float32 arithmetic gives a wrong surface or none.
#ifndef vmcIsovalueCases_h
#define vmcIsovalueCases_h

#include "Compute/Session.h"
#include "Compute/Volume/Volume.h"

#include <optional>
#include <string>
#include <vector>

namespace vmc::accuracy
{

// The position of the surface between two adjacent samples, as a fraction of the distance from the first to the second;
// nothing if there is no surface.
using Fraction = std::optional<long double>;

struct IsovalueCase
{
  std::string samples; // as text
  SampleType type;
  double first, second;
  std::string isovalueText;
  double isovalue;
};

struct IsovalueResult
{
  IsovalueCase question;
  Fraction exact;   // compared and divided with more digits than float64
  Fraction device;  // this project
  Fraction float32; // samples, isovalue and arithmetic in float
  bool isRight;     // the device finds a surface exactly if there is one, within the bound of positions
};

std::vector<IsovalueResult> answerIsovalueCases(Session& session);

}

#endif
