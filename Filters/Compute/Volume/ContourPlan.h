// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Plans the sizes of an extraction without using the device.
#ifndef vmcContourPlan_h
#define vmcContourPlan_h

#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/DeviceLimits.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vmc
{

// Brick layers [firstLayer, firstLayer + layers) of the volume along z, emitted together. The layer after them, if any,
// is the halo layer: it is classified, and counted or copied from the next slab, so that triangles can refer to its
// points, but not emitted.
struct Slab
{
  std::uint32_t firstLayer = 0;
  std::uint32_t layers = 0;     // at least 1
  std::uint32_t haloLayers = 0; // 0 or 1
};

// The part of a volume's array that a slab reads: whole z-layers of samples, bound at an aligned offset.
struct Window
{
  std::uint32_t firstSampleLayer = 0;
  std::uint32_t sampleLayers = 0;
  std::uint64_t offset = 0;         // bytes, aligned
  std::uint64_t size = 0;           // bytes
  std::uint32_t offsetInValues = 0; // from the byte offset to the first value of the window, in values
};

// Brick layers [first, end) of a volume along z.
struct LayerRange
{
  std::uint32_t first = 0, end = ~0u;
};

// The layers of the volume that a device works on, and the limit on its memory for the brick ranges and a slab's
// windows of all arrays. The windows may use three quarters of the memory that the ranges leave, as the passes need the
// rest; those of a slab of one layer may use all of it.
struct Residency
{
  static constexpr std::uint64_t Unlimited = ~0ull;
  std::uint64_t bytesPerSample = 0; // of all arrays together
  std::uint64_t limitInBytes = Unlimited;
  std::uint32_t largestSlab = ~0u; // in layers of bricks
  LayerRange layers{};             // all of them, unless several devices share the volume
  bool isOneOfSeveral = false;     // the layers are a window; a later one reuses its memory
  // Whether the kernels of a slab read the samples of its halo layer. If not, only the last slab of the plan does, if
  // it has one. The limit counts them in both cases.
  bool readsHalos = true;
};

// Cuts a volume into bricks and into slabs that fit the limits of a device. Pure arithmetic: needs no device.
class ContourPlan
{
public:
  // size: samples of the image along each axis, without padding. valueBytes: bytes per sample of the widest array
  // (samples or attributes). Throws Unsupported if one brick layer exceeds the limits of the device, OutOfMemory if it
  // exceeds the residency.
  ContourPlan(const std::array<std::uint32_t, 3>& size, std::uint64_t valueBytes, const DeviceLimits& limits,
    const Padding& padding = {}, const Residency& residency = {});

  const std::array<std::uint32_t, 3>& bricks() const { return this->Bricks; } // along each axis
  std::uint64_t brickCount() const;                                           // of the volume
  std::uint64_t rangeBytes() const; // of the ranges of the bricks in layers(), and of those of the halo layer
  const DeviceLimits& limits() const { return this->Limits; }
  std::uint32_t bricksOf(const Slab& slab) const;           // halo layer included
  std::uint32_t ownBricksOf(const Slab& slab) const;        // without the halo layer
  const LayerRange& layers() const { return this->Layers; } // that the device works on; may be none
  const std::vector<Slab>& slabs() const { return this->Slabs; }
  std::uint32_t largestSlab() const; // in layers of bricks

  // The samples that the slab's kernels read: those of its bricks, those of its halo layer if they read it, and the
  // layers around them for cells, gradients and blanking.
  Window windowOf(const Slab& slab, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample = 1) const;
  // Returns whether kernels read the samples of the slab's halo layer.
  bool readsHalo(const Slab& slab) const
  {
    return slab.haloLayers != 0 && (this->Residence.readsHalos || slab.firstLayer + slab.layers == this->Layers.end);
  }

  // The smallest possible limit of a residency, in bytes: that of slabs of one layer.
  std::uint64_t leastResidentBytes() const;
  bool holdsWholeArrays() const { return this->Residence.limitInBytes == Residency::Unlimited; }
  bool isOneOfSeveral() const { return this->Residence.isOneOfSeveral; }

  // The windows of an array's segments: one, unless the array exceeds the largest buffer of the device. A slab's window
  // is part of a segment's.
  std::vector<Window> segments(std::uint64_t bytesPerSample, std::uint32_t valuesPerSample = 1) const;

  // The slab of these brick layers, with a halo layer unless it is the last of the volume.
  Slab makeSlab(std::uint32_t firstLayer, std::uint32_t layers) const;

private:
  bool fits(const Slab& slab) const;
  std::uint32_t layersOfSegments() const;
  Window segmentOf(
    std::uint32_t firstLayer, std::uint32_t layers, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const;
  Window windowOfBricks(const LayerRange& layers, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const;
  Window windowOfLayers(
    std::uint32_t first, std::uint32_t end, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample) const;
  std::uint64_t arrayBytesOf(const Slab& slab) const; // of the slab's windows of all arrays, with its halo layer
  Slab largestSlab(std::uint32_t firstLayer) const;

  std::array<std::uint32_t, 3> Size; // of the image
  std::uint32_t LowPadding;          // along z
  std::array<std::uint32_t, 3> Bricks;
  std::uint64_t ValueBytes;
  DeviceLimits Limits;
  Residency Residence;
  LayerRange Layers;
  std::uint32_t SegmentLayers; // of bricks
  std::vector<Slab> Slabs;
};

// The bytes of a buffer for `valueCount` values, with padding for kernels that load whole words and rows at its end.
std::uint64_t paddedBytes(std::uint64_t valueCount, std::uint64_t bytesPerValue);

}

#endif
