// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/ExtractionKernels.h"

#include "Compute/Contour/Parameters.h"
#include "Compute/System/Error.h"
#include "Embedded/Kernels.h"

#include <algorithm>
#include <string>

namespace vmc
{

std::vector<KernelVariant> kernelsOf(const Volume& volume, const Request& request, bool hasNan)
{
  using namespace kernels;
  const Specialization specialization = specializationOf(volume, request, hasNan);
  std::vector<KernelVariant> list;
  for (const Words* kernel :
    { &BuildBrickRanges, &SelectBricks, &CompactBricks, &CountBricks, &ScanBricks, &EmitPoints, &EmitTriangles })
    list.push_back({ kernel, specialization });
  for (const Attribute& attribute : volume.attributes)
    list.push_back({ &InterpolateAttribute, specializationOf(attribute.type) });
  if (!request.mergePoints)
    list.push_back({ &RepeatCorners, {} });
  return list;
}

namespace
{

template <class Condition>
const KernelVariant& findVariant(
  const std::vector<KernelVariant>& list, const kernels::Words& spirv, const Condition& matches)
{
  const auto found = std::find_if(list.begin(), list.end(),
    [&](const KernelVariant& variant) { return variant.spirv == &spirv && matches(variant.specialization); });
  if (found == list.end())
    throw Error(Error::Kind::Internal, std::string(spirv.name) + " is not among the kernels of this extraction.");
  return *found;
}

}

const KernelVariant& variantOf(const std::vector<KernelVariant>& list, const kernels::Words& spirv)
{
  return findVariant(list, spirv, [](const Specialization&) { return true; });
}

const KernelVariant& variantOf(const std::vector<KernelVariant>& list, const kernels::Words& spirv, SampleType type)
{
  const Specialization expected = specializationOf(type);
  return findVariant(
    list, spirv, [&](const Specialization& found) { return !(found < expected) && !(expected < found); });
}

}
