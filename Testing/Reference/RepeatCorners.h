// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel RepeatCorners.
#ifndef vmcReferenceRepeatCorners_h
#define vmcReferenceRepeatCorners_h

#include "Shared/Structs.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc::reference
{

inline void repeatCorners(const ValueConstants& push, const std::vector<std::uint32_t>& pointId,
  const std::vector<float>& sharedValue, std::vector<float>& cornerValue)
{
  for (std::size_t corner = push.start; corner < push.start + push.count; ++corner)
    for (std::size_t component = 0; component < push.components; ++component)
      cornerValue[corner * push.components + component] =
        sharedValue[std::size_t(pointId[corner]) * push.components + component];
}

}

#endif
