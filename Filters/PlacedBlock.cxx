// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "PlacedBlock.h"

#include "GridImage.h"

#include "vtkMatrix3x3.h"

#include <algorithm>
#include <utility>

namespace vmc::filters
{

std::optional<PlacedBlock> placed(LevelBlock& block)
{
  vtkImageData* const image = block.image;
  const std::optional<ImageSides> sides = sidesOf(image);
  if (!block.samples.ofCells || !sides || GridImage::SafeDownCast(image))
    return std::nullopt;
  const vmc::Volume volume = volumeFromImage(block.samples);
  PlacedBlock placed{ std::move(block), volume.type, { *sides, {}, {}, volume.size } };
  std::copy_n(image->GetDirectionMatrix()->GetData(), 9, placed.place.direction.begin());
  std::copy_n(image->GetSpacing(), 3, placed.place.spacing.begin());
  return placed;
}

}
