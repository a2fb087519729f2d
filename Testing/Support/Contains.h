// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Expectations about texts, which print both texts if they fail.
#ifndef vmcContains_h
#define vmcContains_h

#include <gtest/gtest.h>

#include <string>

#define EXPECT_CONTAINS(text, part) EXPECT_PRED_FORMAT2(testing::IsSubstring, std::string(part), std::string(text))
#define EXPECT_LACKS(text, part) EXPECT_PRED_FORMAT2(testing::IsNotSubstring, std::string(part), std::string(text))

#endif
