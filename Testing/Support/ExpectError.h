// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Expects that code throws an error of the core.
#ifndef vmcExpectError_h
#define vmcExpectError_h

#include "Compute/System/Error.h"

#include <gtest/gtest.h>

#include <string>

namespace vmc::test
{

// Runs the action and expects that it throws an Error of this kind. Returns the message; empty if nothing was thrown.
template <class Action>
std::string expectError(Error::Kind kind, const Action& action)
{
  try
  {
    action();
  }
  catch (const Error& error)
  {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}

#endif
