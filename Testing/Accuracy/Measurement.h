// Extractions of one kind of volume, compared point by point with the exact surface.
#ifndef vmcMeasurement_h
#define vmcMeasurement_h

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Volume/Volume.h"
#include "Errors.h"

#include <array>
#include <string>

namespace vmc::accuracy
{

// A kind of volume.
struct Kind
{
  std::string name;
  SampleType type = SampleType::Float32;
  IndexToWorld geometry;
  Padding padding; // with the border half a step beyond the samples
};

// What was found for points of one precision.
struct Measurement
{
  std::string name;      // of the kind
  bool isDouble = false; // points
  bool countsAgree = true;
  std::size_t points = 0;
  Errors position;         // absolute: cells
  Statistic shareOfBound;  // error of a coordinate / largest that it may be
  Errors scalar;           // the samples, interpolated at the point, less the isovalue
  Errors normal, gradient; // absolute: degrees; values a world unit
  Errors attribute;        // another array, interpolated by the device
};

// Every coordinate may be wrong by the larger of this part of a cell and 1 ulp.
constexpr long double CellBound = 0x1p-22L;

// Of a smooth and a random volume, at two isovalues each; first with points of float, then of double.
std::array<Measurement, 2> measure(MarchingCubes& backend, const Kind& kind);

}

#endif
