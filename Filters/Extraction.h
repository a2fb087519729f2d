// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One extraction of the filter on an engine.
#ifndef vmcExtraction_h
#define vmcExtraction_h

#include "VolumeFromImage.h"

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Contour/Request.h"
#include "Compute/Engine.h"

namespace vmc::filters
{

// Borrows everything.
struct Extraction
{
  vmc::Engine& engine;
  vmc::MarchingCubes& marchingCubes; // of the engine
  const ImageSamples& samples;
  const vmc::Progress& progress;
  vmc::Report& report; // the output
};

}

#endif
