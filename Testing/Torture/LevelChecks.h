// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Oracles for the mesh of a hierarchy of levels. They throw Mismatch.
#ifndef vmcTortureLevelChecks_h
#define vmcTortureLevelChecks_h

#include "Case.h"
#include "Compute/Contour/Mesh.h"
#include "Compute/Volume/Levels.h"
#include "Support/RandomLevels.h"

#include <functional>

namespace vmc::torture
{

// Extracts the surface of one hierarchy.
using ExtractLevels = std::function<Mesh(const Levels&, const Request&)>;

// The hierarchy of a case. It owns the arrays.
struct LevelInput
{
  test::RandomLevels random;
  Levels view;

  explicit LevelInput(const LevelSettings& settings);
  LevelInput(const LevelInput&) = delete;
};

// Compares with reference::LevelSurface. isDevice: devices compute crossings and positions with floats.
void checkReference(const LevelInput& input, const Request& request, bool isDevice, const ExtractLevels& extract);

// Compares the triangles of pieces with those of the whole.
void checkPieces(const LevelInput& input, const Request& request, std::size_t pieces, const ExtractLevels& extract);

// Compares with the patches in another order, and with one more level without patches: both have the same surface.
void checkUnchanged(const LevelInput& input, const Request& request, const ExtractLevels& extract);

}

#endif
