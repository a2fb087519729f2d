// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Oracles that compare the surface of a volume with those of changed volumes. They throw Mismatch.
#ifndef vmcTortureMetamorphic_h
#define vmcTortureMetamorphic_h

#include "Compute/Contour/Mesh.h"
#include "Input.h"

#include <cstdint>
#include <functional>

namespace vmc::torture
{

// Extracts the surface of one volume.
using ExtractOne = std::function<Mesh(const Volume&, const Request&)>;

// Reorders and reverses axes, scales the values of floats by a power of two, and cuts the volume in pieces along z.
// choice: selects the changes. mesh: the surface of the volume with this request.
void checkChangedVolumes(
  const VolumeInput& input, const Request& request, const Mesh& mesh, std::uint64_t choice, const ExtractOne& extract);

}

#endif
