// Sizes of an extraction, decided before the device is touched.
#ifndef vmcContourPlan_h
#define vmcContourPlan_h

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vmc
{

// What a plan needs to know of a device.
struct DeviceLimits
{
  std::uint64_t maxBindingBytes = 0;    // largest range of a storage buffer binding
  std::uint64_t bindingAlignment = 256; // of the offset of a binding, in bytes; a power of two
  std::uint32_t maxGroups = 65535;      // along one axis of a dispatch
  std::uint64_t memoryBytes = ~0ull;    // that one extraction may take; ~0: as much as the driver gives
};

// Brick layers [firstLayer, firstLayer + layers) of the volume along z, emitted together. If more layers follow, the
// next one is looked at too, so that triangles can name its points.
struct Slab
{
  std::uint32_t firstLayer = 0;
  std::uint32_t layers = 0;     // at least 1
  std::uint32_t haloLayers = 0; // 0 or 1
};

// The part of an array of the volume that a slab reads: whole z-layers of samples, bound at an aligned offset.
struct Window
{
  std::uint32_t firstSampleLayer = 0;
  std::uint32_t sampleLayers = 0;
  std::uint64_t offset = 0; // bytes, aligned
  std::uint64_t size = 0;   // bytes
  std::uint32_t skew = 0;   // values from the offset to the first value of the window
};

// How much device memory the brick ranges and a slab's part of the volume's arrays may take. The arrays keep to three
// quarters of what the ranges leave, so that the passes have memory; where not even one layer of bricks does, they may
// take all.
struct Residency
{
  static constexpr std::uint64_t Unlimited = ~0ull;
  std::uint64_t bytesPerSample = 0; // of all arrays together
  std::uint64_t limitInBytes = Unlimited;
};

// Pure arithmetic: needs no device. All members are counts of bricks or slabs that fit the device's limits.
class ContourPlan
{
public:
  // size: samples of the image, to which the padding is added. valueBytes: bytes of the widest array per sample
  // (samples or attributes). Throws Unsupported when even one brick layer exceeds the limits of the device, OutOfMemory
  // when it exceeds the residency, naming the bytes needed and the bytes allowed.
  ContourPlan(const std::array<std::uint32_t, 3>& size, std::uint64_t valueBytes, const DeviceLimits& limits,
    const Padding& padding = {}, const Residency& residency = {});

  const std::array<std::uint32_t, 3>& bricks() const { return this->Bricks; } // bricks of the volume along each axis
  std::uint64_t brickCount() const;
  std::uint32_t bricksOf(const Slab& slab) const;    // look-ahead layer included
  std::uint32_t ownBricksOf(const Slab& slab) const; // that the slab emits
  const std::vector<Slab>& slabs() const { return this->Slabs; }

  // Samples that the slab's kernels read: its bricks, the layers on both sides that gradients and blanking look at.
  Window windowOf(const Slab& slab, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample = 1) const;

  // The smallest limit that a residency can have: slabs of one layer.
  std::uint64_t leastResidentBytes() const;
  bool holdsWholeArrays() const { return this->Residence.limitInBytes == Residency::Unlimited; }

  // What is to be on the device while the slab is worked on: the whole array without a residency, else the slab's
  // window.
  Window residentWindowOf(const Slab& slab, std::uint64_t bytesPerSample, std::uint32_t valuesPerSample = 1) const;

  // The slab cut in two, for an output that turned out too large. The slab must have at least 2 layers.
  std::array<Slab, 2> split(const Slab& slab) const;

private:
  Slab makeSlab(std::uint32_t firstLayer, std::uint32_t layers) const;
  bool fits(const Slab& slab) const;
  std::uint64_t rangeBytes() const { return 8 * this->brickCount(); } // of the brick ranges
  std::uint64_t arrayBytesOf(const Slab& slab) const;                 // of the slab's part of the volume's arrays
  Slab largestSlab(std::uint32_t firstLayer) const;

  std::array<std::uint32_t, 3> Size; // of the image
  std::uint32_t LowPadding;          // along z
  std::array<std::uint32_t, 3> Bricks;
  std::uint64_t ValueBytes;
  DeviceLimits Limits;
  Residency Residence;
  std::vector<Slab> Slabs;
};

// Bytes a buffer of `valueCount` values needs so that kernels may load whole rows of words at its end.
std::uint64_t paddedBytes(std::uint64_t valueCount, std::uint64_t bytesPerValue);

}

#endif
