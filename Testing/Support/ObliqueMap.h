// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A map from index space to world space for tests of geometry.
#ifndef vmcObliqueMap_h
#define vmcObliqueMap_h

#include "Compute/Volume/Volume.h"

namespace vmc::test
{

// A map without a symmetry that could hide exchanged indices.
inline SampleGeometry obliqueMap()
{
  SampleGeometry map;
  map.setOrigin({ 1000.1, -2000.2, 3e7 + 0.3 });
  map.setSteps({ { { 0.1, 0.2, -0.3 }, { -0.4, 0.5, 0.6 }, { 0.7, 0.8, 1.9 } } });
  return map;
}

}

#endif
