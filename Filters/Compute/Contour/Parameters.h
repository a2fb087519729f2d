// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pure functions for the parameters of an extraction's kernels.
#ifndef vmcParameters_h
#define vmcParameters_h

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"
#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/LevelArrays.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Shared/Structs.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// The push constants of a slab for one isovalue. The capacities and the id of the first point are 0.
SlabConstants parametersOf(
  const Volume& volume, const ContourPlan& plan, const Slab& slab, const Threshold& threshold, const Request& request);

// The same for a hierarchy of levels.
SlabConstants parametersOf(
  const LevelArrays& levels, const DeviceLimits& limits, const Threshold& threshold, const Request& request);

// Elements of an array that begin at a multiple of this lie at an offset that every device can bind.
constexpr std::uint64_t BindableElements = 64;

// The same parameters for a slab whose first point and triangle have these ids in the whole mesh, with outputs that are
// bound at the multiple of BindableElements before them. Without shared points, ids count from the slab's first point,
// and the outputs are temporary arrays of the slab.
SlabConstants withFirst(
  SlabConstants parameters, const Request& request, std::uint64_t firstPoint, std::uint64_t firstTriangle);

// The same parameters for EmitPoints. Without shared points, a triangle copies the values of its points: then the
// kernel emits those of the halo layer, too.
SlabConstants forPoints(SlabConstants parameters, const Request& request);

// The push constants of InterpolateAttribute for an attribute with this window. start, points: points in the bound
// arrays before the slab's first point, and of the slab.
ValueConstants parametersOfAttribute(
  const Attribute& attribute, const Window& window, std::uint64_t start, std::uint64_t points);

// The push constants of RepeatCorners. firstTriangle: of the slab, in the whole mesh.
ValueConstants parametersOfCorners(const Output& output, std::uint64_t firstTriangle, std::uint64_t triangles);

// Returns bounds of the lengths in the mesh of a volume, or of a hierarchy of levels, whose positions are rounded to
// floats. 0 without dual cells, and for surfaces in host memory, whose measures do not need them.
MeshLengths lengthsOf(const Volume& volume, const Request& request);
MeshLengths lengthsOf(const LevelBricks& levels, const Request& request);

// Splits a value into two floats with the nearest sum.
void splitInTwo(double value, float& high, float& low);

// The map from index space to world space in the layout of the kernels. Throws Unsupported if it cannot be inverted, or
// if samples are closer than 1e-30, farther apart than 1e30, or farther from 0: beyond, sums of two floats overflow or
// lose digits (FloatPair.glsl).
Geometry geometryOf(const SampleGeometry& map);

// The same for each level, and for as many as the kernels bind.
std::vector<Geometry> geometriesOf(const LevelBricks& levels, const Request& request);

// The coordinates of the volume's grid in the layout of the kernels, if its geometry has coordinates. zero: world
// position of coordinates of 0. Throws Unsupported if the geometry does not fit the volume, or if its coordinates are
// beyond these numbers.
std::vector<GridCoordinate> coordinatesOf(const Volume& volume, const Vector3& zero);

// The kernel that emits the points of the volume.
const kernels::Words& emitPointsKernelOf(const Volume& volume);

// The specialization of an extraction's kernels that read samples. hasNan: at least one sample is NaN.
Specialization specializationOf(const Volume& volume, const Request& request, bool hasNan);

// The same for a hierarchy of levels.
Specialization specializationOf(const LevelBricks& levels, const Request& request);
std::vector<KernelVariant> kernelsOf(const LevelArrays& levels, const Request& request);

// Returns the variant of a kernel for a group of active bricks: LEVEL_GROUP_PLAIN or one of those after it.
KernelVariant levelVariantOf(const kernels::Words& kernel, Specialization specialization, std::uint32_t group);

// All kernels that an extraction with this request from this volume can dispatch. Of the volume, it uses no values.
// hasNan: at least one sample is NaN. SlabPasses dispatches no other kernels.
std::vector<KernelVariant> kernelsOf(const Volume& volume, const Request& request, bool hasNan);

}

#endif
