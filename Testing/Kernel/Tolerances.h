// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tolerances that several tests of kernels use.
#ifndef vmcTolerances_h
#define vmcTolerances_h

namespace vmc::test
{

// Largest error of the fraction along a crossed edge, in steps. Differences of samples have far more digits than a
// float. For integers the distance from isovalue to threshold is rounded by 2^-25, and the quotient by 2^-25.
constexpr double FractionTolerance = 0x1p-23;

}

#endif
