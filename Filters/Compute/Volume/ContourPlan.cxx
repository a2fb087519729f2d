// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/ContourPlan.h"

#include "Compute/System/Error.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <string>

namespace vmc
{

namespace
{
// Bytes beyond the last sample that kernels may access: CountBricks loads 12 samples of up to 8 bytes, the first of
// which may be the last sample of the window.
constexpr std::uint64_t PaddingBytes = 8 * (BRICK_SIZE + 3);

constexpr std::uint64_t BytesPerRange = 4ull * BRICK_RANGE_WORDS;

// Layers of samples that slabs read before and after their bricks: for gradients and blanking, and for dual cells. With
// padding, those before begin up to two layers earlier.
constexpr std::uint32_t LayersBefore = 1, LayersAfter = 2, MostPadding = 2;
}

std::uint64_t paddedBytes(std::uint64_t valueCount, std::uint64_t bytesPerValue)
{
  return (valueCount * bytesPerValue + PaddingBytes + 3) / 4 * 4;
}

ContourPlan::ContourPlan(const std::array<std::uint32_t, 3>& size, std::uint64_t valueBytes, const DeviceLimits& limits,
  const Padding& padding, const Residency& residency)
  : Size(size)
  , LowPadding(padding.low[2])
  , ValueBytes(valueBytes)
  , Limits(limits)
  , Residence(residency)
{
  for (int axis = 0; axis < 3; ++axis)
    this->Bricks[axis] = BRICKS_ALONG(size[axis] + padding.low[axis] + padding.high[axis]);
  this->Layers.first = std::min(residency.layers.first, this->Bricks[2]);
  this->Layers.end = std::max(this->Layers.first, std::min(residency.layers.end, this->Bricks[2]));
  if (this->rangeBytes() > limits.maxBindingBytes)
    throw Error(Error::Kind::Unsupported, "The volume has " + std::to_string(this->rangeBytes() / BytesPerRange) +
                                            " bricks; this device can bind the ranges of " +
                                            std::to_string(limits.maxBindingBytes / BytesPerRange) + ".");
  if (this->leastResidentBytes() > residency.limitInBytes)
    throw Error(Error::Kind::OutOfMemory,
      "The smallest slabs need " + std::to_string(this->leastResidentBytes()) +
        " bytes of device memory for samples and brick ranges, without the surface; the limit is " +
        std::to_string(residency.limitInBytes) + ".");
  this->SegmentLayers = this->layersOfSegments();
  for (std::uint32_t layer = this->Layers.first; layer < this->Layers.end; layer += this->Slabs.back().layers)
    this->Slabs.push_back(this->largestSlab(layer));
}

// Returns the largest fitting slab that begins at this layer. Bisection: if a slab of two or more layers fits, so do
// all smaller ones.
Slab ContourPlan::largestSlab(std::uint32_t firstLayer) const
{
  const std::uint32_t inSegment = (firstLayer - this->Layers.first) % this->SegmentLayers;
  const std::uint32_t most = std::min(this->Layers.end - firstLayer, this->SegmentLayers - inSegment);
  std::uint32_t fitting = 1, beyond = most + 1;
  while (fitting + 1 < beyond)
  {
    const std::uint32_t middle = fitting + (beyond - fitting) / 2;
    (this->fits(this->makeSlab(firstLayer, middle)) ? fitting : beyond) = middle;
  }
  const Slab slab = this->makeSlab(firstLayer, fitting);
  if (this->fits(slab))
    return slab;
  const Window window = this->windowOf(slab, this->ValueBytes);
  if (window.size > this->Limits.maxBindingBytes)
    throw Error(Error::Kind::Unsupported, "One layer of bricks needs " + std::to_string(window.size) +
                                            " bytes in one binding; this device allows " +
                                            std::to_string(this->Limits.maxBindingBytes) + ".");
  throw Error(Error::Kind::Unsupported,
    "One layer of bricks needs " + std::to_string(std::uint64_t(this->Size[0]) * this->Size[1] * window.sampleLayers) +
      " samples and " + std::to_string(this->bricksOf(slab)) +
      " bricks, more than kernels count or this device dispatches.");
}

// Returns the layers of bricks per segment, from the widest array.
std::uint32_t ContourPlan::layersOfSegments() const
{
  const std::uint64_t layerBytes = std::uint64_t(this->Size[0]) * this->Size[1] * this->ValueBytes;
  const std::uint64_t spare = paddedBytes(this->Limits.bindingAlignment, 1) + 4;
  const std::uint64_t bytes = std::max(this->Limits.maxBufferBytes, spare) - spare;
  const std::uint32_t all = this->Layers.end - this->Layers.first;
  if (all == 0 || bytes >= this->segmentOf(this->Layers.first, all, 1, 1).sampleLayers * layerBytes)
    return std::max(1u, all);
  const std::uint64_t layers = bytes / layerBytes;
  const std::uint64_t around = LayersBefore + MostPadding + BRICK_SIZE + LayersAfter; // with a halo layer
  if (layers < around + BRICK_SIZE)
    throw Error(Error::Kind::Unsupported,
      "One layer of bricks needs " + std::to_string((around + BRICK_SIZE) * layerBytes + spare) +
        " bytes in one buffer; this device allows " + std::to_string(this->Limits.maxBufferBytes) + ".");
  return static_cast<std::uint32_t>((layers - around) / BRICK_SIZE);
}

std::uint64_t ContourPlan::rangeBytes() const
{
  const std::uint32_t end = std::min(this->Layers.end + 1, this->Bricks[2]);
  return BytesPerRange * this->Bricks[0] * this->Bricks[1] * (end - std::min(this->Layers.first, end));
}

std::uint64_t ContourPlan::brickCount() const
{
  return std::uint64_t(this->Bricks[0]) * this->Bricks[1] * this->Bricks[2];
}

std::uint32_t ContourPlan::ownBricksOf(const Slab& slab) const
{
  return this->Bricks[0] * this->Bricks[1] * slab.layers;
}

std::uint32_t ContourPlan::bricksOf(const Slab& slab) const
{
  return this->Bricks[0] * this->Bricks[1] * (slab.layers + slab.haloLayers);
}

Slab ContourPlan::makeSlab(std::uint32_t firstLayer, std::uint32_t layers) const
{
  return { firstLayer, layers, firstLayer + layers < this->Bricks[2] ? 1u : 0u };
}

std::uint64_t ContourPlan::arrayBytesOf(const Slab& slab) const
{
  const LayerRange layers = { slab.firstLayer, slab.firstLayer + slab.layers + slab.haloLayers };
  const Window window = this->windowOfBricks(layers, 1, 1);
  return std::uint64_t(this->Size[0]) * this->Size[1] * window.sampleLayers * this->Residence.bytesPerSample;
}

std::uint64_t ContourPlan::leastResidentBytes() const
{
  std::uint64_t bytes = 0;
  for (std::uint32_t layer = this->Layers.first; layer < this->Layers.end; ++layer)
    bytes = std::max(bytes, this->arrayBytesOf(this->makeSlab(layer, 1)));
  return bytes + this->rangeBytes();
}

bool ContourPlan::fits(const Slab& slab) const
{
  const std::uint64_t layerBricks = std::uint64_t(this->Bricks[0]) * this->Bricks[1];
  const std::uint64_t bricks = layerBricks * (slab.layers + slab.haloLayers);
  const Window window = this->windowOf(slab, this->ValueBytes);
  const std::uint64_t maxBlocks = this->Limits.maxGroups;
  const std::uint64_t limitWithoutRanges = this->Residence.limitInBytes - this->rangeBytes();
  return slab.layers <= this->Residence.largestSlab &&
         this->arrayBytesOf(slab) <=
           (slab.layers > 1 ? limitWithoutRanges / 4 * 3 : limitWithoutRanges) && // see Residency
         window.size <= this->Limits.maxBindingBytes &&
         // words of rows, if all bricks are active. One layer is tried: the extraction throws if too many are active
         (slab.layers == 1 || bricks * ROW_WORDS * 4 <= this->Limits.maxBindingBytes) &&
         bricks <= maxBlocks * SCAN_BLOCK_SIZE &&
         // kernels count samples from the bound offset in 32 bits
         std::uint64_t(this->Size[0]) * this->Size[1] * window.sampleLayers + this->Limits.bindingAlignment <
           (1ull << 32);
}

Window ContourPlan::windowOf(const Slab& slab, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const
{
  const std::uint32_t end = slab.firstLayer + slab.layers + (this->readsHalo(slab) ? slab.haloLayers : 0);
  return this->windowOfBricks({ slab.firstLayer, end }, bytesPerSample, valuesPerSample);
}

// The window of the samples of these brick layers, and of the layers around them.
Window ContourPlan::windowOfBricks(
  const LayerRange& layers, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const
{
  const std::uint32_t first = layers.first * BRICK_SIZE, before = this->LowPadding + LayersBefore;
  const std::uint32_t end = layers.end * BRICK_SIZE + LayersAfter;
  return this->windowOfLayers(
    first < before ? 0 : first - before, end - this->LowPadding, bytesPerSample, valuesPerSample);
}

// Padding repeats the outermost samples: the window contains one of them at least.
Window ContourPlan::windowOfLayers(
  std::uint32_t first, std::uint32_t end, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const
{
  Window window;
  window.firstSampleLayer = std::min(first, this->Size[2] - 1);
  window.sampleLayers = std::min(end, this->Size[2]) - window.firstSampleLayer;
  const std::uint64_t layerBytes = std::uint64_t(this->Size[0]) * this->Size[1] * bytesPerSample;
  const std::uint64_t begin = window.firstSampleLayer * layerBytes;
  window.offset = begin / this->Limits.bindingAlignment * this->Limits.bindingAlignment;
  window.offsetInValues = static_cast<std::uint32_t>((begin - window.offset) / (bytesPerSample / valuesPerSample));
  // Padded relative to the offset, so that the last window ends at the end of the buffer.
  window.size = paddedBytes(begin - window.offset + window.sampleLayers * layerBytes, 1);
  return window;
}

std::vector<Window> ContourPlan::segments(std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const
{
  std::vector<Window> windows;
  for (std::uint32_t layer = this->Layers.first; layer < this->Layers.end; layer += this->SegmentLayers)
    windows.push_back(
      this->segmentOf(layer, std::min(this->SegmentLayers, this->Layers.end - layer), bytesPerSample, valuesPerSample));
  return windows;
}

// The window of a segment of these brick layers. It contains the windows of all slabs in them, and if the plan is that
// of the whole volume, also those of plans with another padding. One of several windows has the size of any other one
// of so many layers of bricks, so that it can reuse its memory; one at the end of the volume may be smaller.
Window ContourPlan::segmentOf(
  std::uint32_t firstLayer, std::uint32_t layers, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const
{
  const bool isWhole = this->Layers.first == 0 && this->Layers.end == this->Bricks[2];
  if (!isWhole && !this->Residence.isOneOfSeveral)
  {
    const std::uint32_t end = std::min(firstLayer + layers + 1, this->Bricks[2]); // with a halo layer
    return this->windowOfBricks({ firstLayer, end }, bytesPerSample, valuesPerSample);
  }
  const std::uint32_t before = LayersBefore + (isWhole ? MostPadding : this->LowPadding);
  const std::uint32_t start = firstLayer * BRICK_SIZE, first = start - std::min(start, before);
  const std::uint32_t counted = isWhole ? start : first + LayersBefore;
  const std::uint32_t end = counted + (layers + 1) * BRICK_SIZE + LayersAfter;
  Window window = this->windowOfLayers(first, end, bytesPerSample, valuesPerSample);
  if (this->Residence.isOneOfSeveral) // wherever it begins
    window.size = paddedBytes(this->Limits.bindingAlignment +
                                std::uint64_t(this->Size[0]) * this->Size[1] * window.sampleLayers * bytesPerSample,
      1);
  return window;
}

std::uint32_t ContourPlan::largestSlab() const
{
  std::uint32_t layers = 0;
  for (const Slab& slab : this->Slabs)
    layers = std::max(layers, slab.layers);
  return layers;
}

}
