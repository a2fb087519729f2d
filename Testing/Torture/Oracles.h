// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs a case on the engines and applies the oracles.
#ifndef vmcTortureOracles_h
#define vmcTortureOracles_h

#include "Case.h"
#include "Compute/Session.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vmc::torture
{

// An engine of the executions.
struct Target
{
  std::string name;
  bool isDevice = false;
  std::function<std::unique_ptr<Session>()> newSession; // its caches are its own
};

enum class Outcome
{
  Right,
  ClearError, // an error of memory or limits, with a sentence
  Wrong       // anything else
};

struct Result
{
  Outcome outcome = Outcome::Right;
  std::string oracle; // of a wrong result
  std::string text;   // what differs, or the message of the error
};

// Never throws, but for exceptions that are none of the standard library.
Result check(const Case& of, const std::vector<Target>& targets);

}

#endif
