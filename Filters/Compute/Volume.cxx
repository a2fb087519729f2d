#include "Volume.h"

namespace vmc
{

std::size_t bytesOf(SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
    case SampleType::UInt8:
      return 1;
    case SampleType::Int16:
    case SampleType::UInt16:
      return 2;
    default:
      return 4;
  }
}

double IndexToWorld::determinant() const
{
  const auto& a = this->axis;
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

}
