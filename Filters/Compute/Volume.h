// The input of an extraction: a view of somebody else's samples.
#ifndef vmcVolume_h
#define vmcVolume_h

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

enum class SampleType
{
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Float32
};

// 1, 2 or 4.
std::size_t bytesOf(SampleType type);

// Affine map from sample numbers to world space: world = origin + i * axis[0] + j * axis[1] + k * axis[2].
struct IndexToWorld
{
  std::array<double, 3> origin{ 0, 0, 0 };
  std::array<std::array<double, 3>, 3> axis{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

  // Determinant of the axes: negative when the map mirrors, 0 when it cannot be inverted.
  double determinant() const;
};

// Values to interpolate along with the surface.
struct Attribute
{
  const void* values = nullptr; // size[0] * size[1] * size[2] * components values; borrowed
  SampleType type = SampleType::Float32;
  std::uint32_t components = 1;
};

// Samples of a scalar field on a regular grid, x fastest, without gaps. For cell data a sample is the value of a cell,
// and the surface lies on the dual grid, whose corners are the cell centres.
// Everything it points to is borrowed and must outlive the extraction.
struct Volume
{
  const void* samples = nullptr; // size[0] * size[1] * size[2] samples, any alignment
  SampleType type = SampleType::Float32;
  std::array<std::uint32_t, 3> size{ 0, 0, 0 };
  // Two volumes with the same identity other than 0 have the same samples: the copy on the device is used again.
  std::uint64_t identity = 0;
  IndexToWorld geometry; // from sample numbers, starting at 0
  std::vector<Attribute> attributes;

  std::uint64_t sampleCount() const { return std::uint64_t(this->size[0]) * this->size[1] * this->size[2]; }
};

}

#endif
